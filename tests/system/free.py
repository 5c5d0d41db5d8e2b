# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Free-running mode: outcomes on real threads, noise and its placements, programs that must not notice it, failures that become plans.

Effects are tested with statistics and bounded by runs: a machine that is busy changes nothing that is checked."""
import json
import math
import re

import harness


def source(context: harness.Context, name: str):
    return context.sources / "free" / f"{name}.cpp"


def marked(context: harness.Context, name: str, marker: str) -> int:
    lines = source(context, name).read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if f"// here: {marker}" in line)


def free(context: harness.Context, program, *options, arguments=()) -> tuple[harness.Finished, dict]:
    report = context.folder / "free.json"
    report.unlink(missing_ok=True)
    done = context.command([context.ravel, "run", "--free", "--json", report, "--color", "never", *options, program, *arguments])
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
    done, report = free(context, program, "--runs", 2, "--noise", "yield,freq=500,strength=1,place=sync")
    context.check(left not in places_of(report) and lock in places_of(report), f"sync: {report['injected']}", done)
    places = context.folder / "places.txt"
    places.write_text(f"# one line\ntwo_variables.cpp:{right}\n")
    done, report = free(context, program, "--runs", 2, "--noise", f"yield,freq=500,strength=1,place=places:{places}")
    context.check(set(places_of(report)) == {right}, f"list: {report['injected']}", done)
    done, report = free(context, program, "--runs", 3, "--noise", "sleep,freq=1000,strength=200,place=coverage,prob=nfreq")
    context.check(report["injections"] > 0 and report["injected"]["overlapping"] == 0, f"one at a time: {report['injected']}", done)
    done, report = free(context, program, "--runs", 4, "--noise", "yield,freq=20,ht")
    context.check(report["injected"]["halts"] + report["injected"]["halts_given_up"] > 0, f"halts: {report['injected']}", done)
    sleeps = context.build(source(context, "sleep_as_sync"))
    done, _ = free(context, sleeps, "--runs", 2)
    context.check(done.code == harness.CLEAN, "sleep as synchronisation, untouched", done)
    done, _ = free(context, sleeps, "--until-failure", "--runs", 60, "--noise", "yield,freq=0,tt")
    context.check(done.code == harness.DEFECT, "sleep as synchronisation, shortened", done)


def effect(context: harness.Context) -> None:
    """An unlocked total is lost rarely without noise, and mostly under it."""
    program = context.build(context.sources / "corpus" / "noise" / "sunbank.cpp")
    runs = 60
    _, plain = free(context, program, "--runs", runs, arguments=["4", "20"])
    done, noisy = free(context, program, "--runs", runs, "--noise", "yield,freq=50,strength=10", arguments=["4", "20"])
    p = fisher(noisy["failed"], runs, plain["failed"], runs)
    print(f"sunbank: {plain['failed']} of {runs} plain, {noisy['failed']} of {runs} under noise, p {p:.2g}")
    context.check(2 * noisy["failed"] >= runs and p < 0.01, f"effect: {plain['failed']} -> {noisy['failed']}", done)


def same_output(context: harness.Context, runs: int) -> None:
    unchanged = context.build(source(context, "unchanged"), libraries=("-ldl",))
    openmp = context.build(source(context, "openmp"), flags=("-fopenmp",))
    for program, status in ((unchanged, 7), (openmp, 0)):
        alone = context.command([program])
        context.check(alone.code == status, f"{program.name} without Ravel: {alone.code}", alone)
        for seed in range(1, runs + 1):
            done = context.command([context.ravel, "run", "--free", "--quiet", "--runs", 1, "--seed", seed, "--noise", "random", "--show-output",
                                    "--expect-exit", status, program])
            context.check(done.code == harness.CLEAN and done.out == alone.out, f"{program.name}, seed {seed}: {done.code}", done)


def unchanged(context: harness.Context) -> None:
    """fork, exec, signals, cancellation, thread_local destructors, exceptions, dlopen, libgomp: as without Ravel."""
    same_output(context, 6)


def unchanged_long(context: harness.Context) -> None:
    same_output(context, 200)


NOISE = ("yield,freq=50,strength=10", "sleep,freq=200,strength=500", "wait,freq=200,strength=500,ht", "random")


def pinned(context: harness.Context, program, words) -> tuple[bool, bool, str]:
    """Shown by free runs; pinned; how."""
    for noise in NOISE:
        done, report = free(context, program, "--until-failure", "--runs", 60, "--hang", "3s", "--noise", noise, "--pin", arguments=words)
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


def twins_long(context: harness.Context) -> None:
    """Noise never makes a correct program fail: the repaired twins under many configurations."""
    for src in harness.sources_in(context.sources / "corpus" / "noise"):
        program = context.build(src, name=f"{src.stem}-fixed", defines=("FIXED",))
        words = json.loads(src.with_suffix(".expect.json").read_text())["arguments"][0]
        done, report = free(context, program, "--runs", 200, "--noise", "random", arguments=words)
        context.check(done.code == harness.CLEAN and report.get("runs") == 200, f"{src.stem}: {done.code}", done)
        print(f"{src.stem}: {report.get('runs')} runs, {report.get('injections')} injections", flush=True)


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
