#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Builds and judges random programs: run.py --ravel TOOL --folder SCRATCH --first SEED --number N [--families a,b] [--compiler g++].

Prints each mismatch with the shrunk program and what each search says of it, then a table by family. Ends with 1 on a mismatch.
"""
from __future__ import annotations

import argparse
import collections
import pathlib
import subprocess
import sys
import time

import generate
import model
import oracle
import shrink

BATCH = 100  # programs in one binary
SLOW = 30  # seconds; longer ones are named

ALL = sorted(generate.FAMILIES)


class Judge:
    """Builds programs with the tool's compiler wrapper and asks the searches."""

    def __init__(self, ravel: pathlib.Path, folder: pathlib.Path, compiler: str, strategies=oracle.STRATEGIES):
        self.ravel, self.folder, self.compiler, self.strategies = ravel, folder, compiler, strategies
        folder.mkdir(parents=True, exist_ok=True)

    def build(self, programs: list[model.Program], name: str) -> pathlib.Path:
        source, binary = self.folder / f"{name}.cpp", self.folder / name
        source.write_text(model.source_of(programs), encoding="utf-8")
        words = [self.ravel, "c++", "--compiler", self.compiler, "-std=c++20", "-O1", "-w", source, "-o", binary]
        done = subprocess.run([str(word) for word in words], capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"build of {source}: {done.stderr.decode(errors='replace')[:3000]}")
        return binary

    def judge(self, binary: pathlib.Path, index: int, program: model.Program) -> oracle.Judgement:
        return oracle.judge(self.ravel, binary, index, program, self.folder / "asked", self.strategies)

    def shrunk(self, judgement: oracle.Judgement) -> oracle.Judgement:
        """The smallest program with a mismatch that was found."""
        best = [judgement]

        def first_wrong(programs: list[model.Program]) -> model.Program | None:
            binary = self.build(programs, f"smaller{judgement.program.seed}")
            for index, program in enumerate(programs):
                found = self.judge(binary, index, program)
                if found.mismatches:
                    best[0] = found
                    return program
            return None

        shrink.shrink(judgement.program, first_wrong)
        return best[0]


def report(judgement: oracle.Judgement, shrunk: oracle.Judgement) -> str:
    program = shrunk.program
    options = " ".join(oracle.options_of(program))
    return (f"MISMATCH: seed {program.seed}, families {', '.join(judgement.program.chosen)} {options}\n{oracle.explained(shrunk)}\n"
            + model.namespace_of(program, "p0"))


def keep(folder: pathlib.Path, judgement: oracle.Judgement) -> None:
    """A file for each mismatch, to be compiled by itself."""
    folder.mkdir(parents=True, exist_ok=True)
    program = judgement.program
    name = f"{'-'.join(program.families()) or 'nothing'}-{program.seed}.cpp"
    options = " ".join(["--points shared --allow-vacuous", *oracle.options_of(program)])
    head = f"// ravel outcomes {options} --strategy dpor -- ./program 0\n//\n" + "\n".join(f"// {line}" for line in oracle.explained(judgement).splitlines())
    (folder / name).write_text(f"{head}\n{model.source_of([program])}", encoding="utf-8")


def campaign(judge: Judge, seeds: range, enabled: list[str], shrinking: bool = True, show=print, kept: pathlib.Path | None = None):
    """Yields a judgement for each seed, after printing what is wrong with it."""
    for begin in range(seeds.start, seeds.stop, BATCH):
        programs = [generate.program(seed, enabled) for seed in range(begin, min(begin + BATCH, seeds.stop))]
        binary = judge.build(programs, f"batch{begin}")
        for index, program in enumerate(programs):
            start = time.monotonic()
            judgement = judge.judge(binary, index, program)
            if time.monotonic() - start > SLOW:
                show(f"seed {program.seed} ({', '.join(program.families())}): {time.monotonic() - start:.0f} s")
            if judgement.mismatches:
                shrunk = judge.shrunk(judgement) if shrinking else judgement
                show(report(judgement, shrunk))
                if kept is not None:
                    keep(kept, shrunk)
            yield judgement
        binary.unlink()


class Tally:
    """How many programs were judged, and what was not."""

    def __init__(self):
        self.programs = self.judged = self.wrong = self.incomplete = 0
        self.reasons: collections.Counter = collections.Counter()
        self.by_family: dict[str, list[int]] = {}

    def add(self, judgement: oracle.Judgement) -> None:
        self.programs += 1
        self.judged += judgement.judged
        self.wrong += bool(judgement.mismatches)
        reduced = [line for line in judgement.incomplete if line.startswith("dpor")]
        self.incomplete += bool(reduced)
        self.reasons.update(reduced)
        for family in judgement.program.chosen:
            row = self.by_family.setdefault(family, [0, 0, 0])
            row[0] += 1
            row[1] += bool(judgement.mismatches)
            row[2] += bool(reduced)

    def text(self) -> str:
        lines = [f"{self.programs} programs, {self.judged} with a judge, {self.wrong} with a mismatch, {self.incomplete} incomplete by dpor's own word"]
        lines += [f"  {family:16} {row[0]:5} programs {row[1]:4} mismatches {row[2]:4} incomplete" for family, row in sorted(self.by_family.items())]
        lines += [f"  {count:4} times {reason}" for reason, count in self.reasons.most_common(12)]
        return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--families", default="all")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--no-shrinking", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for programs with a mismatch")
    arguments = parser.parse_args()
    enabled = ALL if arguments.families == "all" else arguments.families.split(",")
    judge = Judge(arguments.ravel.resolve(), arguments.folder.resolve(), arguments.compiler)
    tally = Tally()
    seeds = range(arguments.first, arguments.first + arguments.number)
    for judgement in campaign(judge, seeds, enabled, not arguments.no_shrinking, lambda text: print(text, flush=True), arguments.keep):
        tally.add(judgement)
    print(tally.text())
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
