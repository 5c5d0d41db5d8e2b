# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Unreduced enumeration of straight-line threads with n1, n2, ... operations gives exactly (n1+n2+...)! / (n1! n2! ...) schedules."""
import math

import harness

LENGTHS = [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (5, 4), (1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 2, 2), (3, 2, 2)]


def interleavings(lengths: tuple) -> int:
    return math.factorial(sum(lengths)) // math.prod(math.factorial(length) for length in lengths)


def count(context: harness.Context) -> None:
    source = context.sources / "straight_line" / "straight_line.c"
    variants = [("atomic", ["--points", "shared"], ("ATOMIC",)), ("plain", ["--points", "all"], ())]
    for lengths in LENGTHS:
        sizes = tuple(f"LENGTH{i}={length}" for i, length in enumerate(lengths))
        for variant, points, defines in variants:
            name = f"{variant}-{'-'.join(map(str, lengths))}"
            program = context.build(source, name=name, defines=(f"THREADS={len(lengths)}", *sizes, *defines))
            if program is None:
                continue
            done, report = context.run(program, "--strategy", "dfs", *points, "--points-exclude", "lifecycle",
                                       "--iterations", 100_000)
            wanted = interleavings(lengths)
            context.check(done.code == harness.CLEAN and report.get("complete") is True,
                          f"{name}: exit code {done.code}, complete: {report.get('complete')}", done)
            context.check(report.get("executions") == wanted,
                          f"{name}: {report.get('executions')} schedules, expected {wanted}", done)
            context.check(report.get("distinct_traces") == wanted,
                          f"{name}: {report.get('distinct_traces')} distinct traces, expected {wanted}", done)
