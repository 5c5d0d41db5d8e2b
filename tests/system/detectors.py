# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""tests/corpus/detect: what a detector names is found and replays; the repaired twin is clean under every detector.

`// detectors: a,b` must all name it, `// cause: KIND` is told as the cause of the failure; `// twin-options: ...` replaces the options
for the twin, `// twin: potential` says that a prediction about it stays unconfirmed.
"""
import harness

EXECUTIONS = 100
REPLAYS = 3


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
            same = [f for f in replayed.get("findings", [])
                    if f["kind"] == finding["kind"] and f.get("fingerprint") == finding.get("fingerprint")]
            context.check(bool(same), f"{source.stem}: the replay does not find the same", again)
            causes = [cause["kind"] for cause in finding.get("causes", [])]
            context.check(not causes or "cause: " in done.out, f"{source.stem}: causes {causes} are not printed", done)
            cause = wanted.notes.get("cause", "")
            context.check(not cause or cause in causes, f"{source.stem}: causes {causes}, expected {cause}", done)
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


def precise(context: harness.Context) -> None:
    """Correct programs under many random schedules with every precise detector on: silence."""
    for source in harness.sources_in(context.sources / "programs"):
        wanted = harness.expectation_of(source)
        if not wanted.clean or wanted.iterations or "library" in wanted.notes or context.only not in source.name:
            continue
        program = context.build(source, flags=tuple(wanted.notes.get("flags", "").split()))
        if program is None:
            continue
        done, report = context.run(program, "--iterations", 1000, "--strategy", "random", "--detect", "precise",
                                   *wanted.options)
        context.check(done.code == harness.CLEAN, f"{source.stem}: exit code {done.code}", done)
        context.check(not report.get("findings"), f"{source.stem}: findings", done)
    for source in harness.sources_in(context.sources / "corpus" / "core"):
        program = context.build(source, name=f"{source.stem}-fixed", defines=("FIXED",))
        if program is None or context.only not in source.name:
            continue
        done, _ = context.run(program, "--iterations", 1000, "--strategy", "random", "--detect", "precise")
        context.check(done.code == harness.CLEAN, f"{source.stem} (fixed): exit code {done.code}", done)


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
