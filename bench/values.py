#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Value schedules: what one costs, against a trace of `dpor` on the same program, and how soon the first defect comes.

values.py BUILD [--quick]. Goals: at most three times a trace, with all runs that were abandoned or repeated on the way, and at most half of that planning; a run that is
dropped shorter than a whole one; the first defect within twice the time of `dpor`. By processor time of all processes of the campaign; the start of the
program is taken out by a run of one execution.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import guided

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Source below tests/corpus, arguments.
PROGRAMS = [("values/account_race.cpp", ("5",)), ("values/account_deadlock.cpp", ("5",)), ("values/linked_list.cpp", ("2", "3")), ("classic/bounded_buffer.cpp", ("2",)), ("values/daisy.cpp", ("1",))]
GOAL = 3.0
FIRST = [("values/daisy.cpp", ("1",)), ("values/account_deadlock.cpp", ("5",))]
MOST = 200_000  # executions of a search for the first defect


def cost(tool, folder, program, words, runs: int, *strategy) -> tuple:
    """Microseconds a schedule that counts, from the best of three; how many runs one of them took; the report of a run."""
    many, few = ([guided.campaign(tool, folder, program, words, count, *strategy) for _ in range(3)] for count in (runs, 1))
    used = min(run["processor"] for run in many) - min(run["processor"] for run in few)
    done = many[0]["executions"] - few[0]["executions"]
    all_runs = many[0]["executions"] + many[0]["abandoned"] + many[0]["blocked"]
    return 1e6 * max(used, 1e-9) / max(done, 1), all_runs / max(many[0]["executions"], 1), many[0]


def planning_share(run: dict) -> float:
    seconds = run["values"]["seconds"]
    return seconds["planning"] / max(seconds["planning"] + seconds["running"], 1e-9)


def lengths(run: dict) -> str:
    """Events of a run that counts, and of one that was dropped or repeated. Of one search only: what was started over is in neither."""
    done, all_of = run["executions"], run["values"]["all"]
    if run["values"]["searches"] != 1 or all_of["runs"] == done:
        return ""
    return f", events: {run['steps'] / max(done, 1):.0f} a whole run, {(all_of['events'] - run['steps']) / (all_of['runs'] - done):.0f} a dropped one"


def first_defect(tool, folder, program, words, *strategy) -> tuple:
    """Processor seconds and runs until the first defect, the best of three; None: not found."""
    runs = []
    for _ in range(3):
        report = folder / "first.json"
        command = [tool, "run", "--saved", "ignore", "--quiet", "--no-minimize", "--detect", "none", "--json", report, "--iterations", MOST, "--time", "60s", *strategy, "--", program, *words]
        guided.forget_pairs(folder)
        before = guided.processor_seconds()
        subprocess.run([str(word) for word in command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        used = guided.processor_seconds() - before
        done = json.loads(report.read_text(encoding="utf-8"))
        values = done.get("values")
        runs.append((used, values["all"]["runs"] if values else done["executions"], bool(done["findings"])))
    return min(runs)


def compile_program(tool, folder, source: str) -> pathlib.Path:
    program = folder / pathlib.Path(source).stem
    if not program.exists():
        subprocess.run([tool, "c++", "-std=c++20", "-O1", "-g", f"-I{ROOT / 'include'}", ROOT / "tests" / "corpus" / source, "-o", program], check=True, cwd=folder)
        subprocess.run([tool, "analyze", program], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    return program


def print_first_defects(tool, folder) -> None:
    for source, words in FIRST:
        program = compile_program(tool, folder, source)
        mine, other = (first_defect(tool, folder, program, words, "--strategy", strategy) for strategy in ("values", "dpor"))
        found = lambda one: f"{one[0]:.2f} s, {one[1]} runs{'' if one[2] else ', not found'}"
        print(f"{program.name:18} first defect: values {found(mine)}; dpor {found(other)}; ratio {mine[0] / max(other[0], 1e-9):.2f}{'' if other[2] else ' at most'}", flush=True)
    print("goal: ratio at most 2.0")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    tool = arguments.build.resolve() / "bin" / "ravel"
    runs = 1_000 if arguments.quick else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source, words in PROGRAMS[:2] if arguments.quick else PROGRAMS:
            program = compile_program(tool, folder, source)
            points = ("--points", "shared")
            trace, _, _ = cost(tool, folder, program, words, runs, "--strategy", "dpor", *points)
            for strategy in ("values", "values,order=dfs"):
                schedule, taken, run = cost(tool, folder, program, words, runs, "--strategy", strategy, *points)
                print(f"{program.name:18} {strategy:17} {schedule:7.1f} us a value schedule ({taken:.2f} runs each), a trace of dpor {trace:7.1f} us, ratio {schedule / trace:5.2f}, "
                      f"planning {100 * planning_share(run):.0f} %{lengths(run)}", flush=True)
        if not arguments.quick:
            print_first_defects(tool, folder)
    print(f"goal: ratio at most {GOAL:.1f}, planning at most 50 %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
