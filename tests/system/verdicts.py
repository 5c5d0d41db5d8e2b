# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Small programs (tests/verdicts) around signals, cancellation, the end of threads and of the process: what may come out of them is
written in their comments, and no search adds anything or calls itself complete with something missing.

`expect: clean` or what the default command finds; `outcomes:` the observed values, one combination between bars, a failure as [kind].
`incomplete:` searches that must not call themselves complete. `note:` what the report says, `never:` what it must not say. `search:` the strategies that are checked, all but random ones unless the comment says otherwise.
"""
import pathlib

import harness

STRATEGIES = ("dfs", "dpor")
BUDGET = 50_000
EXECUTIONS = 1000


def combinations(text: str) -> set[tuple]:
    return {tuple(sorted(words.split())) for words in text.split("|")}


def explore(context: harness.Context, program: pathlib.Path, strategy: str, options: list[str]):
    report = context.folder / "outcomes.json"
    report.unlink(missing_ok=True)
    done = context.tool("outcomes", "--json", report, "--color", "never", "--strategy", strategy, "--iterations", BUDGET, *options, "--",
                        program, timeout=600)
    found = harness.read_json(report)
    seen = set()
    for row in found.get("outcomes", []):
        words = [f"{name}={value}" for name, value in row["observations"].items()]
        seen.add(tuple(sorted(words + ([] if row["kind"] == "completed" else [f"[{row['kind']}]"]))))
    return done, found, seen


def check_outcomes(context: harness.Context, name: str, program: pathlib.Path, wanted: harness.Expectation) -> None:
    known = combinations(wanted.notes["outcomes"])
    for strategy in wanted.notes.get("search", " ".join(STRATEGIES)).split():
        done, report, seen = explore(context, program, strategy, wanted.options)
        complete = report.get("complete")
        # A search that is not complete may miss some, and shows nothing that is not there.
        if strategy in wanted.notes.get("incomplete", "").split():
            context.check(complete is False, f"{name}, {strategy}: complete: {complete}", done)
        elif strategy == "dfs":
            context.check(complete is True, f"{name}, dfs: complete: {complete}", done)
        invented = seen - known
        missing = known - seen if complete else set()
        context.check(seen and not invented and not missing, f"{name}, {strategy}: missing {missing}, invented {invented}", done)


def check_default(context: harness.Context, name: str, program: pathlib.Path, wanted: harness.Expectation) -> None:
    done, report = context.run(program, "--iterations", wanted.iterations or EXECUTIONS, *wanted.options)
    if wanted.clean:
        context.check(done.code == harness.CLEAN, f"{name}: exit code {done.code}", done)
        context.check(report.get("executions") == (wanted.iterations or EXECUTIONS) or report.get("complete"),
                      f"{name}: {report.get('executions')} executions", done)
    else:
        harness.check_finding(context, name, wanted, done, report)
    note, never = wanted.notes.get("note", ""), wanted.notes.get("never", "")
    context.check(note in done.out + done.err, f"{name}: '{note}' is not said", done)
    context.check(not never or never not in done.out, f"{name}: '{never}' is said", done)


def group(context: harness.Context) -> None:
    for source in context.taken(harness.sources_in(context.sources / "verdicts")):
        wanted = harness.expectation_of(source)
        program = context.build(source, flags=tuple(wanted.notes.get("flags", "").split()))
        if program is None:
            continue
        check_default(context, source.stem, program, wanted)
        if "outcomes" in wanted.notes:
            check_outcomes(context, source.stem, program, wanted)
