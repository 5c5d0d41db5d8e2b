# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Isolation: the same plans give the same traces, outcomes, counts and findings, however executions are kept apart."""
import pathlib
import re
import subprocess
import time

import harness

MODES = ("fork", "rollback", "repeat")
FIELDS = ("executions", "steps", "decisions", "distinct_traces", "trace_digest", "blocked", "threads_max", "operations",
          "vacuous", "exit_code")
EXECUTIONS = 140  # past two checks against fork
EXECUTIONS_FULL = 1000
# An execution of these takes long by nature; a few are enough.
FEW = {"live_threads": 2, "created_threads": 2, "many_events": 2, "hang": 2, "counter_and_children": 5, "hour_of_sleep": 50, "polite_livelock": 20,
       "long_not_endless": 1, "long_preparation": 2, "private_work": 2, "private_frees": 2, "recycled_pages": 2, "recycled_block": 2, "large_blocks": 40, "blocked_in_splice": 2, "stop_after_sleep": 10, "generous_timeouts": 20}
# Threads that never wait starve the others for ever under priorities: their executions end by the clock.
NOT_BY_PRIORITIES = {"spin_then_sleep"}
# Programs that do nothing which cannot be taken back: here the fast modes must be used, or nothing would test them.
FAST_CORPUS = {"two_stage", "lost_update", "bounded_buffer", "lost_wakeup", "dining_philosophers", "thread_pool_shutdown"}
FAST_PROGRAMS = {"condition_variables", "atomics", "mutex_kinds", "posix_semaphores", "call_once", "thread_locals"}


def told(report: dict) -> list:
    """What a user is told of the findings; plans are named by the campaign, so they are left out."""
    return sorted((f["kind"], f["message"], f.get("canonical_hash", ""), f.get("times_seen", 0))
                  for f in report.get("findings", []))


def compare(context: harness.Context, program, name: str, *options) -> dict:
    """Runs all isolations; yields which one each ended in, with its reason. A strategy that does not end early, and whose executions are alike: repeat begins when nothing new is written."""
    reports = {}
    strategy = "random" if name in NOT_BY_PRIORITIES else "pct"
    for mode in MODES:
        done, report = context.run(program, "--strategy", strategy, "--keep-going", "--no-minimize", "--isolation", mode, *options)
        context.check(done.code in (harness.CLEAN, harness.DEFECT, harness.CANNOT_TEST), f"{name} {mode}: {done.code}", done)
        context.check(not report.get("not_confirmed"), f"{name} {mode}: not reproduced {report.get('not_confirmed')}", done)
        context.check(not report.get("trouble"), f"{name} {mode}: trouble {report.get('trouble')}", done)
        reports[mode] = report
    reference = reports["fork"]
    for mode in MODES[1:]:
        report = reports[mode]
        for field in FIELDS:
            context.check(report.get(field) == reference.get(field),
                          f"{name}: {field} is {report.get(field)} with {mode}, {reference.get(field)} with fork", report)
        context.check(told(report) == told(reference), f"{name}: findings differ with {mode}", (told(report), told(reference)))
        slower = report.get("isolation") != mode
        few = mode == "repeat" and report.get("isolation") == "rollback"  # not yet steady: each was compared
        context.check(not slower or few or report.get("isolation_reason"),
                      f"{name}: {mode} became {report.get('isolation')} without a reason", report)
        # An execution that was cut at its limit proves nothing.
        if report.get("isolation") != "fork" and report.get("cut", 0) < report.get("executions", 0):
            context.check(report.get("isolation_verified", 0) > 0, f"{name}: {mode} was never checked against fork", report)
    return {mode: (report.get("isolation"), report.get("isolation_reason")) for mode, report in reports.items()}


def check_fast(context: harness.Context, names: set, used: dict) -> None:
    """`used`: of each program, what `compare` gave."""
    for name in sorted(names):
        if context.only not in name:
            continue
        modes = tuple(used[name][mode][0] for mode in MODES[1:]) if name in used else "not there"
        context.check(modes == MODES[1:], f"{name}: {modes}, expected {MODES[1:]}", used.get(name))


def show(name: str, used: dict) -> None:
    reason = used["repeat"][1] or used["rollback"][1]
    print(f"{name:32} rollback -> {used['rollback'][0]:9} repeat -> {used['repeat'][0]:9} {reason}", flush=True)


def corpus(context: harness.Context, executions: int = EXECUTIONS) -> None:
    used: dict = {}
    for source in harness.sources_in(context.sources / "corpus" / "core"):
        if context.only not in source.name:
            continue
        wanted = harness.expectation_of(source)
        for defines, suffix in (((), ""), (("FIXED",), "-fixed")):
            program = context.build(source, name=source.stem + suffix, defines=defines)
            if program is not None:
                used[program.name] = compare(context, program, program.name, "--iterations", executions, *wanted.options)
                show(program.name, used[program.name])
    check_fast(context, FAST_CORPUS, used)


def programs(context: harness.Context, executions: int = EXECUTIONS) -> None:
    used: dict = {}
    for source in harness.sources_in(context.sources / "programs"):
        if context.only not in source.name:
            continue
        wanted = harness.expectation_of(source)
        program = context.build(source, flags=tuple(wanted.notes.get("flags", "").split()))
        if program is None:
            continue
        iterations = FEW.get(source.stem, executions)
        used[source.stem] = compare(context, program, source.stem, "--iterations", iterations, *wanted.options)
        show(source.stem, used[source.stem])
    check_fast(context, FAST_PROGRAMS, used)


def left_behind(context: harness.Context, executions: int = EXECUTIONS) -> None:
    for source in context.taken(sorted((context.sources / "left_behind").glob("*.cpp"))):
        notes = dict(re.findall(r"^// ([a-z-]+): (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE))
        program = context.build(source, libraries=tuple(notes.get("libraries", "").split()))
        if program is None:
            continue
        used = compare(context, program, source.stem, "--iterations", executions)
        show(source.stem, used)
        wanted = notes["isolation"]
        slowest = MODES.index(wanted) if wanted in MODES else 0
        context.check(MODES.index(used["repeat"][0]) >= slowest and (wanted != "fork" or used["repeat"][0] == "fork"),
                      f"{source.stem}: repeat became {used['repeat']}, expected {wanted}")


def full(context: harness.Context) -> None:
    """All of the above, at a length that CI cannot wait for."""
    for group in (corpus, programs, left_behind):
        group(context, EXECUTIONS_FULL)


MILLIONS = 10
GROWTH_KIB = 4096  # of all processes of a campaign together


def memory_of(session: int) -> int:
    """KiB that the processes of a session have in memory; what they share counts once for each."""
    total = 0
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int((folder / "stat").read_text().rpartition(")")[2].split()[3]) == session:
                total += int(re.search(r"^Pss:\s+(\d+)", (folder / "smaps_rollup").read_text(), re.MULTILINE).group(1))
        except (OSError, AttributeError):
            pass  # it has ended meanwhile
    return total


def memory(context: harness.Context) -> None:
    """Ten million executions need no more memory than one million."""
    program = context.build(context.sources.parent / "bench" / "programs" / "tiny.cpp")
    command = [str(context.ravel), "run", "--quiet", "--strategy", "random", "--iterations", str(MILLIONS * 1_000_000),
               "--", str(program)]
    samples = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=context.folder,
                          start_new_session=True) as tool:
        while tool.poll() is None:
            samples.append(memory_of(tool.pid))
            time.sleep(1)
    context.check(tool.returncode == 0, f"ended with {tool.returncode}")
    context.check(len(samples) > 20, f"only {len(samples)} samples")
    settled = max(samples[len(samples) // 10:len(samples) // 5])
    later = max(samples[len(samples) // 5:])
    print(f"{settled} KiB after a fifth, at most {later} KiB later", flush=True)
    context.check(later <= settled + GROWTH_KIB, f"memory grew from {settled} to {later} KiB")
