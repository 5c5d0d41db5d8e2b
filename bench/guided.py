#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Guided search and static facts, by processor time of all processes, which others on the machine disturb less.

guided.py BUILD [--quick]
* executions a second of `meta` against `random` on the same program; the start of the program is taken out by a shorter run. Goal: a third.
  What ranking alone costs: bench/ranking.cc.
* the analysis against clang's compilation to bitcode. Goal: no more. And from 10 to 80 copies of a program in one module. Goal: 16 times.
* instructions of a scheduling point with facts mapped and a strategy that does not use them, by callgrind. Goal: no more than without.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Program, arguments, threads beside main, marks of the sequence.
PROGRAMS = [("two_stage", ("10", "1"), 11, ("first stage done", "second stage read")), ("reorder", ("10", "1"), 11, ("a set", "b read")),
            ("wrong_lock", ("1", "20"), 21, ("update", "other update", "checked")), ("ary_list", ("10",), 11, ("iterator made", "added", "next")),
            # Small, and a deadlock in every execution that passes the sequence.
            ("two_stage", ("1", "1"), 2, ("first stage done", "second stage read")), ("opposite_order", ("8",), 10, ("l0", "l9", "l1", "l18"))]
GOAL = 1 / 3


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def places(name: str, marks: tuple) -> str:
    lines = (ROOT / "tests" / "corpus" / "guided" / f"{name}.cpp").read_text(encoding="utf-8").splitlines()
    found = {line.rsplit("// here: ", 1)[1]: number for number, line in enumerate(lines, 1) if "// here: " in line}
    return ",".join(f"{name}.cpp:{found[mark]}" for mark in marks)


def forget_pairs(folder: pathlib.Path) -> None:
    """What earlier runs have learned must not help the next one."""
    for file in folder.glob(".ravel/*.pairs"):
        file.unlink()


def campaign(tool, folder, program, words, executions: int, *strategy) -> dict:
    forget_pairs(folder)
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


COPY = """namespace c%d {
std::mutex lock;
int total, extra;
struct Account { std::mutex own; int balance = 0; void add(int n) { std::lock_guard<std::mutex> held(own); balance += n; } };
Account accounts[2];
void work(int n) { { std::lock_guard<std::mutex> held(lock); total += n; } if (total > 6) extra = total; accounts[n %% 2].add(n); }
void run() { std::thread one([] { work(1); }); std::thread two([] { work(2); }); one.join(); two.join(); }
}
"""


def analysed(tool, folder, program) -> float:
    before = processor_seconds()
    subprocess.run([tool, "analyze", program], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    return processor_seconds() - before


def analysis(tool, folder, counts: tuple) -> None:
    """The first time with clang, then from kept bitcode."""
    alone = []
    for count in counts:
        source, program = folder / f"copies{count}.cpp", folder / f"copies{count}"
        source.write_text("#include <mutex>\n#include <thread>\n" + "".join(COPY % number for number in range(count))
                          + "int main() {\n" + "".join(f"c{number}::run();\n" for number in range(count)) + "}\n", encoding="utf-8")
        subprocess.run([tool, "c++", "-std=c++20", "-O1", "-g", source, "-o", program], check=True, cwd=folder)
        both = analysed(tool, folder, program)
        alone.append(min(analysed(tool, folder, program) for _ in range(2)))
        print(f"{count:3} copies: clang {both - alone[-1]:6.2f} s, analysis {alone[-1]:6.2f} s, ratio {alone[-1] / max(both - alone[-1], 1e-9):4.2f}")
    print(f"from {counts[0]} to {counts[-1]} copies: {alone[-1] / alone[0]:.1f} times (goal: 16)")


def instructions(tool, folder, facts: pathlib.Path | None, program, what: str, count: int) -> int:
    """Of the process that runs the only execution: the youngest."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        out = pathlib.Path(scratch)
        command = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={out}/out.%p", tool, "run", "--quiet", "--saved", "ignore",
                   "--allow-vacuous", "--points", "sync", "--strategy", "run-on", "--iterations", 1, "--max-steps", 1_000_000, "--output", out, "--facts",
                   facts if facts is not None else "none", "--", program, what, count]
        with subprocess.Popen([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as done:
            said, _ = done.communicate()
        if done.returncode != 0:
            sys.exit(f"guided.py: failed: {done.args}\n{said[-2000:]}")
        found = {}
        for path in out.glob("out.*"):
            total = re.search(r"^(?:summary|totals): (\d+)", path.read_text(errors="replace"), re.MULTILINE)
            if total and path.suffix[1:].isdigit():
                found[int(path.suffix[1:])] = int(total.group(1))
        numbers = int(pathlib.Path("/proc/sys/kernel/pid_max").read_text(encoding="ascii"))  # of processes: they begin again
        return found[max(found, key=lambda number: (number - done.pid) % numbers)]


def points(tool, folder, count: int) -> None:
    program = folder / "points"
    subprocess.run([tool, "c++", "-std=c++20", "-O1", "-g", ROOT / "bench" / "programs" / "points.cpp", "-o", program], check=True, cwd=folder)
    subprocess.run([tool, "analyze", program], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    for what in ("choice", "switch", "lock"):
        each = {}
        for facts in (None, folder / ".ravel" / "points.facts"):
            few, many = (instructions(tool, folder, facts, program, what, number) for number in (count, 2 * count))
            each[facts is not None] = (many - few) / (5 * count)  # rounds
        print(f"{what}: {each[False]:.1f} instructions without facts, {each[True]:.1f} with facts that nobody uses ({100 * (each[True] / each[False] - 1):+.2f} %)")


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
            print(f"{' '.join((source, *words)):18} random {random:7.1f} us an execution, meta {meta:7.1f} us, ratio {random / meta:4.2f} ({states:.0f} states an execution of {threads + 1} threads)")
        print(f"goal: ratio at least {GOAL:.2f}")
        analysis(tool, folder, (10, 20) if arguments.quick else (10, 20, 40, 80))
        points(tool, folder, 100 if arguments.quick else 500)
    return 0


if __name__ == "__main__":
    sys.exit(main())
