# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Shortcuts change nothing but the time: random programs of every family have the same traces, in the same order, with the same findings,
when every scheduling point and every trace goes the long way (`--no-shortcuts`), and whichever way executions are kept apart."""
import pathlib
import sys

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random_programs"))
# pylint: disable=wrong-import-position
import oracle
import run

FEW, MANY, FIRST = 40, 500, 9_000_000
EXECUTIONS = 60
# One that never takes the turn away, two that draw at each point, a search behind prefixes; each with points of another kind.
CAMPAIGNS = (("run-on", "sync"), ("random", "racy"), ("pos", "shared"), ("dpor", "shared"))
# Whatever way: what executions did, and what was found in them.
COMPARED = ("executions", "steps", "decisions", "states", "trace_digest", "distinct_traces", "sequences", "operations", "complete", "mismatches")


def facts(report: dict) -> dict:
    seen = {name: report.get(name) for name in COMPARED}
    seen["findings"] = sorted((f["kind"], str(f.get("fingerprint"))) for f in report.get("findings", []))
    return seen


def asked(context: harness.Context, binary, number: int, options: list) -> tuple:
    return context.run(binary, "--iterations", EXECUTIONS, "--keep-going", "--no-minimize", "--allow-vacuous", *options, arguments=(number,))


def compare(context: harness.Context, binary, number: int, program) -> bool:
    """Whether something was compared: programs without a second thread have no points."""
    compared = False
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
            differs = [key for key in wanted if wanted[key] != found[key]]
            context.check(not differs, f"{name}: {differs} differ from {way}: {[(wanted[key], found[key]) for key in differs]}", quick)
    return compared


def random_programs(context: harness.Context, number: int) -> None:
    judge = run.Judge(context.ravel, context.folder, context.compiler)
    compared = 0
    for begin in range(FIRST, FIRST + number, run.BATCH):
        seeds = range(begin, min(begin + run.BATCH, FIRST + number))
        programs = [run.generate.program(seed, run.ALL) for seed in seeds]
        binary = judge.build(programs, f"batch{begin}")
        compared += sum(compare(context, binary, index, program) for index, program in enumerate(programs))
        binary.unlink()
    print(f"{compared} of {number} programs have traces that were compared")
    context.check(compared >= 0.9 * number, f"only {compared} programs of {number} have traces")


def few(context: harness.Context) -> None:
    random_programs(context, FEW)


def many(context: harness.Context) -> None:
    random_programs(context, MANY)
