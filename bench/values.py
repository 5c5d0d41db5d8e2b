#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Value schedules: what one costs, against a trace of `dpor` on the same program.

values.py BUILD [--quick]. Goal: at most three times a trace, with all runs that were abandoned or repeated on the way. By processor time of all
processes of the campaign; the start of the program is taken out by a shorter run.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import guided

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Source below tests/corpus, arguments.
PROGRAMS = [("classic/dining.cpp", ("4",)), ("values/account_deadlock.cpp", ("3",)), ("values/linked_list.cpp", ("2", "2")), ("classic/bounded_buffer.cpp", ("2",)),
            ("values/account_race.cpp", ("3",))]
GOAL = 3.0


def cost(tool, folder, program, words, runs: int, *strategy) -> tuple:
    """Microseconds a schedule that counts, from the best of three; and how many runs one of them took."""
    many, few = ([guided.campaign(tool, folder, program, words, count, *strategy) for _ in range(3)] for count in (runs, max(runs // 10, 1)))
    used = min(run["processor"] for run in many) - min(run["processor"] for run in few)
    done = many[0]["executions"] - few[0]["executions"]
    all_runs = many[0]["executions"] + many[0]["abandoned"] + many[0]["blocked"]
    return 1e6 * max(used, 1e-9) / max(done, 1), all_runs / max(many[0]["executions"], 1)


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
            program = folder / pathlib.Path(source).stem
            subprocess.run([tool, "c++", "-std=c++20", "-O1", "-g", f"-I{ROOT / 'include'}", ROOT / "tests" / "corpus" / source, "-o", program], check=True, cwd=folder)
            subprocess.run([tool, "analyze", program], check=True, cwd=folder, stdout=subprocess.DEVNULL)
            points = ("--points", "shared")
            trace, _ = cost(tool, folder, program, words, runs, "--strategy", "dpor", *points)
            for strategy in ("values", "values,order=dfs"):
                schedule, taken = cost(tool, folder, program, words, runs, "--strategy", strategy, *points)
                print(f"{program.name:18} {strategy:17} {schedule:7.1f} us a value schedule ({taken:.2f} runs each), a trace of dpor {trace:7.1f} us, ratio {schedule / trace:5.2f}", flush=True)
    print(f"goal: ratio at most {GOAL:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
