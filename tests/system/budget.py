# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""A command keeps its time whatever the program does, ends at once where there is nothing to do, and shows what it is doing."""
import os
import pathlib
import pty
import subprocess
import time

import harness

TIME = 2  # seconds
ALLOWED = 2  # more, by the rules of docs/cli.md
BUSY_MACHINE = 3  # and more, before a test calls it late
MOST_ALIKE = 16


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


def vacuous(context: harness.Context) -> None:
    """What has nothing to decide ends after a few executions, and stays vacuous."""
    for name, defines in (("one_thread", ()), ("one_at_a_time", ("ONE_AT_A_TIME",))):
        program = program_of(context, "alone", name=name, defines=defines)
        if program is None:
            return
        done, report = context.run(program)
        context.check(done.code == harness.CANNOT_TEST and report.get("vacuous"), f"{name}: not vacuous", done)
        context.check(0 < report.get("executions", 0) <= MOST_ALIKE, f"{name}: {report.get('executions')} executions", done)


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
