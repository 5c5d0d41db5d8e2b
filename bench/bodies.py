#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What an execution of a small program costs, of one tree or of two in turn: the tables of "Bodies, threads, searches" in docs/performance.md.

bodies.py BUILD [BEFORE] [--quick]. BUILD and BEFORE are build directories, or copies of bin, lib, include and share of one. Processor time of all processes of a
campaign, the difference of a long and a short one, the smallest of several; two trees run in turn, so that what disturbs one disturbs the other. Exit code 1: the two have
not run the same executions (trace digests differ).
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
# Program and words, strategy, isolation, executions.
ROWS = {
    "tiny, repeat": (("tiny",), "random", "repeat", 100_000),
    "tiny, rollback": (("tiny",), "random", "rollback", 100_000),
    "medium, repeat": (("medium",), "random", "repeat", 10_000),
    "medium, rollback": (("medium",), "random", "rollback", 10_000),
    "rmw, rollback": (("bodies", "rmw", "2", "1000"), "random", "rollback", 4_000),
    "locks, rollback": (("bodies", "locks", "8", "10"), "random", "rollback", 12_000),
    "8 threads that do nothing, rollback": (("bodies", "nothing", "8", "1"), "random", "rollback", 20_000),
    "readers 12, dpor": (("bodies", "readers", "13", "1"), "dpor", "auto", 4_096),
    "readers 14, dpor": (("bodies", "readers", "15", "1"), "dpor", "auto", 16_384),
}
ROUNDS = 5


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Tree:
    """One build: its tool, and the programs as its tool compiles them."""

    def __init__(self, build: pathlib.Path, folder: pathlib.Path):
        self.tool, self.folder = build.resolve() / "bin" / "ravel", folder
        folder.mkdir()
        for name in sorted({row[0][0] for row in ROWS.values()}):
            command = [self.tool, "c++", "--compiler", "g++", "-std=c++20", "-O1", PROGRAMS / f"{name}.cpp", "-o", folder / name]
            subprocess.run(command, check=True)

    def campaign(self, row: tuple, executions: int) -> tuple[float, dict]:
        words, strategy, isolation, _ = row
        report = self.folder / "report.json"
        command = [self.tool, "run", "--saved", "ignore", "--quiet", "--allow-vacuous", "--keep-going", "--json", report, "--strategy", strategy, "--isolation", isolation,
                   "--iterations", executions, "--", self.folder / words[0], *words[1:]]
        before = processor_seconds()
        subprocess.run([str(word) for word in command], check=False, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        used = processor_seconds() - before
        done = json.loads(report.read_text(encoding="utf-8"))
        if done["executions"] != executions:
            sys.exit(f"bodies.py: {done['executions']} executions of {words}, {executions} were asked for")
        return used, done


def measure(trees: list, row: tuple, rounds: int, shrink: int) -> tuple[list, bool]:
    """Microseconds an execution, per tree, and whether they ran the same executions."""
    many = max(row[3] // shrink, 20)
    best: list = [{} for _ in trees]
    digests = set()
    for _ in range(rounds):
        for tree, smallest in zip(trees, best):
            for executions in (many, many // 10):
                used, done = tree.campaign(row, executions)
                smallest[executions] = min(used, smallest.get(executions, used))
                if executions == many:
                    digests.add(done["trace_digest"])
    return [1e6 * (of[many] - of[many // 10]) / (many - many // 10) for of in best], len(digests) == 1


def main() -> int:
    builds = [pathlib.Path(word) for word in sys.argv[1:] if not word.startswith("--")]
    quick = "--quick" in sys.argv
    same = True
    with tempfile.TemporaryDirectory() as name:
        trees = [Tree(build, pathlib.Path(name) / f"tree{at}") for at, build in enumerate(builds)]
        for what, row in ROWS.items():
            costs, equal = measure(trees, row, 1 if quick else ROUNDS, 200 if quick else 1)
            same = same and equal
            before = f"   before {costs[1]:8.2f} us, ratio {costs[0] / costs[1]:.2f}" if len(costs) == 2 else ""
            print(f"{what:36} {costs[0]:8.2f} us{before}   load {os.getloadavg()[0]:.0f}{'' if equal else '   executions differ'}", flush=True)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
