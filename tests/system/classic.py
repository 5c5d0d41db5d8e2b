# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Programs that the literature measures by: the plain command finds each within few schedules, however many threads there are, and covers
the repaired twin where that is small."""
import json
import pathlib

import harness

# Schedules within which the defect must be found, with the seed that is the default. Rare ones are in `everything'.
FEW = 100
DAILY = ("reorder", "twostage", "account", "work_stealing", "lru_cache", "bounded_buffer", "port_delete", "dump_restart",
         "unmapped_segment")
RARE = {"safe_stack"}  # see safe_stack()
EXECUTIONS = 20_000


def expected(context: harness.Context, folder: str = "classic"):
    for path in sorted((context.sources / "corpus" / folder).glob("*.expect.json")):
        name = path.name.removesuffix(".expect.json")
        if context.only in name:
            yield name, path.with_name(f"{name}.cpp"), json.loads(path.read_text(encoding="utf-8"))


def check_found(context: harness.Context, name: str, source: pathlib.Path, wanted: dict) -> None:
    program = context.build(source, name=name)
    if program is None:
        return
    for arguments in wanted["arguments"]:
        report = context.folder / "classic.json"
        done = context.tool("run", "--json", report, "--no-minimize", "--iterations", EXECUTIONS, "--", program, *arguments)
        facts = harness.read_json(report)
        kinds = {finding["kind"] for finding in facts.get("findings", [])}
        what = f"{name} {' '.join(arguments)}"
        # Some defects show themselves in more than one way.
        known = {wanted["kind"], *wanted.get("also", [])}
        context.check(done.code == harness.DEFECT and not kinds.isdisjoint(known), f"{what}: exit code {done.code}, {kinds}", done)
        context.check(facts.get("executions", EXECUTIONS) <= FEW, f"{what}: {facts.get('executions')} schedules", done)


def check_twin(context: harness.Context, name: str, source: pathlib.Path, wanted: dict) -> None:
    program = context.build(source, name=f"{name}-fixed", defines=("FIXED",))
    if program is None:
        return
    done, report = context.run(program, "--iterations", EXECUTIONS)
    context.check(done.code == harness.CLEAN and not report.get("findings"), f"{name} (fixed): exit code {done.code}", done)
    alone, covered = context.run(program, "--strategy", "dpor", "--iterations", 1_001)
    if alone.code == harness.CLEAN and covered.get("complete"):
        context.check(report.get("complete") and report.get("behaviours") == covered.get("executions"),
                      f"{name} (fixed): {report.get('behaviours')} behaviours, dpor alone {covered.get('executions')}", done)


def twins(context: harness.Context) -> None:
    """Of programs that others measure by: small twins are covered by the plain command, with the number that dpor has alone."""
    for folder in ("values", "noise"):
        for name, source, wanted in expected(context, folder):
            check_twin(context, name, source, wanted)


def daily(context: harness.Context) -> None:
    for name, source, wanted in expected(context):
        if name in DAILY:
            check_found(context, name, source, wanted)
            check_twin(context, name, source, wanted)


def everything(context: harness.Context) -> None:
    for name, source, wanted in expected(context):
        if name not in RARE:
            check_found(context, name, source, wanted)
        check_twin(context, name, source, wanted)


def unmapped(context: harness.Context) -> None:
    """Unmapping conflicts with no access that is seen: found because some executions have all shared accesses as points, and only so."""
    program = context.build(context.sources / "corpus" / "classic" / "unmapped_segment.cpp", name="unmapped")
    if program is None:
        return
    for seed in (1, 2, 3):
        options = ("--seed", seed, "--saved", "ignore", "--no-minimize", "--iterations")
        done, report = context.run(program, *options, FEW)
        context.check(done.code == harness.DEFECT, f"seed {seed}: exit code {done.code}", done)
        done, report = context.run(program, "--strategy", "portfolio,without=shared", *options, 1_000)
        context.check(done.code == harness.CLEAN and report.get("executions") == 1_000, f"seed {seed}, without shared points: exit code {done.code}", done)


def safe_stack(context: harness.Context) -> None:
    """Three threads and seven preemptions: 27 752 schedules of partial order sampling with this seed."""
    program = context.build(context.sources / "corpus" / "classic" / "safe_stack.cpp", name="safe_stack")
    if program is None:
        return
    done, report = context.run(program, "--strategy", "pos", "--seed", 4, "--iterations", 100_000, "--no-minimize")
    kinds = {finding["kind"] for finding in report.get("findings", [])}
    context.check(done.code == harness.DEFECT and kinds == {"assertion"}, f"exit code {done.code}, {kinds}", done)


def many_threads(context: harness.Context) -> None:
    """Schedules to the defect, mean over seeds: at most five times as many with a hundred threads as with five."""
    seeds, counts = (20, (5, 10, 20, 50, 100)) if context.all else (6, (5, 100))
    for name in ("reorder", "twostage", "account"):
        program = context.build(context.sources / "corpus" / "classic" / f"{name}.cpp", name=name)
        if program is None:
            continue
        means = {}
        for threads in counts:
            needed = []
            for seed in range(1, seeds + 1):
                done = context.tool("run", "--json", context.folder / "many.json", "--no-minimize", "--saved", "ignore", "--seed", seed, "--iterations", EXECUTIONS,
                                    "--", program, threads)
                facts = harness.read_json(context.folder / "many.json")
                context.check(done.code == harness.DEFECT, f"{name} {threads}, seed {seed}: exit code {done.code}", done)
                needed.append(facts.get("executions", EXECUTIONS))
            means[threads] = sum(needed) / len(needed)
        context.check(max(means.values()) <= 5 * means[5], f"{name}: {means}")
        print(f"{name}: " + ", ".join(f"{threads} threads {mean:.1f}" for threads, mean in means.items()), flush=True)
