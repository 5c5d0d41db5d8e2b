#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Guided search: executions a second of `meta` against `random` on the same program.

guided.py BUILD [--quick]. Goal: at least a third of random's executions a second. What ranking alone costs: bench/ranking.cc. By processor
time of all processes of the campaign, which others on the machine disturb less; the start of the program is taken out by a shorter run.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Program, arguments, threads beside main, marks of the sequence.
PROGRAMS = [("two_stage", ("10", "1"), 11, ("first stage done", "second stage read")), ("reorder", ("10", "1"), 11, ("a set", "b read")),
            ("wrong_lock", ("1", "20"), 21, ("update", "other update", "checked")), ("ary_list", ("10",), 11, ("iterator made", "added", "next"))]
GOAL = 1 / 3


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def places(name: str, marks: tuple) -> str:
    lines = (ROOT / "tests" / "corpus" / "guided" / f"{name}.cpp").read_text(encoding="utf-8").splitlines()
    found = {line.rsplit("// here: ", 1)[1]: number for number, line in enumerate(lines, 1) if "// here: " in line}
    return ",".join(f"{name}.cpp:{found[mark]}" for mark in marks)


def campaign(tool, folder, program, words, executions: int, *strategy) -> dict:
    report = folder / "report.json"
    command = [tool, "run", "--saved", "ignore", "--quiet", "--no-minimize", "--keep-going", "--json", report, "--iterations", executions, *strategy, "--", program, *words]
    before = processor_seconds()
    subprocess.run([str(word) for word in command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    done = json.loads(report.read_text(encoding="utf-8"))
    done["processor"] = processor_seconds() - before
    return done


def cost(tool, folder, program, words, executions: int, *strategy) -> tuple:
    """Microseconds an execution, and states of one, from the best of three."""
    many, few = ([campaign(tool, folder, program, words, count, *strategy) for _ in range(3)] for count in (executions, max(executions // 10, 1)))
    used = min(run["processor"] for run in many) - min(run["processor"] for run in few)
    done = many[0]["executions"] - few[0]["executions"]
    return 1e6 * max(used, 1e-9) / max(done, 1), many[0]["states"] / many[0]["executions"]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    tool = arguments.build.resolve() / "bin" / "ravel"
    executions = 500 if arguments.quick else 5_000
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source, words, threads, marks in PROGRAMS[:1] if arguments.quick else PROGRAMS:
            program = folder / source
            subprocess.run([tool, "c++", "-std=c++20", "-O1", "-g", f"-I{ROOT / 'include'}", ROOT / "tests" / "corpus" / "guided" / f"{source}.cpp", "-o", program],
                           check=True, cwd=folder)
            subprocess.run([tool, "analyze", program], check=True, cwd=folder, stdout=subprocess.DEVNULL)
            random, _ = cost(tool, folder, program, words, executions, "--strategy", "random")
            meta, states = cost(tool, folder, program, words, executions, "--goal", places(source, marks))
            print(f"{source:10} random {random:7.1f} us an execution, meta {meta:7.1f} us, ratio {random / meta:4.2f} ({states:.0f} states an execution of {threads + 1} threads)")
    print(f"goal: ratio at least {GOAL:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
