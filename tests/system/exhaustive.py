# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Exhaustive search on compiled programs: the number of executions is the known number of traces, none is run in vain."""
import math

import harness

INCONCLUSIVE = 5
POINTS = ("--points", "shared", "--points-exclude", "lifecycle")

f = math.factorial

# program, N, K -> traces. Closed forms where there is one.
COUNTS = [
    *[(("readers", n), 2**n) for n in (1, 3, 5)],
    *[(("writers", n), f(n)) for n in (2, 3, 4)],
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
]
LONG = [
    (("readers", 10), 1024), (("writers", 6), 720), (("floating", 6), 5040), (("increments", 6), 720),
    (("counters", 4, 2), 576), (("counters", 3, 3), 216), (("racy", 4), 576), (("casrot", 8), 2048),
    (("wcas", 7), 449), (("casw", 4), 1200), (("lastzero", 10), 3328), (("indexer", 14), 512), (("filesystem", 20), 128),
    (("fib", 4), 1107), (("fib", 5), 8953), (("fibbench", 3), 1698), (("treiber", 4), 3120), (("lockinc", 4, 2), 2520),
    (("airline", 3), 864),
]


def explore(context: harness.Context, program, words, *options, strategy: str = "dpor") -> tuple[harness.Finished, dict]:
    report = context.folder / "report.json"
    report.unlink(missing_ok=True)
    done = context.tool("run", "--json", report, "--color", "never", "--strategy", strategy, *POINTS, "--iterations", 1_000_000,
                        *options, "--", program, *words, timeout=600)
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


def counts(context: harness.Context) -> None:
    check_counts(context, COUNTS)


def long_counts(context: harness.Context) -> None:
    check_counts(context, LONG)
