# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""`ravel replay --gdb`: stops at the failure, lists the virtual threads, switches between them."""
import subprocess

import harness

SESSION = b"backtrace\nravel threads\nravel thread 2\nbacktrace\nkill\nquit\n"


def stops_at_failure(context: harness.Context) -> None:
    source = context.sources / "corpus/core/ab_ba_deadlock.cpp"
    program = context.build(source)
    if program is None:
        return
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "nothing to debug", done):
        return
    plan = context.folder / report["findings"][0]["plan"]
    try:
        gdb = subprocess.run([context.ravel, "replay", "--gdb", plan], cwd=context.folder, input=SESSION, timeout=90,
                             capture_output=True, check=False, env=harness.environment(DEBUGINFOD_URLS="", TERM="dumb"))
        output = (gdb.stdout + gdb.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        output = f"(timed out)\n{(late.stdout or b'').decode(errors='replace')}"
    second = harness.expectation_of(source).lines["second"]
    context.check("transfer" in output, "the backtrace does not show the blocked function", output)
    context.check(f"ab_ba_deadlock.cpp:{second}" in output, f"the backtrace does not show line {second}", output)
    for lineage in ("main.1", "main.2"):
        context.check(lineage in output, f"the list of threads lacks {lineage}", output)


def until(context: harness.Context) -> None:
    """--until N ends before event N; the trace up to there is the same."""
    program = context.build(context.sources / "corpus/core/two_stage.cpp")
    if program is None:
        return
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "nothing to replay", done):
        return
    plan = context.folder / report["findings"][0]["plan"]
    done, whole = context.replay(plan, "--trace", context.folder / "whole.trace")
    cut, part = context.replay(plan, "--until", 10, "--trace", context.folder / "part.trace")
    context.check(done.code == harness.DEFECT and whole.get("events", 0) > 10, "the whole trace", done)
    context.check(part.get("events") in (9, 10), f"--until 10 shows {part.get('events')} events", cut)
