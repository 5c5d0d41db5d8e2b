# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Several processes at one reduced search: together they run each trace once, whatever happens to them."""
import os
import random
import signal
import subprocess
import time

import harness
from exhaustive import POINTS, explore
from kill import children_of

# words, traces, exit code, number of processes
ROWS = [
    (("fib", 4), 1107, harness.CLEAN, (2, 3)),
    (("lastzero", 8), 704, harness.CLEAN, (2, 3)),
    (("casw", 4), 1200, harness.CLEAN, (3,)),
    (("treiber", 4), 3120, harness.CLEAN, (2,)),
    (("philosophers", 5), 31, harness.DEFECT, (2, 3)),
    (("lockinc", 4, 2), 2520, harness.CLEAN, (3,)),
    (("plain", 3), 36, harness.DEFECT, (2, 3)),  # its points are found while it is searched
]


def build(context: harness.Context):
    return context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))


def counts(context: harness.Context) -> None:
    program = build(context)
    if program is None:
        return
    for words, wanted, code, numbers in ROWS:
        for number in numbers:
            done, report = explore(context, program, words, "--keep-going", "--jobs", number)
            name = f"{words} by {number}"
            context.check(done.code == code and report.get("complete") is True and report.get("jobs") == number,
                          f"{name}: exit code {done.code}, complete {report.get('complete')}, jobs {report.get('jobs')}", done)
            context.check(report.get("executions") == wanted == report.get("distinct_traces") and report.get("blocked") == 0,
                          f"{name}: {report.get('executions')} executions, {report.get('distinct_traces')} different ones, "
                          f"{report.get('blocked')} blocked, expected {wanted}", done)
            context.check(sum(report.get("executions_by_job", [])) == wanted, f"{name}: {report.get('executions_by_job')}", done)
            estimate = report.get("estimate") or {}
            context.check(estimate.get("executions") == wanted, f"{name}: estimate {estimate} at the end", done)


def share(context: harness.Context) -> None:
    """Everybody works; what is found, how executions end, and the budget are as with one process."""
    program = build(context)
    if program is None:
        return
    # Long enough that it does not matter who starts first.
    done, report = explore(context, program, ("casw", 5), "--jobs", 2)
    parts = report.get("executions_by_job", [0])
    context.check(report.get("executions") == 32_880 and min(parts) >= 3_288, f"casw 5 by 2: {parts}", done)
    # The first defect ends it for all.
    done, report = explore(context, program, ("philosophers", 3), "--jobs", 2)
    context.check(done.code == harness.DEFECT and report.get("complete") is False and len(report.get("findings", [])) == 1,
                  f"philosophers: exit code {done.code}", done)
    done, report = explore(context, program, ("fib", 4), "--jobs", 2, "--iterations", 500)
    context.check(report.get("executions") == 500 and report.get("complete") is False and done.code == 5,
                  f"budget of 500: {report.get('executions')} executions, exit code {done.code}", done)
    done, report = explore(context, program, ("fib", 4), "--jobs", 2, "--iterations", 1200)
    context.check(report.get("executions") == 1107 and report.get("complete") is True,
                  f"budget of 1200: {report.get('executions')} executions", done)
    # One execution for two jobs leaves one of them idle, which says nothing about isolation.
    listed = context.folder / "idle.json"
    done = context.tool("run", "--json", listed, "--color", "never", "--strategy", "random", "--iterations", 1, "--jobs", 2, "--", program, "lastzero", 3)
    report = harness.read_json(listed)
    context.check(done.code == harness.CLEAN and report.get("executions_by_job") == [1, 0] and report.get("isolation") != "fork",
                  f"one idle job: exit code {done.code}, {report.get('executions_by_job')}, isolation {report.get('isolation')}", done)
    # The table of outcomes is that of one process.
    waits = context.build(context.sources / "exhaustive" / "structures.cpp", flags=("-O1",))
    if waits is None:
        return
    tables = []
    for number in (1, 2, 3):
        listed = context.folder / f"outcomes{number}.json"
        done = context.tool("outcomes", "--json", listed, "--color", "never", *POINTS, "--jobs", number, "--", waits, "peterson", 2)
        rows = harness.read_json(listed).get("outcomes", [])
        tables.append(sorted((row["kind"], sorted(row["observations"].items()), row["count"]) for row in rows))
        context.check(done.code == harness.CLEAN and len(rows) > 1, f"outcomes by {number}: exit code {done.code}", done)
    context.check(tables[0] == tables[1] == tables[2], f"outcomes differ: {tables}")


def killed(context: harness.Context) -> None:
    """Workers of all jobs are killed at random moments: the totals are those of an undisturbed search."""
    program = build(context)
    if program is None:
        return
    generator = random.Random(1)
    for isolation, words, wanted, times in (("auto", ("lastzero", 13), 32_768, 60), ("fork", ("fib", 4), 1107, 30)):
        report = context.folder / "killed.json"
        report.unlink(missing_ok=True)
        command = [context.ravel, "run", "--saved", "ignore", "--json", report, "--strategy", "dpor", *POINTS, "--jobs", 3, "--iterations", 1_000_000,
                   "--isolation", isolation, "--", program, *words]
        struck = 0
        with subprocess.Popen([str(word) for word in command], cwd=context.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tool:
            while struck < times and tool.poll() is None:
                time.sleep(generator.uniform(0.0, 0.02))
                workers = [worker for zygote in children_of(tool.pid) for worker in children_of(zygote)]
                if workers:
                    try:
                        os.kill(generator.choice(workers), signal.SIGKILL)
                        struck += 1
                    except ProcessLookupError:
                        pass
            output = tool.communicate(timeout=harness.WATCHDOG)[0].decode(errors="replace")
        result = harness.read_json(report)
        context.check(struck == times, f"{words}: only {struck} of {times} workers were killed", output)
        context.check(tool.returncode == harness.CLEAN and result.get("complete") is True, f"{words}: exit code {tool.returncode}", output)
        context.check(result.get("executions") == wanted == result.get("distinct_traces") and result.get("blocked") == 0,
                      f"{words}: {result.get('executions')} executions, {result.get('distinct_traces')} different ones, "
                      f"{result.get('blocked')} blocked after {struck} kills, expected {wanted}", output)


def corpus(context: harness.Context) -> None:
    """Programs of every kind, whose points are found while they are searched: three processes count and find what one does."""
    for source in harness.sources_in(context.sources / "corpus" / "core"):
        if context.only not in source.name:
            continue
        for defines in ((), ("FIXED",)):
            program = context.build(source, defines=defines)
            if program is None:
                continue
            seen = []
            for number in (1, 3):
                _, report = context.run(program, "--strategy", "dpor", "--keep-going", "--no-minimize", "--iterations", 20_000, "--jobs", number)
                seen.append([report.get("complete"), report.get("executions"), report.get("blocked"),
                             sorted({finding.get("kind") for finding in report.get("findings", [])})])
            context.check(seen[0] == seen[1] and seen[0][0] is True, f"{source.stem} {defines}: {seen}")
