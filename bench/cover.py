#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Coverage: processor time of a campaign with metrics on, against one without, in the same run; and the difference of two large files.

cover.py BUILD [--quick]. Goals: the default set at most 2.0 times, `hbpair*,sync` at most 1.2 times, a second campaign without
metrics 1.0 (how far the machine disturbs); `coverage diff` of two files with a million tasks within 5 s of processor time. Campaigns take turns, so that what else the
machine does disturbs all of them alike; each figure is the least of its rounds.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

SETS = (("off", ()), ("off again", ()), ("hbpair*,sync", ("--coverage", "hbpair*,sync")), ("default", ("--coverage", "default")))
GOALS = {"off again": 1.05, "hbpair*,sync": 1.2, "default": 2.0}
TASKS = 1_000_000


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def campaign(tool, folder, program, options, executions: int) -> float:
    before = processor_seconds()
    subprocess.run([str(word) for word in (tool, "run", "--saved", "ignore", "--quiet", "--strategy", "pos", "--iterations", executions, *options, "--", program)],
                   check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    return processor_seconds() - before


def ratios(tool, folder, program, executions: int, rounds: int) -> dict:
    """Without the start of program and tool: the difference of a long and a short campaign."""
    least = {}
    for _ in range(rounds):
        for name, options in SETS:
            for count in (executions, executions // 10):
                key = name, count
                least[key] = min(least.get(key, 1e9), campaign(tool, folder, program, options, count))
    cost = {name: max(least[name, executions] - least[name, executions // 10], 1e-9) for name, _ in SETS}
    return {name: cost[name] / cost["off"] for name in cost}


def write_large(path: pathlib.Path, first: int, tasks: int) -> None:
    names = 2_000
    with open(path, "w", encoding="utf-8") as out:
        out.write("ravel-coverage 2\nprogram p\nbuild b\nstrategy pos independent\npoints shared\nidentity i\ncomplete no\nmetrics hbpair\nfunction f 1\n")
        for i in range(names):
            out.write(f"name file.cpp:{i} f+{i}:1.1 f\n")
        for i in range(first, first + tasks):
            out.write(f"task hbpair {i % names} {i // names % names} {i // names // names}\n")
        out.write(f"set 0-{tasks - 1}\nruns 0x10\nend\n")


def difference(tool, folder, tasks: int) -> float:
    files = [folder / "before.cov", folder / "after.cov"]
    for number, path in enumerate(files):
        write_large(path, number * tasks // 100, tasks)
    before = processor_seconds()
    done = subprocess.run([tool, "coverage", "diff", *files], check=False, capture_output=True, text=True)
    if f"+{tasks // 100} -{tasks // 100}" not in done.stdout:
        sys.exit(f"wrong difference: {done.stdout[:300]}{done.stderr}")
    return processor_seconds() - before


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    tool = arguments.build.resolve() / "bin" / "ravel"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program in ("tiny", "medium"):
            executions, rounds = (200, 1) if arguments.quick else (20_000, 5)
            for which, ratio in ratios(tool, folder, arguments.build.resolve() / "bench" / "programs" / program, executions, rounds).items():
                print(f"{program:8} {which:14} {ratio:5.2f} times{f' (goal {GOALS[which]})' if which in GOALS else ''}", flush=True)
        tasks = TASKS // 100 if arguments.quick else TASKS
        print(f"diff of two files with {tasks} tasks: {difference(tool, folder, tasks):.2f} s (goal 5)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
