# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Free-running mode: outcomes on real threads, noise and its placements, programs that must not notice it, failures that become plans.

Effects are tested with statistics and bounded by runs: a machine that is busy changes nothing that is checked."""
import concurrent.futures
import json
import math
import os
import re
import socket
import subprocess
import threading
import time

import harness


def source(context: harness.Context, name: str):
    return context.sources / "free" / f"{name}.cpp"


def marked(context: harness.Context, name: str, marker: str) -> int:
    lines = source(context, name).read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if f"// here: {marker}" in line)


def free(context: harness.Context, program, *options, arguments=(), name="free", timeout=harness.WATCHDOG) -> tuple[harness.Finished, dict]:
    report = context.folder / f"{name}.json"
    report.unlink(missing_ok=True)
    done = context.command([context.ravel, "run", "--free", "--json", report, "--color", "never", *options, program, *arguments], timeout=timeout)
    return done, harness.read_json(report) if report.exists() else {}


def fisher(a: int, n: int, b: int, m: int) -> float:
    """The chance that at least `a' of the a + b failures are among the n runs of the first kind."""
    k = a + b
    return sum(math.comb(n, i) * math.comb(m, k - i) for i in range(a, min(n, k) + 1)) / math.comb(n + m, k)


def outcomes(context: harness.Context) -> None:
    """Every end has the kind, the place and the exit code that it has in controlled mode."""
    program = context.build(source(context, "ends"))
    if program is None:
        return
    ends = {"assert": "assertion", "check": "assertion", "abort": "signal", "segv": "signal", "throw": "exception", "exit": "exit-code",
            "return": "exit-code", "term": "signal", "semaphore": "deadlock", "locks": "deadlock", "hang": "hang"}
    for how, kind in ends.items():
        done, report = free(context, program, "--runs", 1, "--hang", "1s", arguments=[how])
        found = report.get("findings", [])
        good = done.code == harness.DEFECT and report.get("mode") == "free" and report.get("failed") == 1 and len(found) == 1
        if not context.check(good and found[0]["kind"] == kind, f"{how}: exit code {done.code}", done):
            continue
        context.check(found[0]["reproducible"] is False and "not reproducible yet" in done.out, f"{how}: not said to be unpinned", done)
        if how in ("assert", "check", "segv", "throw"):
            line = marked(context, "ends", how)
            context.check(found[0]["location"].get("line") == line, f"{how}: {found[0]['location']} instead of line {line}", done)
        if how == "locks":
            text = "\n".join(found[0]["details"])
            context.check("held by main.1" in text and "held by main\n" in text + "\n", f"circle: {text}", done)
    done, report = free(context, program, "--runs", 3, arguments=["fine"])
    low, high = report.get("interval", (1, 0))
    context.check(done.code == harness.CLEAN and report.get("runs") == 3 and low == 0 and 0.5 < high < 0.6, "a run that ends well", done)
    done, report = free(context, program, "--runs", 1, arguments=["kill"])
    context.check(done.code == 5 and report.get("failed") == 0, f"killed by somebody else: {done.code}", done)
    done, report = free(context, program, "--runs", 1, arguments=["output"])
    context.check(done.code == harness.CLEAN, f"200 MB of output: {done.code}", done)
    single = context.build(source(context, "single"))
    done, report = free(context, single)
    context.check(done.code == harness.CANNOT_TEST and report.get("vacuous") and "two threads" in report["reason"], "one thread", done)
    done, _ = free(context, single, "--allow-vacuous")
    context.check(done.code == harness.CLEAN, "one thread, allowed", done)
    done, report = free(context, "/bin/true")
    context.check(done.code == harness.CANNOT_TEST and report.get("vacuous"), "not instrumented", done)


def waits(context: harness.Context) -> None:
    """Who waits by a futex of the C++ library, or for a one-time initialisation, is part of a deadlock; who may still be woken is not."""
    program = context.build(source(context, "waits"))
    not_inlined = context.build(source(context, "waits"), name="waits-O0", flags=("-O0",))
    if program is None or not_inlined is None:
        return
    everything = ("atomic", "narrow", "latch", "barrier", "semaphore", "future", "once", "rwlock", "forked", "main_left")
    for program, how in [(program, how) for how in everything] + [(not_inlined, how) for how in ("narrow", "latch", "future", "once", "rwlock")]:
        done, report = free(context, program, "--runs", 1, "--hang", "60s", arguments=[how])
        found = report.get("findings", [])
        if not context.check(done.code == harness.DEFECT and [one["kind"] for one in found] == ["deadlock"], f"{how}: {done.code}", done):
            continue
        words = {"once": "one-time initialisation", "rwlock": "reader-writer lock"}.get(how, "atomic")
        text = "\n".join(found[0]["details"])
        context.check(words in text and ("held by" in text) == (how == "rwlock"), f"{how}: {text}", done)
        line = marked(context, "waits", {"forked": "atomic"}.get(how, how))
        context.check(f"waits.cpp:{line}" in text, f"{how}: not at line {line}: {text}", done)
    for how in ("atomic", "narrow", "latch", "barrier", "semaphore", "future", "timed", "guard", "child", "handler"):
        done, _ = free(context, program, "--runs", 2, arguments=[how, "late"] if how not in ("timed", "guard", "child", "handler") else [how])
        context.check(done.code == harness.CLEAN, f"{how}, late: {done.code}", done)


def refused(context: harness.Context) -> None:
    """One line each: what is wrong, and what to do."""
    program = context.build(source(context, "single"))
    wrong = [(["--free", "--strategy", "pct"], "operating system"), (["--free", "--points", "all"], "scheduling points"),
             (["--free", "--timeouts", "fair"], "time"), (["--free", "--iterations", "3"], "--runs"), (["--noise", "yield"], "--free"),
             (["--runs", "3"], "--free"), (["--free", "--noise", "yeild"], "yield"), (["--free", "--noise", "yield,freq=1001"], "1000"),
             (["--free", "--noise", "sleep,strength=1000001"], "microseconds"), (["--free", "--noise", "yield,place=var-on"], "var-one"),
             (["--free", "--runs", "0"], "range"), (["--free", "--noise", "random,tt"], "random")]
    for words, hint in wrong:
        done = context.command([context.ravel, "run", *words, program])
        context.check(done.code == harness.USAGE and hint in done.err and done.err.count("\n") == 1, f"{words}: {done.code}", done)
    places = context.folder / "places.txt"
    places.write_text("nowhere.cpp:1\n")
    done = context.command([context.ravel, "run", "--free", "--noise", f"yield,place=places:{places}", program])
    context.check(done.code == harness.USAGE and "no place of the list" in done.err, "a list of places that are not there", done)
    for text in ("", "{}", '{"ravel_run": 1}', "[1"):
        bad = context.folder / "bad.run"
        bad.write_text(text)
        done = context.command([context.ravel, "pin", bad])
        context.check(done.code == harness.USAGE and "not a run" in done.err, f"pin {text!r}: {done.code}", done)
    done = context.command([context.ravel, "flaky", program])
    context.check(done.code == harness.CANNOT_TEST and "framework" in done.err, f"flaky without a framework: {done.code}", done)


def places_of(report: dict) -> dict[int, int]:
    return {int(row["place"].rsplit(":", 1)[1]): row["injections"] for row in report["injected"]["places"] if ":" in row["place"]}


def placement(context: harness.Context) -> None:
    """Noise is where its placement says, as often as its frequency says."""
    program = context.build(source(context, "two_variables"))
    left, right, lock = (marked(context, "two_variables", marker) for marker in ("left", "right", "lock"))
    done, report = free(context, program, "--runs", 2, "--noise", "yield,freq=0")
    context.check(done.code == harness.CLEAN and report["injections"] == 0, "frequency 0", done)
    # `left += i' is a read and a write, twice 200 times in each run.
    done, report = free(context, program, "--runs", 3, "--noise", "yield,freq=1000,strength=1,place=var-all")
    context.check(places_of(report).get(left) == 2 * 800, f"frequency 1000: {report['injected']}", done)  # the first run learns
    done, report = free(context, program, "--runs", 6, "--noise", "yield,freq=100,strength=1,place=var-all")
    count = places_of(report).get(left, 0)
    context.check(abs(count - 400) < 5 * math.sqrt(4000 * 0.1 * 0.9), f"frequency 100: {count} of 4000", done)
    seen = set()
    for seed in range(1, 13):
        done, report = free(context, program, "--runs", 2, "--seed", seed, "--noise", "yield,freq=500,strength=1,place=var-one")
        lines = frozenset(line for line in places_of(report) if line in (left, right, lock))
        context.check(len(lines) <= 1 and lock not in lines, f"one variable: {set(lines)}", done)
        seen |= lines
    context.check(seen == {left, right}, f"variables: {seen}")
    # The one variable is another one in another run of the same campaign.
    done, report = free(context, program, "--runs", 12, "--noise", "yield,freq=500,strength=1,place=var-one+other")
    context.check({left, right, lock} <= set(places_of(report)), f"one variable, and other places: {report['injected']}", done)
    done, report = free(context, program, "--runs", 2, "--noise", "yield,freq=500,strength=1,place=sync")
    context.check(left not in places_of(report) and lock in places_of(report), f"sync: {report['injected']}", done)
    places = context.folder / "places.txt"
    places.write_text(f"# one line\ntwo_variables.cpp:{right}\n")
    done, report = free(context, program, "--runs", 2, "--noise", f"yield,freq=500,strength=1,place=places:{places}")
    context.check(set(places_of(report)) == {right}, f"list: {report['injected']}", done)
    done, report = free(context, program, "--runs", 3, "--noise", "sleep,freq=1000,strength=200,place=coverage,prob=nfreq")
    context.check(report["injections"] > 0 and report["injected"]["overlapping"] == 0, f"one at a time: {report['injected']}", done)
    done, report = free(context, program, "--runs", 2, "--noise", "mixed,freq=1000,strength=3")
    seedings = {row["seeding"]: row for row in report["injected"]["seedings"]}
    context.check(set(seedings) == {"yield", "sleep", "wait", "busyWait", "synchYield"}, f"mixed: {seedings}", done)
    done, report = free(context, program, "--runs", 2, "--noise", "sleep,freq=20,strength=3000")
    row = report["injected"]["seedings"][0]
    good = row["delays"] == report["injections"] > 0 and row["weakest"] == row["strongest"] == 3000 <= row["shortest_us"] <= row["mean_us"]
    context.check(good, f"strength: {row}", done)
    done, report = free(context, program, "--runs", 20, "--noise", "random")
    drawn = report["configurations"]
    context.check(len(drawn) == 20 and len(set(drawn)) >= 15, f"random: {drawn}", done)
    done, report = free(context, program, "--runs", 4, "--noise", "yield,freq=20,ht")
    context.check(report["injected"]["halts"] + report["injected"]["halts_given_up"] > 0, f"halts: {report['injected']}", done)
    sleeps = context.build(source(context, "sleep_as_sync"))
    done, _ = free(context, sleeps, "--runs", 2)
    context.check(done.code == harness.CLEAN, "sleep as synchronisation, untouched", done)
    done, _ = free(context, sleeps, "--until-failure", "--runs", 60, "--noise", "yield,freq=0,tt")
    context.check(done.code == harness.DEFECT, "sleep as synchronisation, shortened", done)


def reversal(context: harness.Context) -> None:
    """Placement by coverage delays who was first, there and nowhere else, until the order is the other one; its computed strength is the time
    between the two, at most 10 ms."""
    program = context.build(source(context, "reversed"))
    first = marked(context, "reversed", "first")
    # The first run is without noise; the second knows the place and not yet how often it is executed: one in a hundred, one in four from then on.
    # On a busy machine the order may be the other one without noise too, hardly in one of four runs.
    done, report = free(context, program, "--runs", 50, "--noise", "sleep,strength=300000,place=coverage", arguments=[30])
    blame = [one for found in report["findings"] for one in found["blame"]]
    good = len(blame) == 1 and blame[0]["place"].endswith(f"reversed.cpp:{first}") and blame[0]["p"] < 0.01
    context.check(good and set(places_of(report)) == {first} and 4 <= report["injections"] <= 25, f"reversed: {report['injected']} {blame}", done)
    done, report = free(context, program, "--runs", 3, "--noise", "yield,freq=1000,place=coverage+strength,prob=nfreq", arguments=[600])
    rows = report["injected"]["seedings"]
    good = done.code == harness.CLEAN and len(rows) == 1 and rows[0]["seeding"] == "sleep" and rows[0]["delays"] == 2
    context.check(good and 9_990 <= rows[0]["weakest"] <= rows[0]["strongest"] <= 10_000 and rows[0]["shortest_us"] >= 9_990, f"computed strength: {rows}", done)


def effect(context: harness.Context) -> None:
    """An unlocked total is lost rarely without noise, and mostly under it."""
    program = context.build(context.sources / "corpus" / "noise" / "sunbank.cpp")
    runs = 60
    _, plain = free(context, program, "--runs", runs, arguments=["4", "20"])
    done, noisy = free(context, program, "--runs", runs, "--noise", "yield,freq=50,strength=10", arguments=["4", "20"])
    p = fisher(noisy["failed"], runs, plain["failed"], runs)
    print(f"sunbank: {plain['failed']} of {runs} plain, {noisy['failed']} of {runs} under noise, p {p:.2g}")
    context.check(2 * noisy["failed"] >= runs and p < 0.01, f"effect: {plain['failed']} -> {noisy['failed']}", done)


def effects_long(context: harness.Context) -> None:
    """N11: a bug that hardly ever shows by itself is found under noise; and noise can hide a failure."""
    sunbank = context.build(context.sources / "corpus" / "noise" / "sunbank.cpp")
    done, plain = free(context, sunbank, "--runs", 1000, arguments=["4", "20"])
    noisy_done, noisy = free(context, sunbank, "--runs", 200, "--noise", "yield,freq=50,strength=10", arguments=["4", "20"])
    p = fisher(noisy["failed"], 200, plain["failed"], 1000)
    print(f"sunbank: {plain['failed']} of 1000 plain, {noisy['failed']} of 200 under noise, p {p:.2g}")
    context.check(plain["runs"] == 1000 and plain["failed"] <= 10, f"sunbank by itself: {plain['failed']}", done)
    context.check(2 * noisy["failed"] >= 200 and p < 0.01, f"sunbank under noise: {noisy['failed']}, p {p}", noisy_done)
    crawler = context.build(context.sources / "corpus" / "noise" / "crawler.cpp")
    done, plain = free(context, crawler, "--runs", 3000, arguments=["1"])
    noisy_done, noisy = free(context, crawler, "--runs", 400, "--noise", "yield,freq=50,strength=10", arguments=["1"])
    p = fisher(noisy["failed"], 400, plain["failed"], 3000)
    print(f"crawler: {plain['failed']} of 3000 plain, {noisy['failed']} of 400 under noise, p {p:.2g}")
    context.check(plain["runs"] == 3000 and plain["failed"] <= 3, f"rare by itself: {plain['failed']}", done)
    context.check(noisy["failed"] >= 4 and p < 0.01, f"under noise: {noisy['failed']}, p {p}", noisy_done)
    window = context.build(source(context, "write_in_window"))
    done, plain = free(context, window, "--runs", 100)
    _, noisy = free(context, window, "--runs", 100, "--noise", "sleep,freq=1000,strength=10000,place=sync")
    p = fisher(plain["failed"], 100, noisy["failed"], 100)
    print(f"write_in_window: {plain['failed']} of 100 plain, {noisy['failed']} of 100 under noise, p {p:.2g}")
    context.check(noisy["failed"] < plain["failed"] and p < 0.01, f"noise that hides: {plain['failed']} -> {noisy['failed']}", done)


def same_output(context: harness.Context, runs: int) -> None:
    # Each run draws a noise of its own.
    unchanged = context.build(source(context, "unchanged"), libraries=("-ldl",))
    openmp = context.build(source(context, "openmp"), flags=("-fopenmp",))
    forks = context.build(source(context, "fork_beside_allocation"))
    bare = context.build(source(context, "bare_forks"))
    robust = context.build(context.sources / "programs" / "robust_mutexes.cpp")
    for program, status in ((unchanged, 7), (openmp, 0), (forks, 0), (bare, 0), (robust, 0)):
        alone = context.command([program])
        context.check(alone.code == status, f"{program.name} without Ravel: {alone.code}", alone)
        done, report = free(context, program, "--quiet", "--runs", runs, "--noise", "random", "--show-output", "--expect-exit", status)
        good = done.code == harness.CLEAN and report.get("runs") == runs and report["injections"] > 0
        context.check(good and done.out == alone.out * runs, f"{program.name}: {done.code}, {report.get('injections')} injections", done)


def unchanged(context: harness.Context) -> None:
    """fork, exec, signals, cancellation, thread_local destructors, exceptions, dlopen, libgomp, robust mutexes: as without Ravel."""
    same_output(context, 6)


def unchanged_long(context: harness.Context) -> None:
    same_output(context, 200)


NOISE = ("yield,freq=50,strength=10", "sleep,freq=200,strength=500", "wait,freq=200,strength=500,ht", "random")


def pinned(context: harness.Context, program, words) -> tuple[bool, bool, str]:
    """Shown by free runs; pinned; how."""
    for noise in NOISE:
        done, report = free(context, program, "--until-failure", "--runs", 60, "--time", "60s", "--hang", "3s", "--noise", noise, "--pin", arguments=words)
        found = report.get("findings", [])
        if not found:
            continue
        pin = found[0]["pin"]
        if pin["pinned"]:
            context.check(pin["reproduced"] == pin["replays"] == 100, f"{program.name}: replayed {pin['reproduced']} of {pin['replays']}", done)
        return True, pin["pinned"], f"{noise}: {found[0]['kind']}, {pin['by'] or pin['nearest']}"
    return False, False, "not shown"


def pin(context: harness.Context) -> None:
    """Failures of free runs become plans: along the order that was recorded."""
    sunbank = context.build(context.sources / "corpus" / "noise" / "sunbank.cpp")
    for program, words in ((sunbank, ["4", "20"]), (context.build(source(context, "ends")), ["locks"])):
        shown, good, how = pinned(context, program, words)
        print(f"{program.name}: {how}")
        context.check(shown and good, f"{program.name}: {how}")
    run = next((context.folder / ".ravel").glob("sunbank-*.run"), None)
    if context.check(run is not None, "the failing run was not saved"):
        done = context.command([context.ravel, "pin", run])
        context.check(done.code == harness.DEFECT and "replayed 100 of 100" in done.out, "pin of a saved run", done)
        text = json.loads(run.read_text())
        context.check(re.search(r"^main\.1 lock$", text["sequence"], re.M) is not None, "no order of synchronisation in the run", text)


def pin_long(context: harness.Context) -> None:
    """At least nine of ten defects that free runs show become plans."""
    shown = good = 0
    for folder in ("noise", "classic", "core"):
        for src in harness.sources_in(context.sources / "corpus" / folder):
            expected = src.with_suffix(".expect.json")
            words = json.loads(expected.read_text()).get("arguments", [[]])[0] if expected.exists() else []
            program = context.build(src)
            if program is None:
                continue
            was_shown, was_pinned, how = pinned(context, program, words)
            shown += was_shown
            good += was_pinned
            print(f"{src.stem}: {how}", flush=True)
    print(f"pinned {good} of {shown}")
    context.check(shown >= 10 and 10 * good >= 9 * shown, f"pinned {good} of {shown}")


def flaky(context: harness.Context) -> None:
    """Every test of a program, ranked by how often it fails."""
    text = '#include <gtest/gtest.h>\n#include <thread>\nvolatile int n = 0;\nvoid add() { for (int i = 0; i < 50; ++i) { const int was = n; n = was + 1; } }\n' \
           'TEST(Count, Lost) { n = 0; std::thread a(add), b(add); a.join(); b.join(); ASSERT_EQ(n, 100); }\n' \
           'TEST(Count, Kept) { n = 0; std::thread a(add); a.join(); add(); ASSERT_EQ(n, 100); }\n'
    src = context.folder / "tests.cpp"
    src.write_text(text)
    program = context.build(src, libraries=("-lgtest", "-lgtest_main"))
    if program is None:
        return
    report = context.folder / "flaky.json"
    done = context.command([context.ravel, "flaky", "--runs", 12, "--noise", "yield,freq=100", "--json", report, program])
    tests = harness.read_json(report).get("tests", [])
    context.check(done.code == harness.DEFECT and [test["test"] for test in tests] == ["Count.Lost", "Count.Kept"], "ranks", done)
    if len(tests) == 2 and tests[0]["findings"]:
        context.check(tests[0]["failed"] > 0 and tests[1]["failed"] == 0 and tests[1]["runs"] == 12, "counts", done)
        found = tests[0]["findings"][0]
        context.check(found["pin"]["pinned"] and found["pin"]["reproduced"] == 100, f"pin: {found['pin']}", done)
    # A lost update is a write of the other thread between the two accesses of one: it separates the runs, if there are some of both.
    done = context.command([context.ravel, "flaky", "--runs", 40, "--noise", "yield,freq=10", "--no-pin", "--tests", "Lost", "--json", report, program])
    test = harness.read_json(report)["tests"][0]
    if 4 <= test["failed"] <= 36:
        line = text[:text.index("n = was")].count("\n") + 1
        context.check(f"tests.cpp:{line} .. :{line} with :{line} between: in {test['failed']} of {test['failed']} failing" in done.out, "suspect", done)
    else:
        print(f"{test['failed']} of 40 fail: nothing to compare")


def race_pairs(report: dict) -> set[tuple[str, ...]]:
    """The places of each race: of both modes by the same words."""
    return {tuple(sorted(re.findall(r"([\w.-]+\.(?:cpp|h):\d+) \(T", found["message"]))) for found in report.get("findings", [])
            if found["kind"] == "data-race"}


def controlled_races(context: harness.Context, program, words) -> set[tuple[str, ...]]:
    report = context.folder / "controlled.json"
    report.unlink(missing_ok=True)
    context.command([context.ravel, "run", "--time", "1s", "--keep-going", "--detect", "data-race", "--json", report, program, *words])
    return race_pairs(harness.read_json(report))


GENTLE = "sleep,freq=20,strength=50"


def compare_races(context: harness.Context, src, runs: int, exact: bool) -> tuple[int, int]:
    """What races in free runs races in controlled ones; a twin never does. How many pairs both know, and the controlled ones."""
    expected = src.with_suffix(".expect.json")
    words = (json.loads(expected.read_text()).get("arguments") or [[]])[0] if expected.exists() else []
    program = context.build(src)
    if program is None:
        return 0, 0
    done, report = free(context, program, "--runs", runs, "--hang", "3s", "--time", "20s", "--detect", "data-race", "--noise", GENTLE, arguments=words)
    found, known = race_pairs(report), controlled_races(context, program, words)
    text = src.read_text()
    # A controlled execution that reads what was unmapped ends there, and shows the fault instead of the race.
    unmaps = {f"{src.name}:{number}" for number, line in enumerate(text.splitlines(), 1) if "munmap(" in line}
    found = {pair for pair in found if not unmaps & set(pair)}
    good = found == known if exact else found <= known
    decided = report.get("races_undecided") == 0 or "sigaction" in text or "signal(" in text
    context.check(good and decided, f"{src.stem}: {found} instead of {known}", done)
    fixed = context.build(src, name=f"{src.stem}-fixed", defines=("FIXED",))
    done, report = free(context, fixed, "--runs", runs, "--hang", "3s", "--time", "20s", "--detect", "data-race,vector-clock,goldilocks,overlap", "--noise", GENTLE,
                        arguments=words)
    races = [one for one in report.get("findings", []) if one["kind"] == "data-race"]
    context.check(not races, f"{src.stem}, repaired: {races}", done)
    return len(found & known), len(known)


def races(context: harness.Context) -> None:
    """D19: happens-before races from program order and synchronisation order: the pairs of controlled mode, and none of the twins."""
    # Which of its pairs the third one shows depends on who comes first.
    for name, exact in (("lost_update", True), ("wrong_lock", True), ("double_checked_publication", False)):
        compare_races(context, context.sources / "corpus" / "core" / f"{name}.cpp", 6, exact)
    compare_races(context, context.sources / "corpus" / "classic" / "port_delete.cpp", 3, True)  # with a sized delete
    program = context.build(source(context, "counter"))
    line = marked(context, "counter", "counter")
    for detector in ("data-race", "vector-clock", "goldilocks"):
        done, report = free(context, program, "--runs", 3, "--detect", detector)
        lines = {found["location"].get("line") for found in report.get("findings", [])}
        context.check(done.code == harness.DEFECT and lines == {line}, f"{detector}: {lines}", done)
    for name in ("atomic_shared_pointer", "memory_freed_and_reused", "publication_by_condition"):
        program = context.build(context.sources / "false_alarms" / f"{name}.cpp")
        done, report = free(context, program, "--runs", 6, "--detect", "data-race,vector-clock", "--noise", GENTLE)
        context.check(not race_pairs(report) and report.get("races_undecided") == 0, f"{name}: {report.get('findings')}", done)
    done, _ = free(context, program, "--detect", "avio")
    context.check(done.code == harness.USAGE and "avio" in done.err and done.err.count("\n") == 1, "a detector that is off", done)


def openmp(context: harness.Context) -> None:
    """What libgomp orders is no race, what it does not order is one."""
    detectors = ("--detect", "data-race,vector-clock", "--noise", GENTLE)
    program = context.build(source(context, "openmp_orders"), flags=("-fopenmp",))
    done, report = free(context, program, "--runs", 10, *detectors)
    good = done.code == harness.CLEAN and report.get("races_undecided") == 0
    context.check(good, f"orders of OpenMP: {report.get('findings')} {report.get('doubt')}", done)
    broken = context.build(source(context, "openmp_orders"), name="openmp_race", defines=("RACE",), flags=("-fopenmp",))
    done, report = free(context, broken, "--runs", 3, *detectors)
    lines = {found["location"].get("line") for found in report.get("findings", [])}
    context.check(done.code == harness.DEFECT and lines == {marked(context, "openmp_orders", "sum")}, f"a race in OpenMP: {lines}", done)
    # TBB orders its threads by atomics that nobody sees.
    program = context.build(context.sources / "false_alarms" / "parallel_algorithms.cpp", libraries=("-ltbb",))
    if program is not None:
        done, report = free(context, program, "--runs", 2, *detectors)
        context.check(not race_pairs(report) and report.get("races_undecided") == 2, "nothing is said about races beside TBB", done)


def races_long(context: harness.Context) -> None:
    """D19 over everything there is."""
    both = controlled = 0
    for folder in ("core", "classic", "detect", "noise"):
        for src in harness.sources_in(context.sources / "corpus" / folder):
            found, known = compare_races(context, src, 10, False)
            both, controlled = both + found, controlled + known
            print(f"{src.stem}: {found} of {known}", flush=True)
    print(f"{both} of {controlled} pairs of controlled mode")
    context.check(controlled >= 25 and 3 * both >= 2 * controlled, f"pairs: {both} of {controlled}")
    for src in harness.sources_in(context.sources / "false_alarms"):
        program = context.build(src, libraries=tuple(harness.expectation_of(src).notes.get("libraries", "").split()))
        if program is None:
            continue
        done, report = free(context, program, "--runs", 10, "--time", "30s", "--detect", "data-race", "--noise", GENTLE)
        context.check(not race_pairs(report), f"{src.stem}: {report.get('findings')}", done)
        print(src.stem, report.get("runs"), report.get("races_undecided"), flush=True)


def windows(context: harness.Context) -> None:
    """D20: an access stays open while noise delays it: who comes to it meanwhile has found a race."""
    noise = "sleep,freq=100,strength=200"
    line = marked(context, "counter", "counter")
    done, report = free(context, context.build(source(context, "counter")), "--until-failure", "--runs", 60, "--detect", "overlap", "--noise", noise)
    found = report.get("findings", [])
    good = done.code == harness.DEFECT and found and all(one["detector"] == "overlap" and one["location"].get("line") == line for one in found)
    context.check(good, f"overlaps: {found}", done)
    fixed = context.build(source(context, "counter"), name="counter-fixed", defines=("FIXED",))
    done, report = free(context, fixed, "--runs", 10, "--detect", "overlap", "--noise", noise)
    context.check(done.code == harness.CLEAN and report["injections"] > 0, "a counter with a lock", done)


def coverage(context: harness.Context) -> None:
    """Where the program itself leaves one order, free runs cover what controlled ones do: all metrics, by name."""
    program = context.build(source(context, "forced_order"))
    files = {mode: context.folder / f"{mode}.cov" for mode in ("controlled", "free")}
    context.command([context.ravel, "run", "--coverage", "all", "--points", "all", "--strategy", "random", "--iterations", 1, "--coverage-file",
                     files["controlled"], program])
    done, report = free(context, program, "--runs", 4, "--noise", "sleep,freq=100,strength=20", "--coverage", "all", "--coverage-file", files["free"])
    context.check(done.code == harness.CLEAN and report["coverage"]["tasks"] > 50, "coverage of free runs", done)
    # Not concurpairs, interrupt and sync: which of two threads is first to wait, the program leaves open.
    names = ["avio", "avio*", "eraser", "eraser*", "goldilock", "goldilock*", "goodlock", "goodlock*", "hbpair", "hbpair*", "dupairs", "dupairs*",
             "goldilocksc", "driving", "rf", "place"]
    for name in names:
        tasks = {mode: set(context.command([context.ravel, "coverage", "tasks", name, path]).out.splitlines()) for mode, path in files.items()}
        context.check(tasks["controlled"] == tasks["free"] and tasks["free"], f"{name}: {tasks['controlled'] ^ tasks['free']}")
    text = files["free"].read_text()
    context.check(re.search(r"^noise sleep,freq=100", text, re.M) and re.search(r"^injected \S*forced_order.cpp:\d+ \d+$", text, re.M), "no noise in the file", text[:600])
    again = context.folder / "again.cov"
    context.command([context.ravel, "coverage", "merge", files["free"], "--output", again])
    context.check("injected " in again.read_text(), "noise is lost when files are put together")


def bursts(context: harness.Context) -> None:
    """A long run is logged in bursts: it shows tasks, and none that short executions of the same program do not have."""
    program = context.build(source(context, "long_counter"))
    files = {mode: context.folder / f"{mode}.cov" for mode in ("controlled", "free")}
    context.command([context.ravel, "run", "--coverage", "all", "--points", "all", "--strategy", "random", "--iterations", 400, "--coverage-file",
                     files["controlled"], program])
    done, report = free(context, program, "--runs", 1, "--coverage", "default,dupairs", "--coverage-file", files["free"], arguments=[100000])
    context.check(done.code == harness.CLEAN and report["recorders_full"], "a long run", done)
    for name in ("avio*", "goldilock", "hbpair*", "rf", "dupairs"):
        tasks = {mode: set(context.command([context.ravel, "coverage", "tasks", name, path]).out.splitlines()) for mode, path in files.items()}
        context.check(tasks["free"] and tasks["free"] <= tasks["controlled"], f"{name}: {tasks['free'] - tasks['controlled']} of {len(tasks['free'])}")


def heal_ratio(context: harness.Context, runs: int) -> None:
    noise = "sleep,freq=50,strength=30"
    sunbank = context.build(context.sources / "corpus" / "noise" / "sunbank.cpp")
    context.command([context.ravel, "run", "--detect", "none", sunbank, "4", "20"])
    plan = context.folder / ".ravel" / "sunbank-1.plan"
    _, sick = free(context, sunbank, "--runs", runs, "--noise", noise, arguments=["4", "20"])
    done, healed = free(context, sunbank, "--runs", runs, "--noise", noise, "--heal", plan, arguments=["4", "20"])
    p = fisher(sick["failed"], runs, healed["failed"], runs)
    print(f"sunbank: {sick['failed']} of {runs}, healed {healed['failed']}, {healed['healing']}, p {p:.2g}")
    # On a busy machine a thread may be away from its section for longer than others may wait for it.
    context.check(healed["healing"]["entered"] > 0 and p < 0.01 and 10 * healed["failed"] <= sick["failed"] + 10 * 3, "healing sunbank", done)


def heal_locks(context: harness.Context, runs: int) -> None:
    orders = context.build(source(context, "two_orders"))
    context.command([context.ravel, "run", "--detect", "none", orders])
    plan = context.folder / ".ravel" / "two_orders-1.plan"
    noise = "sleep,freq=50,strength=50"
    done, sick = free(context, orders, "--runs", 60, "--until-failure", "--noise", noise)
    context.check(sick["failed"] == 1 and sick["findings"][0]["kind"] == "deadlock", "two orders do not meet", done)
    done, healed = free(context, orders, "--runs", runs, "--hang", "3s", "--noise", noise, "--heal", plan)
    print(f"two orders: first in run {sick['runs']}, healed {healed['failed']} of {healed['runs']}, {healed['healing']}")
    context.check(done.code == harness.CLEAN and healed["runs"] == runs, "healing two orders of locks", done)


def heal(context: harness.Context) -> None:
    """D21: the program runs on with the defect kept away."""
    heal_ratio(context, 40)
    heal_locks(context, 20)
    done, _ = free(context, context.build(source(context, "single")), "--heal", context.folder / ".ravel" / "two_orders-1.plan")
    context.check(done.code == harness.USAGE and "another build" in done.err, "a plan of another program", done)


def heal_long(context: harness.Context) -> None:
    heal_ratio(context, 300)
    heal_locks(context, 1000)


def noise_command(context: harness.Context) -> None:
    """Which noise a failure needs, and waits whose time-outs are shortened."""
    sunbank = context.build(context.sources / "corpus" / "noise" / "sunbank.cpp")
    noise = "sleep,freq=50,strength=30"
    done = context.command([context.ravel, "noise", "minimize", "--noise", noise, "--runs", 8, sunbank, "4", "20"])
    places = context.folder / ".ravel" / "sunbank.places"
    left = [line for line in places.read_text().splitlines() if not line.startswith("#")] if places.exists() else []
    context.check(done.code == harness.DEFECT and 1 <= len(left) <= 3, f"places left: {left}", done)
    done, report = free(context, sunbank, "--runs", 10, "--noise", f"{noise},place=places:{places}", arguments=["4", "20"])
    context.check(report["failed"] > 0, "the places that are left do not show the failure", done)
    done = context.command([context.ravel, "noise", "blame", "--noise", "sleep,freq=4,strength=30", "--runs", 30, sunbank, "4", "20"])
    context.check(done.code == harness.DEFECT and "sunbank.cpp" in done.out, "blame", done)
    for words, hint in ((["noise"], "compare"), (["noise", "compar"], "compare"), (["noise", "blame"], "program"),
                        (["noise", "compare", "--runs", "0", sunbank], "range"), (["run", "--heal", "x.plan", sunbank], "--free")):
        done = context.command([context.ravel, *words])
        context.check(done.code == harness.USAGE and hint in done.err and done.err.count("\n") == 1, f"{words}: {done.code}", done)
    waits = context.build(source(context, "timed_wait"))
    done, _ = free(context, waits, "--runs", 2)
    context.check(done.code == harness.CLEAN, "a time-out as synchronisation, untouched", done)
    done, _ = free(context, waits, "--until-failure", "--runs", 60, "--noise", "sleep,freq=0,tt")
    context.check(done.code == harness.DEFECT, "a time-out as synchronisation, shortened", done)
    racy = context.build(source(context, "counter"))
    done, report = free(context, racy, "--runs", 3, "--noise", "busyWait,freq=500,strength=10,place=racy,load=1")
    context.check(set(places_of(report)) == {marked(context, "counter", "counter")}, f"racy: {report['injected']}", done)


def compare_long(context: harness.Context) -> None:
    """N11, N12: one command for the tables; the best noise, and one that is worse than none."""
    sunbank = context.build(context.sources / "corpus" / "noise" / "sunbank.cpp")
    report = context.folder / "compare.json"
    done = context.command([context.ravel, "noise", "compare", "--runs", 20, "--json", report, sunbank, "4", "20"])
    result = harness.read_json(report)
    print(done.out)
    rows = result["seedings"]
    best = max(rows, key=lambda row: row["ratio"])
    p = fisher(best["failed"], best["runs"], result["none"]["failed"], result["none"]["runs"])
    tables = ("failing runs (", "tasks of avio* (", "tasks of hbpair* (", "time of a run (factor, ")
    context.check(all(table in done.out for table in tables) and all(row["seconds"] > 0 for row in rows), "tables", done)
    # What one delay of the usual strength costs at least. Of yields that is up to who else wants the processor.
    least = {}
    for name in ("yield", "sleep", "wait", "busyWait", "synchYield"):
        done, report_of = free(context, sunbank, "--runs", 10, "--noise", f"{name},freq=200", arguments=["4", "20"])
        least[name] = report_of["injected"]["seedings"][0]["shortest_us"]
    print(least)
    context.check(min(least["sleep"], least["wait"]) >= 100 and min(least.values()) > 0, f"costs: {least}", done)
    context.check(result["complete"] and len(rows) == 24 and len(result["placements"]) == 10 and best["ratio"] >= 0.5 and p < 0.01, f"best: {best}, p {p}", done)


def alone_for(context: harness.Context, program, words) -> float | None:
    """Seconds that it takes by itself; none: it does not end well, in real time, and soon. What sleeps for an hour, or is long on purpose, is
    for controlled mode."""
    begin = time.monotonic()
    with subprocess.Popen([program, *words], cwd=context.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        while time.monotonic() < begin + 3:
            pid, status, used = os.wait4(started.pid, os.WNOHANG)
            if pid != 0:
                started.returncode = os.waitstatus_to_exitcode(status)
                return time.monotonic() - begin if status == 0 and used.ru_utime + used.ru_stime < 0.2 else None
            time.sleep(0.002)
        started.kill()
    return None


# The first checks what the heap of controlled mode promises (fresh memory is zero), the second its clocks (the real time() is behind gettimeofday()
# for some milliseconds of each second), the third its time (try_acquire_for of libstdc++ 12 compares with a count that it has read before it tried: who
# sees one permit taken and given back in between waits beside it, here for an hour). The others access memory so often that noise lasts for minutes.
NOT_UNDER_NOISE = {"large_blocks", "clocks_and_sleeps", "std_synchronisation", "long_not_endless", "long_preparation", "many_events", "private_frees", "private_work"}
CONFIGURATIONS, RUNS_OF_EACH = 200, 10
SLOW = 0.1  # seconds: a program that takes longer by itself is run once under each configuration
MANY = 50  # injections in a run: so is a program that has had as many of them then as others have in ten runs
AT_ONCE = 4  # delays are most of a run


def left_alone_by_noise(context: harness.Context, program, words) -> int:
    """Every run draws a configuration of its own: how many it ended well under."""
    alone = alone_for(context, program, words)
    if alone is None:
        return 0
    done_runs = injections = seconds = 0
    for seed in range(1, RUNS_OF_EACH + 1):
        done, report = free(context, program, "--runs", CONFIGURATIONS, "--seed", seed, "--noise", "random", "--allow-vacuous", arguments=words, name=program.name)
        context.check(done.code == harness.CLEAN and report.get("runs") == CONFIGURATIONS, f"{program.name}, seed {seed}: {done.code}", done)
        done_runs += report.get("runs", 0)
        injections += report.get("injections", 0)
        seconds += done.seconds
        if alone >= SLOW or injections >= MANY * done_runs:
            break
    print(f"{program.name}: {done_runs} runs, {injections} injections, {seconds:.0f} s", flush=True)
    return done_runs


def clean_programs(context: harness.Context) -> list[tuple]:
    """The repaired twins of the corpus, and the programs that are about a primitive; with their arguments."""
    corpus = context.sources / "corpus"
    sources = [(src, ("FIXED",)) for folder in ("noise", "core", "classic", "detect", "heap") for src in harness.sources_in(corpus / folder)
               if "FIXED" in src.read_text()]
    sources += [(src, ()) for src in harness.sources_in(context.sources / "programs")
                if harness.expectation_of(src).clean and src.stem not in NOT_UNDER_NOISE]
    programs = []
    for src, defines in sources:
        if context.only not in src.stem:
            continue
        expected = src.with_suffix(".expect.json")
        words = (json.loads(expected.read_text()).get("arguments") or [[]])[0] if expected.exists() else []
        program = context.build(src, name=f"{src.parent.name}-{src.stem}", defines=defines)
        if program is not None:
            programs.append((program, words))
    return programs


def configurations_long(context: harness.Context) -> None:
    """N10: noise never makes a correct program fail. Every repaired twin and every program that is about a primitive: 2 000 runs, each
    under a configuration of its own, or 200 that had as many injections."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        runs = list(pool.map(lambda one: left_alone_by_noise(context, *one), clean_programs(context)))
    tried = sum(1 for count in runs if count != 0)
    print(f"{tried} of {len(runs)} programs, {sum(runs)} runs")
    context.check(tried >= 150 or context.only != "", f"only {tried} programs")


def halts_long(context: harness.Context) -> None:
    """N3: no hang in 1 000 runs with haltOneThread; N9: one at a time where that is promised."""
    program = context.build(source(context, "two_variables"))
    done, report = free(context, program, "--runs", 1000, "--hang", "5s", "--noise", "sleep,freq=20,strength=20,ht")
    print(report.get("injected", {}).get("halts"), report.get("injected", {}).get("halts_given_up"))
    context.check(done.code == harness.CLEAN and report["runs"] == 1000 and report["injected"]["halts"] > 0, "haltOneThread", done)
    done, report = free(context, program, "--runs", 200, "--noise", "sleep,freq=1000,strength=50,place=coverage,prob=nfreq")
    context.check(report["injected"]["overlapping"] == 0 and report["injections"] > 1000, f"one at a time: {report['injected']}", done)


def echo(server: socket.socket) -> None:
    def answer(client: socket.socket) -> None:
        with client:
            while data := client.recv(64):
                client.sendall(data)
    while True:
        try:
            threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()
        except OSError:
            return


def outside(context: harness.Context, runs: int) -> None:
    program = context.build(source(context, "socket_client"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=echo, args=(server,), daemon=True).start()
        port = server.getsockname()[1]
        alone = context.command([program, port])
        context.check(alone.code == 3 and alone.out == "1090\n", f"without Ravel: {alone.code}", alone)
        done, report = free(context, program, "--quiet", "--runs", runs, "--noise", "random", "--show-output", "--expect-exit", 3, arguments=[port])
        good = done.code == harness.CLEAN and report.get("runs") == runs and report["injections"] > 0
        context.check(good and done.out == alone.out * runs, f"socket: {done.code}, {report.get('injections')} injections", done)


def sockets(context: harness.Context) -> None:
    """A client of a server outside: output and exit status as without Ravel."""
    outside(context, 4)


def sockets_long(context: harness.Context) -> None:
    outside(context, 200)
