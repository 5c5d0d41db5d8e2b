# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Replay gives the same trace: again, elsewhere, with another environment, after an unrelated edit; or says that it does not fit."""
import pathlib
import re
import shutil

import harness

PASSING_PLANS = 300
REPLAYS = 3
NAMED_PLANS = 5  # of them also as plan files, each in a process of its own, compared by names


def first_plan(context: harness.Context, program: pathlib.Path) -> pathlib.Path | None:
    done, report = context.run(program)
    findings = report.get("findings", [])
    if not context.check(done.code == harness.DEFECT and bool(findings), f"{program.name}: nothing to replay", done):
        return None
    defects = [finding for finding in findings if finding["kind"] != "data-race"] or findings
    return program.parent / defects[0]["plan"]


def facts(report: dict) -> tuple:
    return report.get("outcome"), report.get("hash"), report.get("mismatches")


def same(context: harness.Context, what: str, wanted: tuple, result: tuple) -> None:
    done, report = result
    context.check(facts(report) == wanted and None not in wanted, f"{what}: {facts(report)} instead of {wanted}", done)


def plan_text(program: pathlib.Path, build_id: str, seed: int, trace_hash: str, events: int) -> str:
    """A plan without a schedule: the policy decides everything from its seed (docs/plan-format.md)."""
    return "\n".join([
        "ravel-plan 1", f'program "{program}"', f'cwd "{program.parent}"', f'build-id "{build_id}"',
        'strategy "random" version 1', f"seed {seed}", f"policy random,seed={seed}", "points sync version 0", "timeouts fair",
        "max-steps 1000000", "outcome completed", f"hash 0x{trace_hash}", f"events {events}", "thread 0 main",
        "schedule 0", "end", ""])


def passing(context: harness.Context) -> None:
    """Random schedules of programs without a defect give the same traces in the same order, wherever and whenever they are run."""
    other = context.folder / "another folder"
    other.mkdir(exist_ok=True)
    places = [{}, {"cwd": other, "env": harness.environment(RAVEL_TEST_PADDING="x" * 70_000)}, {"env": {"PATH": "/usr/bin:/bin"}}]
    for source in harness.sources_in(context.sources / "corpus" / "core"):
        program = context.only in source.name and context.build(source, defines=("FIXED",))
        if not program:
            continue
        seen = set()
        for place in places[:REPLAYS]:
            done, report = context.run(program, "--strategy", "random", "--points", "sync", "--iterations", PASSING_PLANS, **place)
            context.check(done.code == harness.CLEAN and report.get("executions") == PASSING_PLANS,
                          f"{source.stem}: {PASSING_PLANS} random schedules ended with {done.code}", done)
            seen.add((report.get("trace_digest"), report.get("distinct_traces")))
        context.check(len(seen) == 1 and None not in next(iter(seen)), f"{source.stem}: traces differ between processes: {seen}")
        named_plans(context, program, report.get("build_id", ""), source.stem)


def named_plans(context: harness.Context, program: pathlib.Path, build_id: str, name: str) -> None:
    """Plan files of passing schedules: the first run gives the canonical hash, two more in another process must meet it."""
    plan = context.folder / "passing.plan"
    for seed in range(1, NAMED_PLANS + 1):
        plan.write_text(plan_text(program, build_id, seed, "0", 0))
        done, report = context.replay(plan)
        context.check(report.get("outcome") == "completed", f"{name}, seed {seed}: {report.get('outcome')}", done)
        plan.write_text(plan_text(program, build_id, seed, report.get("hash", "0"), report.get("events", 0)))
        again, second = context.replay(plan, "--times", REPLAYS - 1)
        context.check(again.code == harness.CLEAN, f"{name}, seed {seed}: replay ended with {again.code}", again)
        same(context, f"{name}, seed {seed}", facts(report), (again, second))


def elsewhere(context: harness.Context) -> None:
    """Another process, folder, environment, and a build with an unrelated function above."""
    for source in harness.sources_in(context.sources / "corpus" / "core"):
        if context.only not in source.name:
            continue
        local = context.folder / source.name
        shutil.copy(source, local)
        program = context.build(local)
        plan = program and first_plan(context, program)
        if plan is None:
            continue
        name = source.stem
        done, report = context.replay(plan)
        wanted = facts(report)
        context.check(done.code == harness.DEFECT, f"{name}: replay ended with {done.code}", done)
        same(context, f"{name}, again", wanted, context.replay(plan))
        other = context.folder / "somewhere" / "else"
        other.mkdir(parents=True, exist_ok=True)
        same(context, f"{name}, from another folder", wanted, context.replay(plan, cwd=other))
        moved = other / "renamed-program"
        shutil.copy(program, moved)
        same(context, f"{name}, program moved", wanted, context.replay(plan, cwd=other, program=(moved,)))
        large = harness.environment(RAVEL_TEST_PADDING="x" * 70_000, OTHER="y" * 1237)
        same(context, f"{name}, large environment", wanted, context.replay(plan, env=large))
        small = {"PATH": "/usr/bin:/bin"}
        same(context, f"{name}, small environment", wanted, context.replay(plan, env=small))
        local.write_text(insert_function(local.read_text()))
        if context.build(local) is not None:
            done, report = context.replay(plan)
            context.check(done.code == harness.DEFECT, f"{name}, after an edit: replay ended with {done.code}", done)
            same(context, f"{name}, after an unrelated edit", wanted, (done, report))


def insert_function(text: str) -> str:
    """An unrelated function above everything else: all addresses and line numbers move."""
    unrelated = "\nint unrelated_checksum(const int* values, int count);\n" \
                "int unrelated_checksum(const int* values, int count) {\n" \
                "  int sum = 0;\n  for (int i = 0; i < count; ++i) {\n    sum = sum * 31 + values[i];\n  }\n" \
                "  return sum;\n}\n\n"
    last = list(re.finditer(r"^#include .*$", text, re.MULTILINE))[-1].end()
    return text[:last] + "\n" + unrelated + text[last:]


def foreign(context: harness.Context) -> None:
    """The plan of another program is refused."""
    first = context.build(context.sources / "corpus/core/ab_ba_deadlock.cpp")
    second = context.build(context.sources / "corpus/core/thread_pool_shutdown.cpp")
    if first is None or second is None:
        return
    plan = first_plan(context, first)
    if plan is not None:
        done, _ = context.replay(plan, program=(second,))
        context.check(done.code == harness.CANNOT_TEST, f"foreign plan: exit code {done.code}", done)
        context.check(bool(done.err.strip()), "foreign plan: nothing is said", done)
