#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Reduced search: traces a second on programs whose number of traces is known, against `random` in the same run.

explore.py BUILD [--quick]. Goals (on a quiet core): a trace of dpor costs at most three executions of random; in repeat 40 000 traces
a second; in rollback at least half the rate of random. `repeat` is for executions with the choices of an earlier one: a search that makes
none twice is rolled back all the same, so what was really used is printed. Two figures each: processor time of all processes of the
campaign, which others on the machine disturb less, and time of the clock, in brackets.

Long traces: processor time per operation of a trace, by length. Goal: at 8 000 operations at most twice that at 80.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

PROGRAMS = [(("fib", "5"), 8953), (("lastzero", "10"), 3328)]
QUICK = [(("fib", "2"), 19), (("lastzero", "3"), 12)]
LENGTHS = [40, 400, 4000]  # operations of each of two threads
LONG_TRACES = 40
POINTS = ("--points", "shared", "--points-exclude", "lifecycle")


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def campaign(tool, folder, program, words, strategy: str, mode: str, executions: int) -> dict:
    report = folder / "report.json"
    command = [tool, "run", "--saved", "ignore", "--quiet", "--json", report, "--isolation", mode, "--strategy", strategy, *POINTS, "--iterations",
               executions, "--", program, *words]
    before = processor_seconds()
    subprocess.run([str(word) for word in command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    done = json.loads(report.read_text(encoding="utf-8"))
    done["processor"] = processor_seconds() - before
    return done


def cost(tool, folder, program, words, strategy: str, mode: str, executions: int) -> tuple:
    """Microseconds of the processor and of the clock an execution, without the start of the program, from the best of five."""
    clocks = ("processor", "seconds")
    runs = {count: [campaign(tool, folder, program, words, strategy, mode, count) for _ in range(5)]
            for count in (executions, max(executions // 10, 1))}
    many, few = ({clock: min(run[clock] for run in of) for clock in (*clocks, "executions")} for of in runs.values())
    done = max(many["executions"] - few["executions"], 1)
    return tuple(1e6 * max(many[clock] - few[clock], 1e-9) / done for clock in clocks)


def growth(tool, folder, source) -> dict:
    """Microseconds a trace by its operations, for each kind of trace."""
    program = folder / "long_traces"
    subprocess.run([tool, "c++", "-std=c++20", "-O1", source, "-o", program], check=True)
    curves = {}
    for kind in ("locks", "shared", "own"):
        curves[kind] = []
        for length in LENGTHS:
            words = (kind, str(length // (2 if kind == "locks" else 1)))
            curves[kind].append((2 * length, cost(tool, folder, program, words, "dpor", "auto", LONG_TRACES * 4000 // max(length, 400))[0]))
        per = [1000 * value / operations for operations, value in curves[kind]]
        figures = ", ".join(f"{value:6.0f} ns at {operations}" for value, (operations, _) in zip(per, curves[kind]))
        print(f"{kind:7} {figures} operations; growth {per[-1] / per[0]:.2f}", flush=True)
    return curves


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    tool = arguments.build.resolve() / "bin" / "ravel"
    source = pathlib.Path(__file__).resolve().parent.parent / "tests" / "exhaustive" / "counted.cpp"
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "counted"
        subprocess.run([tool, "c++", "-std=c++20", "-O1", source, "-o", program], check=True)
        for words, traces in QUICK if arguments.quick else PROGRAMS:
            whole = campaign(tool, folder, program, words, "dpor", "auto", 10 * traces)
            good = good and whole["executions"] == traces and whole["complete"]
            for mode in ("repeat", "rollback"):
                used = campaign(tool, folder, program, words, "dpor", mode, traces)["isolation"]
                reduced, of_clock = cost(tool, folder, program, words, "dpor", mode, traces)
                random, random_of_clock = cost(tool, folder, program, words, "random", mode, traces)
                print(f"{' '.join(words):12} {mode:9} dpor {reduced:7.1f} ({of_clock:.1f}) us a trace ({1e6 / reduced:8.0f}/s), "
                      f"random {random:7.1f} ({random_of_clock:.1f}) us, ratio {reduced / random:4.1f} (dpor: {used})")
        if not arguments.quick:
            growth(tool, folder, pathlib.Path(__file__).resolve().parent / "programs" / "long_traces.cpp")
    print("goals: ratio at most 3 in repeat, 2 in rollback; 40 000 traces a second in repeat")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
