# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""A search that is interrupted or killed and resumed covers the whole set, nothing twice."""
import pathlib
import signal
import subprocess
import time

import harness
from exhaustive import POINTS

INTERRUPTED = 130
MOST_RUNS = 40


def command(context: harness.Context, program, words, report, strategy, *options) -> list:
    return [context.ravel, "run", "--saved", "ignore", "--json", report, "--strategy", strategy, *POINTS, "--isolation", "fork", "--iterations", 1_000_000,
            *options, "--", program, *words]


def break_off(context: harness.Context, words: list, number: int, after: float, kept: pathlib.Path) -> int:
    """Ends the tool some time after it has a checkpoint."""
    with subprocess.Popen([str(word) for word in words], cwd=context.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as tool:
        while tool.poll() is None and not (kept.exists() and kept.stat().st_size > 0):
            time.sleep(0.01)
        try:
            tool.wait(after)
        except subprocess.TimeoutExpired:
            tool.send_signal(number)
        return tool.wait(harness.WATCHDOG)


def search(context: harness.Context, program, words, strategy: str, wanted: int, number: int, jobs: int) -> None:
    name = f"{strategy} {words} by {jobs}, {signal.Signals(number).name}"
    kept: pathlib.Path = context.folder / "kept"
    report = context.folder / "report.json"
    report.unlink(missing_ok=True)
    for shard in ("", ".1", ".tree"):
        context.folder.joinpath(f"kept{shard}").unlink(missing_ok=True)
    first = command(context, program, words, report, strategy, "--jobs", jobs, "--checkpoint", kept)
    again = command(context, program, words, report, strategy, "--jobs", jobs, "--resume", kept)
    code = break_off(context, first, number, 0.5, kept)
    broken = 0
    while code in (INTERRUPTED, -signal.SIGKILL) and broken < MOST_RUNS:
        broken += 1
        # The first two are broken off at once as well, the others get longer and longer.
        code = break_off(context, again, number, 0.3 + 0.2 * broken, kept)
    result = harness.read_json(report)
    context.check(broken > 0, f"{name}: it was too fast to be broken off")
    context.check(code == harness.CLEAN and result.get("complete") is True, f"{name}: exit code {code} after {broken} breaks", result)
    context.check(result.get("executions") == wanted, f"{name}: {result.get('executions')} executions, expected {wanted}", result)
    if jobs == 1:
        context.check(result.get("distinct_traces") == wanted, f"{name}: {result.get('distinct_traces')} different ones", result)


def resume(context: harness.Context) -> None:
    program = context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))
    if program is None:
        return
    for number in (signal.SIGINT, signal.SIGKILL):
        search(context, program, ("lastzero", 10), "dpor", 3328, number, 1)
        search(context, program, ("racy", 4), "dfs", 2520, number, 1)
    search(context, program, ("racy", 4), "dfs", 2520, signal.SIGKILL, 2)
    search(context, program, ("lastzero", 10), "dpor", 3328, signal.SIGKILL, 2)
    (context.folder / "kept.tree").unlink()
    done = context.tool("run", *POINTS, "--strategy", "dpor", "--jobs", 2, "--resume", context.folder / "kept", "--", program, "lastzero", 10)
    context.check(done.code == harness.USAGE and "kept.tree" in done.err, f"no tree: exit code {done.code}", done)
    # Further executions, not the same again: sampling goes on where it was.
    report = context.folder / "report.json"
    kept = context.folder / "sampled"
    words = ["run", "--json", report, "--strategy", "random", *POINTS, "--iterations", 50]
    one = context.tool(*words, "--checkpoint", kept, "--", program, "racy", 3)
    two = context.tool(*words, "--resume", kept, "--", program, "racy", 3)
    context.check(one.code == two.code == harness.CLEAN, f"sampling: exit codes {one.code}, {two.code}", two)
    together = harness.read_json(report)
    context.tool(*words[:-1], 100, "--", program, "racy", 3)
    alone = harness.read_json(report)
    context.check(together.get("executions") == alone.get("executions") == 100
                  and together.get("trace_digest") == alone.get("trace_digest"), f"sampling: {together.get('executions')} executions")
    # What does not fit is refused in one line.
    for what, options in (("another strategy", ("--strategy", "pct", "--", program, "racy", 3)),
                          ("another campaign", ("--strategy", "random", "--", program, "racy", 4)),
                          ("another number of processes", ("--strategy", "random", "--jobs", 2, "--", program, "racy", 3))):
        done = context.tool("run", *POINTS, "--resume", kept, *options)
        context.check(done.code == harness.USAGE and what in done.err, f"{what}: exit code {done.code}", done)
    bad = context.folder / "bad"
    bad.write_text("nothing of the kind")
    done = context.tool("run", "--resume", bad, "--", program, "racy", 3)
    context.check(done.code == harness.USAGE and "not a checkpoint" in done.err, f"not a checkpoint: exit code {done.code}", done)
    done = context.tool("run", "--resume", context.folder / "none", "--", program, "racy", 3)
    context.check(done.code == harness.USAGE, f"no such file: exit code {done.code}", done)
