# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""`ravel replay --gdb`: stops at the failure, lists the virtual threads, switches between them."""
import re
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
        gdb = subprocess.run([context.ravel, "replay", "--gdb", plan], cwd=context.folder, input=SESSION, timeout=harness.WATCHDOG,
                             capture_output=True, check=False, env=harness.environment(DEBUGINFOD_URLS="", TERM="dumb"))
        output = (gdb.stdout + gdb.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        output = f"(timed out)\n{(late.stdout or b'').decode(errors='replace')}"
    second = harness.expectation_of(source).lines["second"]
    frames = [line for line in output.splitlines() if line.startswith("#")]
    context.check(frames and not any("ravel_switch" in line or "/runtime/" in line for line in frames), "the runtime is in the backtrace", output)
    context.check("transfer" in output, "the backtrace does not show the blocked function", output)
    context.check(f"ab_ba_deadlock.cpp:{second}" in output, f"the backtrace does not show line {second}", output)
    for lineage in ("main.1", "main.2"):
        context.check(lineage in output, f"the list of threads lacks {lineage}", output)


def back_and_forth(context: harness.Context) -> None:
    """Steps to visible operations, back by running again, why threads are blocked; and an editor that drives gdb."""
    program = context.build(context.sources / "corpus/core/ab_ba_deadlock.cpp")
    if program is None:
        return
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "nothing to debug", done):
        return
    plan = context.folder / report["findings"][0]["plan"]
    session = ("ravel why\nravel step-back 2\nravel step\nravel step-back\nravel goto 6\nravel switch\nravel threads\n"
               "ravel step 1000\nravel why 1\nravel goto 4\nkill\nquit\n")
    output = debug(context, [plan], session)
    context.check("T1 waits in `lock' for local 'savings.mutex' of T0, held by T2" in output, "why T1 is blocked is not said", output)
    places = [int(word) for word in re.findall(r"before event (\d+)", output)]
    context.check(len(places) >= 6 and places[1] == places[0] + 1 and places[2] == places[0] and places[3] == 6,
                  f"stopped before events {places}", output)
    context.check(places and places[-1] == 4, "no way back after the failure", output)
    script = context.folder / "commands"
    script.write_text("run\nravel threads\nravel why 1\n")
    scripted = debug(context, [f"--gdb-args=-batch -x {script}", plan], "")
    context.check("main.2" in scripted and "T1 waits in `lock'" in scripted, "a script has none of the commands", scripted)
    driven = debug(context, ["--gdb-args=--interpreter=mi", plan], "-exec-run\n-gdb-exit\n", wait="signal-received")
    context.check('reason="signal-received"' in driven and "SIGTRAP" in driven, "gdb driven by an editor does not stop", driven)


def extended_state(context: harness.Context) -> None:
    """A session does not write the extended register state: gdb 13 cannot on CPUs with AMX."""
    program = context.build(context.sources / "corpus/core/ab_ba_deadlock.cpp")
    refuse = context.folder / "no_extended_state.so"
    built = context.command(["gcc", "-shared", "-fPIC", "-O1", "-o", refuse, context.sources / "system/no_extended_state.c", "-ldl"])
    if program is None or not context.check(built.code == 0, "the library that refuses does not build", built):
        return
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "nothing to debug", done):
        return
    plan = context.folder / report["findings"][0]["plan"]
    seen = context.folder / "seen"
    session = ("ravel why\nravel thread 1\nbacktrace\nravel back\nravel step-back 2\nravel step\nravel goto 6\nravel switch\n"
               "ravel threads\nravel thread 0\nravel step 1000\nravel why 1\nkill\nquit\n")
    output = debug(context, [plan], session, LD_PRELOAD=str(refuse), RAVEL_TEST_SEEN=str(seen))
    context.check("before event 6," in output and output.count("T1 waits in `lock'") == 2, "the session is not complete", output)
    context.check(seen.is_file() and seen.read_text() == "gdb\n", "the extended state was written, or nothing was watched", output)


def debug(context: harness.Context, words: list, session: str, wait: str = "", **variables: str) -> str:
    """What gdb says; with `wait` the last line is sent when that was said."""
    environment = harness.environment(DEBUGINFOD_URLS="", TERM="dumb", **variables)
    command = [str(word) for word in (context.ravel, "replay", "--gdb", *words)]
    with subprocess.Popen(command, cwd=context.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment, text=True) as gdb:
        try:
            if not wait:
                return gdb.communicate(session, timeout=harness.WATCHDOG)[0]
            first, rest = session.split("\n", 1)
            gdb.stdin.write(first + "\n")
            gdb.stdin.flush()
            seen = ""
            for line in gdb.stdout:
                seen += line
                if wait in line:
                    break
            return seen + gdb.communicate(rest, timeout=harness.WATCHDOG)[0]
        except subprocess.TimeoutExpired:
            gdb.kill()
            return "(timed out)\n" + gdb.communicate()[0]


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
