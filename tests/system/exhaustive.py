# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Exhaustive search on compiled programs: the number of executions is the known number of traces, none is run in vain."""
import math

import harness

INCONCLUSIVE = 5
MOST_DISTINCT = 1 << 20  # further ones are not distinguished
POINTS = ("--points", "shared", "--points-exclude", "lifecycle")

f = math.factorial

# program, N, K -> traces. Closed forms where there is one.
COUNTS = [
    *[(("readers", n), 2**n) for n in (1, 3, 5)],
    *[(("writers", n), f(n)) for n in (2, 3, 4)],
    # One store after a choice of two, or two with a choice of K + 1 between, and a choice of two at the end.
    (("choosers", 1, 1), 6), (("choosers", 2, 1), 152), (("choosers", 2, 2), 296),
    *[(("floating", n), f(n + 1)) for n in (2, 3)],
    *[(("increments", n), f(n)) for n in (2, 4)],
    (("counters", 2, 2), f(2)**2), (("counters", 3, 2), f(3)**2), (("counters", 2, 3), f(2)**3),
    (("racy", 2), 4), (("racy", 3), 36),
    *[(("sections", n, 1), f(n)) for n in (2, 3, 4)],
    (("sections", 2, 2), 6), (("sections", 3, 2), 90),
    (("lockinc", 2, 1), 2), (("lockinc", 3, 1), 6), (("lockinc", 4, 1), 24), (("lockinc", 3, 2), 90),
    (("trylock",), 3),
    *[(("cas", n), n) for n in (2, 3, 5)],
    *[(("casrot", n), c) for n, c in ((2, 2), (3, 5), (4, 14), (5, 43), (6, 144))],
    *[(("wcas", n), n * 2**(n - 1) + 1) for n in (2, 3, 4)],
    (("casw", 2), 6), (("casw", 3), 66),
    *[(("lastzero", n), (n + 3) * 2**(n - 2)) for n in (2, 3, 4, 5)],
    (("indexer", 11), 1), (("indexer", 12), 8), (("indexer", 13), 64),
    (("filesystem", 13), 1), (("filesystem", 14), 2), (("filesystem", 16), 8),
    (("ordered", 3), 6),
    (("fib", 1), 3), (("fib", 2), 19), (("fib", 3), 141),
    (("fibbench", 1), 11), (("fibbench", 2), 140),
    (("treiber", 3), 60),
    (("twowrites",), 2), (("trap",), 4), (("apart", 3), 1), (("onlyreaders", 3), 1),
    (("reorder", 2), 4), (("reorder", 3), 36), (("airline", 2), 24), (("twostage",), 3),
    (("SB",), 3), (("MP",), 3), (("MPif",), 2), (("LB",), 3), (("LB3",), 7), (("2+2W",), 3), (("IRIW",), 15),
    (("WRC",), 7), (("S",), 3), (("CoRR",), 6), (("CoWR",), 3), (("CoRW",), 3), (("CoRR1",), 36), (("CoRR2",), 72),
    (("ISA2",), 7), (("W+RWC",), 7), (("RWC",), 7), (("Z6",), 7), (("inc+inc+RR+W+RR",), 600),
    (("SBsc",), 3), (("SBfences",), 3), (("2+2Wsc",), 3), (("IRIWish",), 27), (("peterZ",), 7), (("wrw", 2), 22), (("wrw", 3), 300),
    (("CoA", 0), 4), (("CoA", 1), 15), (("CoA", 2), 130), (("relseq",), 180), (("eratosthenes", 5), 398), (("othertrap",), 4),
]
LONG = [
    (("readers", 10), 1024), (("writers", 6), 720), (("floating", 6), 5040), (("increments", 6), 720),
    (("counters", 4, 2), 576), (("counters", 3, 3), 216), (("racy", 4), 576), (("casrot", 8), 2048),
    (("wcas", 7), 449), (("casw", 4), 1200), (("lastzero", 10), 3328), (("indexer", 14), 512), (("filesystem", 20), 128),
    (("fib", 4), 1107), (("fib", 5), 8953), (("fibbench", 3), 1698), (("treiber", 4), 3120), (("lockinc", 4, 2), 2520),
    (("airline", 3), 864), (("wrw", 4), 6576), (("CoA", 3), 2028), (("CoA", 4), 49_776), (("casrot", 7), 523), (("casrot", 9), 8597),
    (("casw", 5), 32_880), (("readers", 13), 8192), (("wcas", 9), 2305), (("lastzero", 12), 15_360), (("lastzero", 15), 147_456),
    (("indexer", 15), 4096), (("filesystem", 22), 512), (("fib", 6), 73_789), (("fibbench", 4), 19_605), (("fibbench", 5), 218_243),
    (("lockinc", 4, 3), 369_600), (("treiber", 5), 530_400), (("big", 0), 69_112), (("big", 1), 1_820_474),
]
# Programs of structures.cpp in which somebody may have to wait: the executions in which nobody had to.
AWAITS = [
    (("peterson", 1), 4), (("peterson", 2), 48), (("peterson", 3), 588), (("rwword",), 14), (("mcs",), 6), (("chase-lev",), 59),
    (("dq",), 1373), (("qu",), 39), (("stc",), 37), (("treiber",), 18), (("ring",), 273), (("mpmc",), 3),
]
# Locks of spins.cpp with their numbers of threads: values of the counter.
SPINS = [("silent", 3, {"3"}), ("yielding", 2, {"2"}), ("yielding", 3, {"3"}), ("test-and-test", 3, {"3"}), ("queued", 2, {"2"}), ("queued", 3, {"3"}),
         ("stop-callback", 2, {"0", "1"}), ("condition-any", 2, {"0"})]
# Programs of phases.cpp: executions, and the stores of each, which are those of the threads and none of main's.
PHASES = [(("increments", 2), f(2)**2, 0), (("increments", 3), f(3)**2, 0), (("values", 2), f(2) * 2, 2), (("values", 3), f(3) * 3, 3),
          (("nested", 3), f(3), 1)]


def explore(context: harness.Context, program, words, *options, strategy: str = "dpor") -> tuple[harness.Finished, dict]:
    report = context.folder / "report.json"
    report.unlink(missing_ok=True)
    done = context.tool("run", "--json", report, "--color", "never", "--strategy", strategy, *POINTS, "--iterations", 10_000_000,
                        *options, "--", program, *words, timeout=harness.WATCHDOG)
    return done, harness.read_json(report)


def check_counts(context: harness.Context, rows) -> None:
    program = context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))
    if program is None:
        return
    for words, wanted in rows:
        name = " ".join(map(str, words))
        done, report = explore(context, program, words)
        context.check(done.code == harness.CLEAN and report.get("complete") is True,
                      f"{name}: exit code {done.code}, complete: {report.get('complete')}", done)
        context.check(report.get("executions") == wanted and report.get("blocked") == 0,
                      f"{name}: {report.get('executions')} executions ({report.get('blocked')} blocked), expected {wanted}", done)
        context.check(report.get("distinct_traces") == min(wanted, MOST_DISTINCT), f"{name}: {report.get('distinct_traces')} distinct traces", done)


def counts(context: harness.Context) -> None:
    check_counts(context, COUNTS)


def long_counts(context: harness.Context) -> None:
    check_counts(context, LONG)


def awaits(context: harness.Context) -> None:
    """Loops that wait: whoever would have to gives up, and the executions in which nobody did are counted."""
    program = context.build(context.sources / "exhaustive" / "structures.cpp", flags=("-O1",))
    if program is None:
        return
    report = context.folder / "outcomes.json"
    for words, wanted in AWAITS:
        done = context.tool("outcomes", "--json", report, "--color", "never", *POINTS, "--iterations", 1_000_000, "--", program, *words,
                            timeout=harness.WATCHDOG)
        rows = harness.read_json(report).get("outcomes", [])
        complete = [row["count"] for row in rows if row["observations"].get("gave up") == "0"]
        context.check(done.code == harness.CLEAN and complete == [wanted], f"{words}: {complete}, expected {wanted}", done)


def spins(context: harness.Context) -> None:
    """Locks that spin and give way are waited for: no step limit, no prefix that does not fit, and the search is complete."""
    program = context.build(context.sources / "exhaustive" / "spins.cpp", flags=("-O1",), libraries=("-lpthread",))
    if program is None:
        return
    report = context.folder / "spins.json"
    for name, threads, wanted in SPINS:
        report.unlink(missing_ok=True)
        done = context.tool("outcomes", "--json", report, "--color", "never", "--points", "shared", "--iterations", 100_000, "--", program,
                            name, threads)
        found = harness.read_json(report)
        rows = found.get("outcomes", [])
        seen = {row["observations"].get("counter") for row in rows}
        context.check(found.get("complete") is True and seen == wanted and {row["kind"] for row in rows} == {"completed"},
                      f"{name} {threads}: complete: {found.get('complete')}, {seen}", done)


def phases(context: harness.Context) -> None:
    """What main does while everybody else is joined is not recorded, and that hides nothing."""
    program = context.build(context.sources / "exhaustive" / "phases.cpp", flags=("-O1",))
    if program is None:
        return
    for words, wanted, stores in PHASES:
        done, report = explore(context, program, words)
        context.check(report.get("complete") is True and report.get("executions") == wanted and report.get("blocked") == 0,
                      f"{words}: {report.get('executions')} executions, expected {wanted}", done)
        recorded = report.get("operations", {}).get("store", 0)
        context.check(recorded == stores * wanted, f"{words}: {recorded} stores recorded, expected {stores * wanted}", done)
    # A failure of the second phase that needs main's store between them: whenever another thread comes first.
    done, report = explore(context, program, ("assertion", 2), "--keep-going")
    kinds = [finding.get("kind") for finding in report.get("findings", [])]
    context.check(kinds == ["assertion"] and report.get("complete") is True and report.get("executions") == f(2) * 2,
                  f"assertion: {kinds}, {report.get('executions')} executions", done)
    # Nobody joins one thread, which starts, writes twice and ends: four steps. Main reads both places, then begins to exit, then is at its
    # end; both are ordered with everything. Of the thread's steps n come before the first of these, in 1, 1, 2, 4 and 4 orders with main's
    # reads, and then as many as are left, or fewer, before the second. The race is found again in a fresh process, also where that thread
    # has ended before main reads.
    report = context.folder / "detached.json"
    done = context.tool("run", "--json", report, "--color", "never", "--strategy", "dpor", "--points", "shared", "--keep-going", "--", program,
                        "detached", 1)
    found = harness.read_json(report)
    kinds = [finding.get("kind") for finding in found.get("findings", [])]
    context.check(done.code == harness.DEFECT and kinds == ["data-race"] and found.get("complete") is True and found.get("executions") == 5 * 1 + 4 * 1 + 3 * 2 + 2 * 4 + 1 * 4,
                  f"detached: {kinds}, {found.get('executions')} executions", done)
    done = context.tool("outcomes", "--json", report, "--color", "never", "--points", "shared", "--", program, "detached", 1)
    seen = {(row["observations"].get("plain"), row["observations"].get("y")) for row in harness.read_json(report).get("outcomes", [])}
    context.check(seen == {(a, b) for a in "01" for b in "01"}, f"detached: {seen}", done)


def verdicts(context: harness.Context) -> None:
    program = context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))
    if program is None:
        return
    # The budget ends first: exit code 5, not complete. Exactly enough: complete.
    done, report = explore(context, program, ("racy", 3), "--iterations", 35, "--expect-complete")
    context.check(done.code == INCONCLUSIVE and report.get("complete") is False, f"racy 3, 35 runs: exit code {done.code}", done)
    done, report = explore(context, program, ("racy", 3), "--iterations", 37, "--expect-complete")
    context.check(done.code == harness.CLEAN and report.get("complete") is True, f"racy 3, 37 runs: exit code {done.code}", done)
    conventions = report.get("conventions", {})
    context.check("Mazurkiewicz" in conventions.get("counted", "") and "events" in conventions, "conventions are named", report)
    # Deadlocks are maximal traces: 2^n - 1 of which one is stuck (AB-BA is n = 2).
    for n in (2, 3, 4):
        done, report = explore(context, program, ("philosophers", n), "--keep-going")
        kinds = [finding.get("kind") for finding in report.get("findings", [])]
        context.check(done.code == harness.DEFECT and kinds == ["deadlock"] and report.get("complete") is True
                      and report.get("executions") == 2**n - 1 and report.get("blocked") == 0,
                      f"philosophers {n}: {report.get('executions')} executions, {kinds}, exit code {done.code}", done)
    # Without --keep-going the first defect ends it.
    done, report = explore(context, program, ("philosophers", 3))
    context.check(done.code == harness.DEFECT and report.get("complete") is False, f"philosophers: exit code {done.code}", done)
    # Failures behind one certain order.
    for words in (("failingtrap",), ("twostage", 0, 2), ("reorder", 2, 2), ("airline", 2, 2)):
        done, report = explore(context, program, words, "--keep-going")
        kinds = [finding.get("kind") for finding in report.get("findings", [])]
        context.check(done.code == harness.DEFECT and kinds == ["assertion"] and report.get("complete") is True,
                      f"{words}: {kinds}, exit code {done.code}, {report.get('executions')} executions", done)
    # Plain accesses: the race is a finding and does not end the search.
    done, report = explore(context, program, ("plain", 3), "--keep-going")
    kinds = {finding.get("kind") for finding in report.get("findings", [])}
    context.check(report.get("executions") == 36 and report.get("complete") is True and kinds == {"data-race"},
                  f"plain 3: {report.get('executions')} executions, {kinds}", done)
    # A bounded number of faults is not for a reduced search.
    done, report = explore(context, program, ("racy", 2), "--faults", "spurious-wakeup")
    context.check(done.code == harness.USAGE and "faults" in done.err, f"faults: exit code {done.code}", done)
