# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Shortcuts change nothing but the time: random programs of every family have the same traces, in the same order, with the same findings,
when every scheduling point and every trace goes the long way (`--no-shortcuts`), and whichever way executions are kept apart. Without shortcuts
repeated plain accesses are recorded, too: then the traces are longer by these and by nothing else."""
import pathlib
import sys

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random_programs"))
# pylint: disable=wrong-import-position
import oracle
import run

FEW, MANY, FIRST = 40, 500, 9_000_000
FEW_HEAPS, MANY_HEAPS = 30, 500
EXECUTIONS = 60
# One that never takes the turn away, two that draw at each point, a search behind prefixes; each with points of another kind.
CAMPAIGNS = (("run-on", "sync"), ("run-on", "all"), ("random", "racy"), ("pos", "shared"), ("dpor", "shared"))
# Whatever way: what executions did, and what was found in them. First, what no recorded access changes.
DONE = ("executions", "decisions", "states", "sequences", "complete", "mismatches")
RECORDED = ("steps", "trace_digest", "distinct_traces", "operations")
PLAIN = ("read", "write")
ALL_RECORDED = ("shared", "all")  # modes of points in which nothing is filtered
FILTERED_AT_LEAST = 0.1  # of the programs: else nothing was tried


def facts(report: dict) -> dict:
    seen = {name: report.get(name) for name in (*DONE, *RECORDED)}
    seen["findings"] = sorted((f["kind"], str(f.get("fingerprint"))) for f in report.get("findings", []))
    return seen


def accesses(seen: dict) -> list:
    return [seen["operations"].get(kind, 0) for kind in PLAIN]


def without_accesses(seen: dict) -> dict:
    """What must be equal where one side has recorded more plain accesses than the other."""
    left = {name: seen[name] for name in (*DONE, "findings")}
    left["operations"] = {kind: count for kind, count in seen["operations"].items() if kind not in PLAIN}
    return left


def asked(context: harness.Context, binary, number: int, options: list, executions: int = EXECUTIONS) -> tuple:
    return context.run(binary, "--iterations", executions, "--keep-going", "--no-minimize", "--allow-vacuous", *options, arguments=(number,))


def compare(context: harness.Context, binary, number: int, program) -> tuple:
    """Whether something was compared: programs without a second thread have no points. And whether the quick way left out accesses."""
    compared = filtered = False
    for strategy, points in CAMPAIGNS:
        options = ["--strategy", strategy, "--points", points, *oracle.options_of(program)]
        quick, report = asked(context, binary, number, options)
        slow, other = asked(context, binary, number, [*options, "--no-shortcuts"])
        apart, third = asked(context, binary, number, [*options, "--isolation", "fork"])
        wanted = facts(report)
        compared |= bool(wanted["trace_digest"])
        name = f"seed {program.seed}, {strategy}"
        context.check(quick.code == slow.code == apart.code, f"{name}: exit codes {quick.code}, {slow.code}, {apart.code}", slow)
        for way, found in (("the long way", facts(other)), ("fork", facts(third))):
            left, right = wanted, found
            if way == "the long way" and points not in ALL_RECORDED and accesses(wanted) != accesses(found):
                context.check(all(a <= b for a, b in zip(accesses(wanted), accesses(found))), f"{name}: accesses that only the quick way has", slow)
                filtered = True
                left, right = without_accesses(wanted), without_accesses(found)
            differs = [key for key in left if left[key] != right[key]]
            context.check(not differs, f"{name}: {differs} differ from {way}: {[(left[key], right[key]) for key in differs]}", quick)
    return compared, filtered


def random_programs(context: harness.Context, number: int) -> None:
    judge = run.Judge(context.ravel, context.folder, context.compiler)
    compared = filtered = 0
    for begin in range(FIRST, FIRST + number, run.BATCH):
        seeds = range(begin, min(begin + run.BATCH, FIRST + number))
        programs = [run.generate.program(seed, run.ALL) for seed in seeds]
        binary = judge.build(programs, f"batch{begin}")
        for index, program in enumerate(programs):
            one, other = compare(context, binary, index, program)
            compared, filtered = compared + one, filtered + other
        binary.unlink()
    print(f"{compared} of {number} programs have traces that were compared, in {filtered} of them accesses were left out")
    context.check(compared >= 0.9 * number, f"only {compared} programs of {number} have traces")
    context.check(filtered >= FILTERED_AT_LEAST * number, f"in only {filtered} programs of {number} accesses were left out")


def races_of(report: dict) -> list:
    return sorted((f["kind"], str(f.get("fingerprint"))) for f in report.get("findings", []))


def heaps(context: harness.Context, number: int) -> None:
    """Shared memory that is filtered: the programs above share globals, which are not. What is left out must hide no race, so there is one execution:
    of many, another one would have it."""
    binary = context.build(context.sources / "system" / "heap_accesses.cpp")
    races = filtered = 0
    for seed in range(number):
        for strategy in ("run-on", "random"):
            options = ["--strategy", strategy, "--points", "sync"]
            _, quick = asked(context, binary, seed, options, 1)
            done, slow = asked(context, binary, seed, [*options, "--no-shortcuts"], 1)
            there = f"heap {seed}, {strategy}"
            context.check(races_of(quick) == races_of(slow), f"{there}: {len(races_of(quick))} findings, {len(races_of(slow))} the long way", done)
            context.check(quick.get("decisions") == slow.get("decisions"), f"{there}: other decisions the long way", done)
            races += len(races_of(quick))
            filtered += accesses(facts(quick)) != accesses(facts(slow))
    print(f"{races} findings of {number} programs, in {filtered} executions accesses were left out")
    context.check(races >= number / 2 and filtered >= number / 4, f"{races} findings, accesses left out in {filtered} executions of {number} programs")


def few(context: harness.Context) -> None:
    heaps(context, FEW_HEAPS)
    random_programs(context, FEW)


def many(context: harness.Context) -> None:
    heaps(context, MANY_HEAPS)
    random_programs(context, MANY)
