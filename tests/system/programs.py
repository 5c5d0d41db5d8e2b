# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Programs that use one family of primitives each and check themselves, under many schedules."""
import harness

EXECUTIONS = 150  # of a program that must be clean; each plan is run twice and compared
EXECUTIONS_AGAIN = 60  # with the second compiler
EXECUTIONS_LONG = 1000  # of `thousand'
TO_FIND = 200
VARIANT_EXECUTIONS = 50
LARGE = ("live_threads", "created_threads", "many_events", "long_not_endless")  # a group of their own: they take seconds


def check_variants(context: harness.Context, source, wanted) -> None:
    """The same program with other flags of the compiler, separated by semicolons."""
    flags = wanted.notes.get("flags", "").split()
    for number, variant in enumerate(filter(None, wanted.notes.get("variants", "").split(";"))):
        program = context.build(source, name=f"{source.stem}-{number}", flags=(*variant.split(), *flags))
        if program is None:
            continue
        done, _ = context.run(program, "--iterations", VARIANT_EXECUTIONS, *wanted.options)
        context.check(done.code == harness.CLEAN, f"{source.stem} {variant}: exit code {done.code}", done)


def check(context: harness.Context, source, at_least: int = 0) -> None:
    """Under EXECUTIONS schedules unless the program says otherwise (`iterations:`), or `at_least` so many."""
    wanted = harness.expectation_of(source)
    program = context.build(source, flags=tuple(wanted.notes.get("flags", "").split()))
    if program is None:
        return
    if "library" in wanted.notes:  # the same file again, as what the program loads
        context.build(source, name=f"lib{source.stem}.so", defines=("LIBRARY",), flags=("-shared", "-fPIC"))
    clean = EXECUTIONS if context.compiler == "g++" else EXECUTIONS_AGAIN
    iterations = max(wanted.iterations or (clean if wanted.clean else TO_FIND), at_least)
    options = ["--iterations", iterations, *wanted.options]
    if wanted.clean and "verify" not in wanted.notes:
        options.append("--verify")
    done, report = context.run(program, *options, timeout=harness.WATCHDOG)
    name = source.stem
    if wanted.vacuous:
        context.check(done.code == harness.CANNOT_TEST, f"{name}: exit code {done.code}, expected 3", done)
        context.check(report.get("vacuous") is True, f"{name}: the JSON does not say vacuous", report)
        context.check(wanted.message in str(report.get("reason")), f"{name}: reason {report.get('reason')}", done)
        allowed, _ = context.run(program, "--allow-vacuous", *options)
        context.check(allowed.code == harness.CLEAN, f"{name}: --allow-vacuous gave {allowed.code}", allowed)
    elif wanted.clean:
        if context.check(done.code == harness.CLEAN, f"{name}: exit code {done.code}", done):
            context.check(report.get("executions") == iterations or report.get("complete"),
                          f"{name}: {report.get('executions')} executions", done)
            context.check(report.get("mismatches") == 0, f"{name}: {report.get('mismatches')} plans gave two traces", done)
            operations = report.get("operations", {})
            missing = [word for word in wanted.operations if not operations.get(word)]
            context.check(not missing, f"{name}: operations {missing} are not in the traces", operations)
            note = wanted.notes.get("note", "")
            named = any(note in text for text in report.get("notes", [])) and note in done.out + done.err
            context.check(not note or named, f"{name}: '{note}' is not said", done)
            recorded = sum(operations.values())
            most = int(wanted.notes.get("events", recorded))
            context.check(recorded <= most, f"{name}: {recorded} events were recorded, at most {most} are needed", operations)
            if "cut" in wanted.notes:
                context.check(report.get("cut") == int(wanted.notes["cut"]), f"{name}: {report.get('cut')} executions were cut", done)
            check_variants(context, source, wanted)
    else:
        finding = harness.check_finding(context, name, wanted, done, report)
        if finding is not None and wanted.kinds != {"hang"}:
            again, _ = context.replay(context.folder / finding["plan"], "--times", 3)
            context.check(again.code == harness.DEFECT, f"{name}: replay ended with {again.code}", again)
        for text in wanted.notes.get("output", "").split(","):
            context.check(text in done.out + done.err, f"{name}: the output of the failing run lacks '{text}'", done)
    if "clean-with" in wanted.notes:
        done, _ = context.run(program, *options, *wanted.notes["clean-with"].split())
        context.check(done.code == harness.CLEAN, f"{name} {wanted.notes['clean-with']}: exit code {done.code}", done)
    if "found" in wanted.notes:
        other = harness.expectation_of(source, "found")
        done, report = context.run(program, *wanted.notes["options-found"].split())
        harness.check_finding(context, f"{name} {wanted.notes['options-found']}", other, done, report)


def families(context: harness.Context) -> None:
    for source in context.taken(harness.sources_in(context.sources / "programs")):
        if source.stem not in LARGE:
            check(context, source)


def thousand(context: harness.Context) -> None:
    """Every program that must be clean, none under fewer schedules than that."""
    for source in harness.sources_in(context.sources / "programs"):
        if source.stem not in LARGE and context.only in source.name and harness.expectation_of(source).clean:
            check(context, source, EXECUTIONS_LONG)


def large(context: harness.Context) -> None:
    for name in LARGE:
        if context.only in name:
            check(context, context.sources / "programs" / f"{name}.cpp")
