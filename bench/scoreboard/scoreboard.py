#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Programs x strategies: how often, how soon and at what price the defect is found, beside what one would do instead.

Every row of the corpus tests/corpus/classic with its arguments is one program. Of Ravel: schedules and processor seconds to the
first finding over several seeds. Of the others (stress loop, stress under ThreadSanitizer, Helgrind, DRD, rr --chaos where they are
installed and work): runs and processor seconds until the program failed, or the tool said something, within the same time.
"""
import argparse
import csv
import html
import json
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus" / "classic"
QUICK_PROGRAMS = [("reorder", "2"), ("reorder", "10"), ("reorder", "100"), ("twostage", "2"), ("twostage", "20"), ("twostage", "100"),
                  ("account", "2"), ("account", "10"), ("account", "100"), ("bounded_buffer", "2"), ("work_stealing", "2"),
                  ("string_buffer", ""), ("circular_buffer", "3"), ("wrong_lock", "3"), ("lru_cache", ""), ("async_logger", ""),
                  ("remote_agent", "1"), ("account_ring", "3"), ("treiber_aba", ""), ("token_ring", "3")]
MOST_BEFORE = 100  # executions of a search before it knows its points
STRATEGIES = ["portfolio", "pos", "park", "preempt", "dpor", "rf", "surw", "period", "pct", "random"]
PARTS = ["pos", "park", "dpor", "rf"]  # of the default, that are strategies of their own
# Programs whose figures decided on shares and first turns of the default; all others are printed apart.
TUNED_ON = {"account", "async_logger", "bounded_buffer", "channel_close", "circular_buffer", "double_checked", "lru_cache", "pool_shutdown",
            "rax_extend", "readers_writers", "reorder", "string_buffer", "timer_cancel", "token_ring", "treiber_aba", "twostage",
            "work_stealing", "wrong_lock"}


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command: list[str], seconds: float, folder: pathlib.Path) -> tuple[int | None, str]:
    """Exit code, None when it was ended; and what it said."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, errors="replace")
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, ""


class Bench:
    def __init__(self, ravel: str, folder: pathlib.Path, seeds: int, seconds: float):
        self.ravel, self.folder, self.seeds, self.seconds = ravel, folder, seeds, seconds

    def build(self, name: str, flavour: str) -> pathlib.Path | None:
        out = self.folder / f"{name}-{flavour}"
        if out.exists():
            return out
        source = str(CORPUS / f"{name}.cpp")
        flags = ["-std=c++20", "-O1", "-g", "-pthread", source, "-o", str(out)]
        compiler = {"ravel": [self.ravel, "c++"], "plain": ["g++"], "tsan": ["g++", "-fsanitize=thread"]}[flavour]
        code, said = run(compiler + flags, 300, self.folder)
        if code != 0:
            print(f"{name} ({flavour}) does not build:\n{said}", file=sys.stderr)
            return None
        return out

    def with_ravel(self, name: str, arguments: list[str], strategy: str, seed: int) -> dict | None:
        """One trial. A search that started over says only what it ran since: the least budget that is enough tells all."""
        trial = self.run_ravel(name, arguments, strategy, seed)
        if trial is None or not trial["found"] or not strategy.startswith("dpor"):
            return trial
        for runs in range(trial["runs"], trial["runs"] + MOST_BEFORE):
            again = self.run_ravel(name, arguments, strategy, seed, ["--iterations", str(runs)])
            if again is not None and again["found"]:
                return {**trial, "runs": runs}
        return trial

    def run_ravel(self, name: str, arguments: list[str], strategy: str, seed: int, more: list[str] = []) -> dict | None:
        program = self.build(name, "ravel")
        if program is None:
            return None
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        before = processor_seconds()
        run([self.ravel, "run", "--strategy", strategy, "--seed", str(seed), "--time", f"{int(self.seconds * 1000)}ms", "--saved", "ignore",
             "--no-minimize", "--quiet", "--output", str(self.folder / "plans"), "--json", str(report), *more, "--", str(program)] + arguments,
            self.seconds + 30, self.folder)
        used = processor_seconds() - before
        try:
            said = json.loads(report.read_text())
        except (OSError, ValueError):
            return None
        found = any(finding["kind"] != "data-race" for finding in said.get("findings", []))
        rate = said["executions"] / said["seconds"] if said.get("seconds") else 0
        return {"found": found, "runs": said["executions"], "cpu": used, "rate": rate}

    def instead(self, name: str, arguments: list[str], tool: str) -> dict | None:
        """One trial: the program again and again until it fails, hangs, or the tool says something."""
        program = self.build(name, "tsan" if tool == "tsan" else "plain")
        if program is None:
            return None
        before_it = {"helgrind": ["valgrind", "--tool=helgrind", "--error-exitcode=99", "-q"],
                     "drd": ["valgrind", "--tool=drd", "--error-exitcode=99", "-q"],
                     "rr": ["rr", "record", "--chaos"]}.get(tool, [])
        before, runs, left = processor_seconds(), 0, self.seconds
        limit = 5.0  # of one run: a deadlock
        while left > 0:
            start = os.times().elapsed
            code, _ = run(before_it + [str(program)] + arguments, min(limit, left), self.folder)
            left -= os.times().elapsed - start
            runs += 1
            if code != 0 and not (code is None and left <= 0):
                return {"found": True, "runs": runs, "cpu": processor_seconds() - before, "rate": 0}
        return {"found": False, "runs": runs, "cpu": processor_seconds() - before, "rate": 0}


def usable_tools(folder: pathlib.Path) -> list[str]:
    tools = ["stress", "tsan"]
    if shutil.which("valgrind"):
        tools += ["helgrind", "drd"]
    if shutil.which("rr") and run(["rr", "record", "true"], 20, folder)[0] == 0:
        tools.append("rr")
    return tools


def interval(values: list[float]) -> float:
    """Half of the 95 % interval of the mean, by the normal approximation."""
    return 1.96 * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def row_of(program: str, way: str, trials: list[dict]) -> dict:
    runs, cpu = [t["runs"] for t in trials], [t["cpu"] for t in trials]
    return {"program": program, "way": way, "trials": len(trials), "found": sum(t["found"] for t in trials),
            "runs_mean": statistics.mean(runs), "runs_median": statistics.median(runs), "runs_interval": interval(runs),
            "cpu_mean": statistics.mean(cpu), "cpu_median": statistics.median(cpu),
            "rate": statistics.mean(t["rate"] for t in trials)}


def cell(row: dict | None) -> str:
    if row is None:
        return ""
    text = f"{row['runs_mean']:.0f}" if row["runs_mean"] >= 100 else f"{row['runs_mean']:.1f}"
    if row["runs_interval"] >= 0.05:
        text += f" ±{row['runs_interval']:.1f}" if row["runs_interval"] < 100 else f" ±{row['runs_interval']:.0f}"
    return text if row["found"] == row["trials"] else f"{text} ({row['found']}/{row['trials']})"


def table(rows: list[dict], ways: list[str], text) -> str:
    by = {(r["program"], r["way"]): r for r in rows}
    programs = list(dict.fromkeys(r["program"] for r in rows))
    lines = ["| program | " + " | ".join(ways) + " |", "|---" * (len(ways) + 1) + "|"]
    for program in programs:
        lines.append(f"| {program} | " + " | ".join(text(by.get((program, way))) for way in ways) + " |")
    return "\n".join(lines)


def machine() -> str:
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return f"{os.cpu_count()} x {model}, {compiler}"


def families() -> dict[str, str]:
    return {path.name.removesuffix(".expect.json"): json.loads(path.read_text())["family"] for path in CORPUS.glob("*.expect.json")}


def by_family(rows: list[dict]) -> str:
    """The default beside the best of its parts, mean schedules over the programs of each family."""
    family, means = families(), {}
    for row in rows:
        means.setdefault(family[row["program"].split("(")[0]], {}).setdefault(row["way"], []).append(row["runs_mean"])
    lines = ["| family | default | best part | ratio |", "|---|---|---|---|"]
    for name, ways in sorted(means.items()):
        parts = {way: statistics.mean(ways[way]) for way in PARTS if way in ways}
        if not parts or "portfolio" not in ways:
            continue
        best, default = min(parts, key=parts.get), statistics.mean(ways["portfolio"])
        lines.append(f"| {name} | {default:.1f} | {best} {parts[best]:.1f} | {default / parts[best]:.2f} |")
    return "\n".join(lines)


def markdown(rows: list[dict], ways: list[str], tools: list[str], arguments) -> str:
    text = f"""# Scoreboard
Written by `make scoreboard{'-quick' if arguments.quick else ''}`. Programs of `tests/corpus/classic` with their argument, {arguments.seeds} seeds each,
{arguments.seconds:g} s for one trial. {machine()}.

## Schedules to the first finding
Mean ± half of the 95 % interval. In brackets: trials that found it, where not all did; their schedules until the time was over count.

{table([r for r in rows if r["program"].split("(")[0] in TUNED_ON], ways, cell)}

Programs that were not used when the default was tuned:

{table([r for r in rows if r["program"].split("(")[0] not in TUNED_ON], ways, cell)}

## The default beside the best of its parts
Mean over the programs of each family.

{by_family(rows)}

## Processor seconds to the first finding
"""
    seconds = lambda row: "" if row is None else f"{row['cpu_mean']:.2f}" + ("" if row["found"] == row["trials"] else f" ({row['found']}/{row['trials']})")
    return text + "\n" + table(rows, ["portfolio"] + tools, seconds) + "\n"


def page(rows: list[dict]) -> str:
    """One offline page: a bar for each way, on a logarithmic scale."""
    import math
    most = max((r["runs_mean"] for r in rows), default=1)
    out = ["<!doctype html><meta charset=utf-8><title>Scoreboard</title><style>body{font:14px sans-serif;margin:2em}",
           "div.bar{background:#4a7;height:12px;display:inline-block}div.miss{background:#c55}td{padding:0 .6em}</style><h1>Scoreboard</h1>",
           "<p>Schedules (or runs) to the first finding, logarithmic. Red: not found in every trial.</p><table>"]
    for r in rows:
        width = int(400 * math.log(1 + r["runs_mean"]) / math.log(1 + most)) + 1
        miss = "" if r["found"] == r["trials"] else " miss"
        out.append(f"<tr><td>{html.escape(r['program'])}<td>{html.escape(r['way'])}<td><div class='bar{miss}' style='width:{width}px'></div> "
                   f"{r['runs_mean']:.1f} ({r['found']}/{r['trials']})")
    return "\n".join(out) + "</table>\n"


def write(rows: list[dict], arguments, ways, tools) -> None:
    out = pathlib.Path(arguments.output)
    out.mkdir(parents=True, exist_ok=True)
    (out / "scoreboard.json").write_text(json.dumps({"machine": machine(), "seeds": arguments.seeds, "seconds": arguments.seconds, "rows": rows}, indent=1))
    with open(out / "scoreboard.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (out / "scoreboard.md").write_text(markdown(rows, ways, tools, arguments))
    (out / "scoreboard.html").write_text(page(rows))


def chosen_programs(arguments) -> list[tuple[str, list[str]]]:
    if arguments.quick:
        programs = [(name, [value] if value else []) for name, value in QUICK_PROGRAMS]
    else:
        programs = []
        for path in sorted(CORPUS.glob("*.expect.json")):
            name = path.name.removesuffix(".expect.json")
            programs += [(name, list(values)) for values in json.loads(path.read_text())["arguments"]]
    return [(name, values) for name, values in programs if not arguments.only or arguments.only in name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ravel", default=str(ROOT / "build" / "bin" / "ravel"))
    parser.add_argument("--quick", action="store_true", help="fewer programs, strategies and seeds")
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0, help="of one trial")
    parser.add_argument("--strategies", default="")
    parser.add_argument("--only", default="", help="programs whose name has this in it")
    parser.add_argument("--without-others", action="store_true", help="no stress loop, TSan, Helgrind, DRD, rr")
    parser.add_argument("--output", default="scoreboard-out")
    arguments = parser.parse_args()
    arguments.seeds = arguments.seeds or (5 if arguments.quick else 20)
    arguments.seconds = arguments.seconds or (3 if arguments.quick else 10)
    ways = arguments.strategies.split(",") if arguments.strategies else (STRATEGIES[:6] if arguments.quick else STRATEGIES)
    programs = chosen_programs(arguments)
    if not programs:
        print(f"scoreboard: no program has `{arguments.only}' in its name", file=sys.stderr)
        return 2
    rows = []
    with tempfile.TemporaryDirectory(prefix="scoreboard-") as folder:
        bench = Bench(os.path.abspath(arguments.ravel), pathlib.Path(folder), arguments.seeds, arguments.seconds)
        tools = [] if arguments.without_others else usable_tools(pathlib.Path(folder))
        for name, values in programs:
            shown = name + (f"({','.join(values)})" if values else "")
            for way in ways:
                trials = [bench.with_ravel(name, values, way, seed + 1) for seed in range(arguments.seeds)]
                rows.append(row_of(shown, way, [t for t in trials if t]))
            for tool in tools:
                count = min(arguments.seeds, 3)
                trials = [bench.instead(name, values, tool) for _ in range(count)]
                rows.append(row_of(shown, tool, [t for t in trials if t]))
            print(shown, " | ".join(f"{r['way']} {cell(r)}" for r in rows if r["program"] == shown), flush=True)
    write(rows, arguments, ways, tools)
    return 0


if __name__ == "__main__":
    sys.exit(main())
