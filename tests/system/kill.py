# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The campaign survives whatever happens to its processes: a killed child, a killed worker, an interrupt."""
import os
import pathlib
import signal
import subprocess
import time

import harness

PROGRAM = "corpus/core/two_stage.cpp"
EXECUTIONS = 6000


def children_of(pid: int) -> list[int]:
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def descend(pid: int, depth: int) -> int | None:
    """The first process `depth` generations below `pid`: 1 zygote, 2 worker, 3 child."""
    level = [pid]
    for _ in range(depth):
        level = [child for parent in level for child in children_of(parent)]
    return level[0] if level else None


def ran(pid: int) -> float:
    """Seconds of processor time a process has had: on a busy machine it is late, not further."""
    try:
        return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def strike(tool: subprocess.Popen, depth: int, after: float) -> bool:
    """Kills the process `depth` generations below the tool when it has had that much processor time; False: there was none to kill."""
    victim = descend(tool.pid, depth)
    if victim is None or ran(victim) < after:
        return False
    try:
        os.kill(victim, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def kill_during_campaign(context: harness.Context, program: pathlib.Path, depth: int, times: int, what: str) -> None:
    report = context.folder / f"{what}.json"
    # Children are there under fork only; a worker is killed in the middle of what it does by itself, too.
    isolation = "fork" if depth == 3 else "auto"
    executions = EXECUTIONS if depth == 3 else 50 * EXECUTIONS
    words = [context.ravel, "run", "--saved", "ignore", "--json", report, "--strategy", "pos", "--isolation", isolation, "--iterations", str(executions), program]
    with subprocess.Popen(words, cwd=context.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tool:
        killed = 0
        while killed < times and tool.poll() is None:
            time.sleep(0.002)
            killed += strike(tool, depth, 0.0 if depth == 3 else 0.02)
        output = ended(tool)
    result = harness.read_json(report)
    context.check(killed == times, f"{what}: only {killed} of {times} were killed", output)
    context.check(tool.returncode == harness.CLEAN, f"{what}: exit code {tool.returncode}", output)
    context.check(result.get("executions", 0) >= executions, f"{what}: {result.get('executions')} executions", output)
    context.check(not result.get("findings"), f"{what}: somebody else's SIGKILL was called a defect", result)
    if depth == 2:
        context.check(result.get("worker_restarts", 0) >= 1, f"{what}: no restart is reported", result)


def ended(tool: subprocess.Popen) -> str:
    try:
        return tool.communicate(timeout=harness.WATCHDOG)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        tool.kill()
        return "(timed out)"


def survive(context: harness.Context) -> None:
    program = context.build(context.sources / PROGRAM, defines=("FIXED",))
    if program is None:
        return
    kill_during_campaign(context, program, depth=3, times=5, what="child")
    kill_during_campaign(context, program, depth=2, times=3, what="worker")


LEAST_KILLS = 100


def to_the_end(context: harness.Context) -> None:
    """Workers that run executions inside themselves, killed at any moment until all work is done: the result is that of an undisturbed campaign.

    A worker lives for up to 20 ms of processor time, so that there are as many kills as the work takes, on any machine.
    """
    program = context.build(context.sources / PROGRAM, defines=("FIXED",))
    if program is None:
        return
    random = __import__("random").Random(1)
    options = ["--iterations", 600_000, "--strategy", "random"]
    done, calm = context.run(program, *options)
    context.check(done.code == harness.CLEAN, f"undisturbed: exit code {done.code}", done)
    report = context.folder / "killed.json"
    words = [str(word) for word in (context.ravel, "run", "--saved", "ignore", "--json", report, *options, program)]
    killed = 0
    with subprocess.Popen(words, cwd=context.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tool:
        after = random.uniform(0.0, 0.02)
        while tool.poll() is None:
            time.sleep(0.001)
            if strike(tool, 2, after):
                killed += 1
                after = random.uniform(0.0, 0.02)
        output = ended(tool)
    disturbed = harness.read_json(report)
    print(f"{killed} workers were killed")
    context.check(killed >= LEAST_KILLS, f"only {killed} workers were killed", output)
    context.check(tool.returncode == harness.CLEAN, f"exit code {tool.returncode}", output)
    for field in ("executions", "steps", "decisions", "distinct_traces", "trace_digest", "operations"):
        context.check(calm.get(field) == disturbed.get(field),
                      f"{field}: {disturbed.get(field)} after {killed} kills, {calm.get(field)} without", output)


def interrupted(context: harness.Context) -> None:
    program = context.build(context.sources / PROGRAM, defines=("FIXED",))
    if program is None:
        return
    report = context.folder / "interrupted.json"
    words = [context.ravel, "run", "--saved", "ignore", "--json", report, "--strategy", "pos", "--iterations", "100000000", program]
    with subprocess.Popen(words, cwd=context.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tool:
        worker = None
        while tool.poll() is None and (worker is None or ran(worker) < 0.2):  # executions have been counted by then
            time.sleep(0.01)
            worker = descend(tool.pid, 2)
        zygote = descend(tool.pid, 1)
        tool.send_signal(signal.SIGINT)
        output = ended(tool)
    context.check(tool.returncode == 130, f"interrupt: exit code {tool.returncode}", output)
    context.check(harness.read_json(report).get("executions", 0) > 0, "interrupt: no result was written", output)
    # Processes that were told to end need a processor for it.
    limit = time.monotonic() + harness.WATCHDOG
    while zygote is not None and pathlib.Path(f"/proc/{zygote}").exists() and time.monotonic() < limit:
        time.sleep(0.05)
    context.check(zygote is not None and not pathlib.Path(f"/proc/{zygote}").exists(), "interrupt: processes are left over")
