#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Growth curves as pictures: plots.py FILE FOLDER. FILE is what growth.py --json wrote; FOLDER gets one SVG for each curve.

Both axes are logarithmic: what grows in proportion is a line that rises by one decade per decade (dashed), a cliff is a step.
"""
import json
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 340, 70, 40, 36, 48
COLOURS = ("#1b6ca8", "#c2571a", "#3d7a3d")
CURVES = {
    "heap": ("Bytes of heap written and freed", "us an execution"),
    "threads": ("Threads of the program", "us an execution"),
    "events": ("Operations of a trace (dpor)", "us a trace"),
    "traces": ("Traces of the search (readers)", "us a trace"),
}


class Axis:
    """Decades that hold all values, as positions between two ends."""

    def __init__(self, values: list, begin: float, end: float):
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self.begin, self.end = begin, end

    def at(self, value: float) -> float:
        return self.begin + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def decades(self) -> list:
        return list(range(self.low, self.high + 1))


def number(power: int) -> str:
    return f"{10 ** power:,}".replace(",", " ") if power >= 0 else f"{10.0 ** power:g}"


def grid(x: Axis, y: Axis) -> list:
    lines = []
    for power in x.decades():
        at = x.at(10.0 ** power)
        lines.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        lines.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{number(power)}</text>')
    for power in y.decades():
        at = y.at(10.0 ** power)
        lines.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{number(power)}</text>')
    return lines


def proportional(x: Axis, y: Axis, first: tuple) -> str:
    """From the first point on, as far as the picture goes."""
    most = min(10.0 ** x.high / first[0], 10.0 ** y.high / first[1])
    ends = [(x.at(first[0] * factor), y.at(first[1] * factor)) for factor in (1, most)]
    return f'<line x1="{ends[0][0]:.1f}" y1="{ends[0][1]:.1f}" x2="{ends[1][0]:.1f}" y2="{ends[1][1]:.1f}" stroke="#999" stroke-dasharray="4 4"/>'


def picture(name: str, series: dict) -> str:
    series = {key: [point for point in points if point[0] > 0 and point[1] > 0] for key, points in series.items()}
    below, beside = CURVES[name]
    points = [point for of in series.values() for point in of]
    x = Axis([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = Axis([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *grid(x, y)]
    for number_of, (key, of) in enumerate(series.items()):
        colour = COLOURS[number_of % len(COLOURS)]
        path = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in of)
        lines.append(proportional(x, y, of[0]))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines += [f'<circle cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="3" fill="{colour}"/>' for a, b in of]
        if key:
            lines.append(f'<text x="{LEFT + 12}" y="{TOP + 16 + 16 * number_of}" fill="{colour}">{key}</text>')
    lines.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{below}</text>')
    lines.append(f'<text x="{LEFT - 56}" y="{TOP - 14}">{beside}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: plots.py FILE FOLDER", file=sys.stderr)
        return 2
    curves = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name in CURVES:
        if name in curves:
            of = curves[name]
            text = picture(name, of if isinstance(of, dict) else {"": of})
            (folder / f"growth-{name}.svg").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
