# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""tests/corpus/detect: what a detector names is found and replays; the repaired twin is clean under every detector.

`// detectors: a,b` must all name it, `// cause: KIND` is told as the cause of the failure; `// twin-options: ...` replaces the options
for the twin, `// twin: potential` says that a prediction about it stays unconfirmed.
"""
import harness

EXECUTIONS = 100
REPLAYS = 3
OTHERS = 3  # further findings of a program whose plans are replayed


def check_same(context: harness.Context, name: str, finding: dict, done: harness.Finished, replayed: dict) -> None:
    """The plan of a finding leads to that finding again, or to a failure that it is reported beside."""
    found = [f for one in replayed.get("findings", []) for f in (one, *one.get("related", []))]
    same = [f for f in found if f["kind"] == finding["kind"] and f.get("fingerprint") == finding.get("fingerprint")]
    context.check(bool(same), f"{name}: the replay does not find the same", done)


def check(context: harness.Context, source) -> None:
    wanted = harness.expectation_of(source)
    program = context.build(source)
    repaired = context.build(source, name=f"{source.stem}-fixed", defines=("FIXED",))
    if program is None or repaired is None:
        return
    if not wanted.clean:
        done, report = context.run(program, "--iterations", EXECUTIONS, *wanted.options)
        finding = harness.check_finding(context, source.stem, wanted, done, report)
        named = {f.get("detector") for f in report.get("findings", [])}
        missing = set(filter(None, wanted.notes.get("detectors", "").split(","))) - named
        context.check(not missing, f"{source.stem}: not named by {sorted(missing)}", done)
        if finding is not None:
            harness.check_fewest(context, source.stem, wanted, program, finding)
            again, replayed = context.replay(context.folder / finding["plan"], "--times", REPLAYS)
            context.check(again.code == harness.DEFECT and replayed.get("mismatches") == 0,
                          f"{source.stem}: replay ended with {again.code}", again)
            causes = [cause["kind"] for cause in finding.get("causes", [])]
            context.check(not causes or "cause: " in done.out, f"{source.stem}: causes {causes} are not printed", done)
            cause = wanted.notes.get("cause", "")
            context.check(not cause or cause in causes, f"{source.stem}: causes {causes}, expected {cause}", done)
            text = wanted.notes.get("cause-text", "")
            context.check(text in str(finding.get("causes", [])[:1]), f"{source.stem}: the cause does not say `{text}'", done)
            check_same(context, source.stem, finding, again, replayed)
            for other in [f for f in report["findings"] if f["plan"] != finding["plan"]][:OTHERS]:
                again, replayed = context.replay(context.folder / other["plan"])
                check_same(context, f"{source.stem} ({other['kind']})", other, again, replayed)
    options = wanted.notes.get("twin-options", " ".join(wanted.options)).split()
    done, report = context.run(repaired, "--iterations", EXECUTIONS, *options)
    context.check(done.code == harness.CLEAN, f"{source.stem} (fixed): exit code {done.code}", done)
    potential = wanted.notes.get("twin", "") == "potential"
    context.check(bool(report.get("potential")) == potential, f"{source.stem} (fixed): predictions", done)
    done, _ = context.run(repaired, "--iterations", EXECUTIONS, "--detect", "precise")
    context.check(done.code == harness.CLEAN, f"{source.stem} (fixed): a precise detector is wrong", done)


def corpus(context: harness.Context) -> None:
    for source in harness.sources_in(context.sources / "corpus" / "detect"):
        if context.only in source.name:
            check(context, source)


def silent(context: harness.Context, source, iterations: int, name: str, options: tuple = (), **how) -> None:
    """Under many random schedules, with every precise detector on."""
    program = context.build(source, name=name, **how)
    if program is None:
        return
    done, report = context.run(program, "--iterations", iterations, "--strategy", "random", "--detect",
                               "precise", *options, timeout=harness.WATCHDOG)
    context.check(done.code == harness.CLEAN and not report.get("findings"), f"{name}: exit code {done.code}", done)
    context.check(report.get("executions") == iterations, f"{name}: {report.get('executions')} executions", done)


def correct_programs(context: harness.Context, iterations: int) -> None:
    """Programs of one primitive each, repaired twins, clients of Debian's lock-free libraries: all of them correct."""
    for source in harness.sources_in(context.sources / "programs"):
        wanted = harness.expectation_of(source)
        if wanted.clean and not wanted.iterations and "library" not in wanted.notes and context.only in source.name:
            silent(context, source, iterations, source.stem, wanted.options,
                   flags=tuple(wanted.notes.get("flags", "").split()))
    for source in harness.sources_in(context.sources / "corpus" / "core"):
        if context.only in source.name:
            silent(context, source, iterations, f"{source.stem}-fixed", defines=("FIXED",))
    for source in harness.sources_in(context.sources / "real"):
        if context.only in source.name and harness.expectation_of(source).clean:
            silent(context, source, iterations, source.stem, flags=("-std=c++17",))


def precise(context: harness.Context) -> None:
    """Correct programs under many random schedules with every precise detector on: silence."""
    correct_programs(context, 1000)


SAMPLE = ("atomic_shared_ptr", "condition_variables", "futures", "reader_writer_locks", "std_synchronisation", "concurrent_queue",
          "boost_spsc")


def precise_sample(context: harness.Context) -> None:
    """A few of them in a few schedules; `precise' is all of it."""
    for name in SAMPLE:
        places = [(context.sources / folder / f"{name}.cpp", flags) for folder, flags in (("programs", ()), ("real", ("-std=c++17",)))]
        found = [place for place in places if place[0].exists()]
        context.check(len(found) == 1, f"{name}: {len(found)} programs of this name")
        for source, flags in found:
            if context.only in name:
                silent(context, source, 150, name, flags=flags)


def suppressions(context: harness.Context) -> None:
    """What is suppressed is not told and does not count; what matched nothing is named; a bad line is a usage error."""
    program = context.build(context.sources / "corpus" / "detect" / "own_lock.cpp")
    if program is None:
        return
    listed = context.folder / "suppressions.txt"
    for text, code, said in (("# known\ndeadlock:log_it\n", harness.CLEAN, "left out by deadlock:log_it"),
                             ("deadlock:elsewhere\n", harness.DEFECT, "deadlock:elsewhere ("),
                             ("deadlick:x\n", harness.USAGE, "no class `deadlick'")):
        listed.write_text(text)
        done, _ = context.run(program, "--iterations", EXECUTIONS, "--suppressions", listed)
        context.check(done.code == code, f"suppressions: {text!r} ended with {done.code}", done)
        context.check(said in done.err, f"suppressions: {text!r} is not told", done)


def all_together(context: harness.Context) -> None:
    """Every detector at once has room in a campaign, and finds what one alone does."""
    source = context.sources / "corpus" / "core" / "lost_update.cpp"
    program = context.build(source)
    if program is None:
        return
    done, report = context.run(program, "--detect", "all", "--keep-going", "--iterations", 200)
    told = {finding.get("detector") for finding in report.get("findings", [])}
    context.check(done.code == harness.DEFECT, f"exit code {done.code}", done)
    context.check({"vector-clock", "goldilocks"} <= told, f"told by {told}", done)
