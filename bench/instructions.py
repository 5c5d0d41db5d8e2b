#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Instructions per operation and per execution, counted by callgrind: figures that a busy machine does not change.

Usage: instructions.py BUILD [--quick]. BUILD is the build directory. Each program runs with n and with 2n operations (or
executions) under valgrind; the difference divided by n is what one of them costs, in the process that runs the program and in
the worker that runs the engine. Valgrind has no FSGSBASE: a switch goes through arch_prctl there, about as many instructions.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

OPERATIONS = {
    "event": "plain write, recorded, no point",
    "forced": "scheduling point without a choice (atomic)",
    "choice": "scheduling point with a choice, no switch (atomic)",
    "switch": "yield with switch",
    "lock": "lock and unlock, with choices",
    "thread": "thread created, started, ended, joined",
}


def youth(process: int, tool: int) -> int:
    """Processes in the order in which they began: the tool is the first, and behind the highest number they begin with low ones again."""
    return (process - tool) % int(pathlib.Path("/proc/sys/kernel/pid_max").read_text(encoding="ascii"))


def counts(build: pathlib.Path, program: list[str], iterations: int, strategy: str) -> list[int]:
    """Instructions of the processes of one campaign, the oldest first: tool, zygote, worker, children."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        command = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={out}/out.%p",
                   str(build / "bin/ravel"), "run", "--quiet", "--allow-vacuous", "--max-steps", "1000000000", "--output",
                   str(out), "--isolation", "fork", "--iterations", str(iterations), "--strategy", strategy, "--"] + program
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tool:
            said, complaint = tool.communicate(timeout=600)
        if tool.returncode != 0:
            sys.exit(f"instructions.py: failed: {' '.join(command)}\n{said}{complaint[-2000:]}")
        found = {}
        for path in out.glob("out.*"):
            total = re.search(r"^(?:summary|totals): (\d+)", path.read_text(errors="replace"), re.MULTILINE)
            if total and path.suffix[1:].isdigit():
                found[int(path.suffix[1:])] = int(total.group(1))
        return [found[process] for process in sorted(found, key=lambda process: youth(process, tool.pid))]


def program_and_worker(found: list[int]) -> tuple[int, int]:
    """The process that ran the last execution, and the worker: the two youngest of a campaign of one execution."""
    return found[-1], found[-2]


def operation(build: pathlib.Path, what: str, n: int) -> tuple[float, float]:
    path = str(build / "bench/programs/points")
    # The program does what it measures in five rounds, and switches count for both threads.
    rounds = 5
    few = program_and_worker(counts(build, [path, what, str(n)], 1, "run-on"))
    many = program_and_worker(counts(build, [path, what, str(2 * n)], 1, "run-on"))
    each = n * rounds * (2 if what == "switch" else 1)
    # A process starts with the counts of the one it was forked from.
    worker = (many[1] - few[1]) / each
    return (many[0] - few[0]) / each, worker


def execution(build: pathlib.Path, program: str, n: int, strategy: str) -> tuple[float, float]:
    """Child and worker, per execution. The youngest child starts with the worker's count, but for its last analysis."""
    path = [str(build / "bench/programs" / program)]
    few = counts(build, path, n, strategy)
    many = counts(build, path, 2 * n, strategy)
    few_worker, many_worker = few[2], many[2]
    each = (many_worker - few_worker) / n
    return few[-1] - few_worker + each, each


def main() -> int:
    build = pathlib.Path(sys.argv[1])
    quick = "--quick" in sys.argv
    print(f"{'operation':58} {'program':>9} {'engine':>9}   instructions each")
    for what, text in list(OPERATIONS.items())[: 1 if quick else None]:
        program, worker = operation(build, what, 200 if what == "thread" else 500)
        print(f"{text:58} {program:9.0f} {worker:9.0f}", flush=True)
    for name in ("tiny",) if quick else ("tiny", "medium"):
        child, worker = execution(build, name, 4 if quick else 20, "random")
        print(f"{'execution of ' + name + ' under fork':58} {child:9.0f} {worker:9.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
