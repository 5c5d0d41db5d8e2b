# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""tests/corpus/detect: what a detector names is found and replays; the repaired twin is clean under every detector.

`// twin-options: ...` replaces the options for the twin, `// twin: potential` says that a prediction about it stays unconfirmed.
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
        if finding is not None:
            again, replayed = context.replay(context.folder / finding["plan"], "--times", REPLAYS)
            context.check(again.code == harness.DEFECT and replayed.get("mismatches") == 0,
                          f"{source.stem}: replay ended with {again.code}", again)
            same = [f for f in replayed.get("findings", [])
                    if f["kind"] == finding["kind"] and f.get("fingerprint") == finding.get("fingerprint")]
            context.check(bool(same), f"{source.stem}: the replay does not find the same", again)
    options = wanted.notes.get("twin-options", " ".join(wanted.options)).split()
    done, report = context.run(repaired, "--iterations", EXECUTIONS, *options)
    context.check(done.code == harness.CLEAN, f"{source.stem} (fixed): exit code {done.code}", done)
    potential = wanted.notes.get("twin", "") == "potential"
    context.check(bool(report.get("potential")) == potential, f"{source.stem} (fixed): predictions", done)


def corpus(context: harness.Context) -> None:
    for source in harness.sources_in(context.sources / "corpus" / "detect"):
        if context.only in source.name:
            check(context, source)
