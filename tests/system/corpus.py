# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Every defect of the corpus is found by the plain command, replays a thousand times, and its repaired twin is clean."""
import harness

REPLAYS = 1000
EXECUTIONS = 10_000


def programs(context: harness.Context):
    for source in context.taken(harness.sources_in(context.sources / "corpus" / "core")):
        yield source, harness.expectation_of(source)


def check_minimum(context: harness.Context, program, wanted, finding: dict) -> None:
    """The schedule has the known fewest preemptions; searches.bounds is the judge of that number."""
    fewest = wanted.preemptions
    proved = finding.get("minimised", {}).get("fewest_preemptions")
    context.check(proved and finding["preemptions"] == fewest,
                  f"{program.name}: {finding['preemptions']} preemptions, proved: {proved}; known: {fewest}", finding.get("minimised"))
    context.check(finding.get("decisive") or fewest == 0, f"{program.name}: no decisive events", finding.get("explanation"))
    if "decisive" in wanted.notes:
        lines = {event["location"].get("line") for event in finding.get("decisive", [])}
        known = {harness.marked_line(wanted.source, mark) for mark in wanted.notes["decisive"].split(",")}
        context.check(lines == known, f"{program.name}: lines {lines} are called decisive, not {known}", finding.get("explanation"))


def found(context: harness.Context) -> None:
    for source, wanted in programs(context):
        program = context.build(source)
        if program is None:
            continue
        done, report = context.run(program)
        finding = harness.check_finding(context, source.stem, wanted, done, report)
        if finding is None:
            continue
        check_minimum(context, program, wanted, finding)
        done, report = context.replay(context.folder / finding["plan"], "--times", REPLAYS)
        context.check(done.code == harness.DEFECT, f"{source.stem}: replay ended with {done.code}", done)
        context.check(report.get("runs") == REPLAYS and report.get("mismatches") == 0,
                      f"{source.stem}: {report.get('mismatches')} of {report.get('runs')} replays differ", done)
        context.check(report.get("outcome") in wanted.kinds | {"completed"}, f"{source.stem}: replay gave {report.get('outcome')}", done)


def fixed(context: harness.Context) -> None:
    for source, wanted in programs(context):
        program = context.build(source, name=f"{source.stem}-fixed", defines=("FIXED",))
        if program is None:
            continue
        done, report = context.run(program, "--iterations", EXECUTIONS)
        name = f"{source.stem} (fixed)"
        if not context.check(done.code == harness.CLEAN, f"{name}: exit code {done.code}", done):
            continue
        executions = report.get("executions", 0)
        context.check(executions == EXECUTIONS or report.get("complete"), f"{name}: only {executions} executions", done)
        context.check(report.get("distinct_traces", 0) >= 2, f"{name}: {report.get('distinct_traces')} distinct traces", done)
        operations = report.get("operations", {})
        missing = [word for word in wanted.operations if not operations.get(word)]
        context.check(not missing, f"{name}: operations {missing} are not in the traces", operations)
