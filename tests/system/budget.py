# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""A command keeps its time whatever the program does, ends at once where there is nothing to do, and shows what it is doing."""
import os
import pathlib
import pty
import resource
import subprocess
import time

import harness

TIME = 2  # seconds
ALLOWED = 2  # more, by the rules of docs/cli.md
BUSY_MACHINE = 3  # and more, before a test calls it late
MOST_ALIKE = 16
FIRST_RESULT = 2  # seconds of processor time, which a busy machine makes longer, too


def program_of(context: harness.Context, source: str, **options) -> pathlib.Path | None:
    return context.build(context.sources / "programs" / "budget" / f"{source}.cpp", **options)


def timed(context: harness.Context, what: str, *words, seconds: float = TIME) -> harness.Finished:
    start = time.monotonic()
    done = context.tool(*words)
    took = time.monotonic() - start
    context.check(took <= seconds + ALLOWED + BUSY_MACHINE, f"{what}: {took:.1f} s with --time {seconds}s", done)
    return done


def deadline(context: harness.Context) -> None:
    """Many findings in executions that are expensive, and an execution that never ends."""
    program = program_of(context, "many_races", name="slow", defines=("SLOW",))
    blocked = program_of(context, "blocked")
    if program is None or blocked is None:
        return
    done = timed(context, "many races", "run", "--time", f"{TIME}s", "--keep-going", "--json", "races.json", "--", program)
    report = harness.read_json(context.folder / "races.json")
    context.check(done.code == harness.DEFECT and len(report.get("findings", [])) >= 5, "findings are lost", done)
    plan = context.folder / report["findings"][0]["plan"]
    timed(context, "minimize", "minimize", "--time", "1s", plan, seconds=1)
    done = timed(context, "blocked", "run", "--time", f"{TIME}s", "--json", "blocked.json", "--", blocked)
    found = harness.read_json(context.folder / "blocked.json").get("findings", [])
    context.check(done.code == harness.DEFECT and [one["kind"] for one in found] == ["hang"], "the hang is not a finding", done)


def first_result(context: harness.Context) -> None:
    """A GoogleTest program of a hundred tests as it is: its first execution is over soon, and the defect in its last test is found soon after."""
    program = program_of(context, "hundred_tests", libraries=("-lgtest", "-lgtest_main"))
    if program is None:
        return

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    begun = used()
    done, report = context.run(program, "--iterations", 1, "--strategy", "run-on")
    context.check(done.code == harness.CLEAN and report.get("executions") == 1, f"one execution: exit code {done.code}", done)
    context.check(used() - begun <= FIRST_RESULT, f"one execution: {used() - begun:.1f} s of processor time", done)
    begun = used()
    # With the time for simplifying that the plain command has.
    done, report = context.run(program, "--time", "60s", "--minimize", "1s")
    kinds = {finding["kind"] for finding in report.get("findings", [])}
    context.check(done.code == harness.DEFECT and bool(kinds), f"the lost update: exit code {done.code}, {kinds}", done)
    context.check(used() - begun <= 5 * FIRST_RESULT, f"the lost update: {used() - begun:.1f} s of processor time", done)


def vacuous(context: harness.Context) -> None:
    """What has nothing to decide ends after a few executions, and stays vacuous."""
    for name, defines in (("one_thread", ()), ("one_at_a_time", ("ONE_AT_A_TIME",))):
        program = program_of(context, "alone", name=name, defines=defines)
        if program is None:
            return
        done, report = context.run(program)
        context.check(done.code == harness.CANNOT_TEST and report.get("vacuous"), f"{name}: not vacuous", done)
        context.check(0 < report.get("executions", 0) <= MOST_ALIKE, f"{name}: {report.get('executions')} executions", done)


def cut(context: harness.Context) -> None:
    """Where every execution is cut at its limit of steps the run ends long before its time, and says so."""
    program = program_of(context, "endless")
    if program is None:
        return
    done = context.tool("run", "--max-steps", 2_000, "--json", "cut.json", "--", program)
    report = harness.read_json(context.folder / "cut.json")
    context.check(report.get("all_cut") is True and 0 < report.get("executions", 0) <= 64, f"{report.get('executions')} executions", done)
    context.check("every one was cut at its limit of steps; --max-steps raises it" in done.out, "the reason is not given", done)
    # So few that nobody could call it early.
    done, report = context.run(program, "--max-steps", 2_000, "--iterations", 2)
    context.check("every one was cut at its limit of steps" in done.out, "the reason is not given after two executions", done)


def on_a_terminal(context: harness.Context, *words) -> str:
    """What the tool writes to a stderr that is a terminal."""
    master, slave = pty.openpty()
    with subprocess.Popen([context.ravel, *map(str, words)], cwd=context.folder, stdout=subprocess.DEVNULL, stderr=slave,
                          env=harness.environment()) as tool:
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            text += part
        tool.wait()
    os.close(master)
    return text.decode(errors="replace")


def progress(context: harness.Context) -> None:
    """Confirming and minimising say how far they are, on a terminal, and nothing of it is left behind."""
    program = program_of(context, "many_races", name="slow", defines=("SLOW",))
    if program is None:
        return
    seen = on_a_terminal(context, "run", "--iterations", 2, "--minimize", "3s", "--color", "never", program)
    context.check("minimising: " in seen, "nothing is shown while minimising", seen)
    context.check("\r\x1b[K" in seen and seen.rfind("\r\x1b[K") > seen.rfind("minimising: "), "the line is left behind", seen)
    quiet = on_a_terminal(context, "run", "--iterations", 2, "--minimize", "1s", "--saved", "ignore", "--quiet", program)
    context.check("minimising" not in quiet, "--quiet shows progress", quiet)
