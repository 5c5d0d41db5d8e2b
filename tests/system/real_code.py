# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Libraries as Debian ships them, unmodified (tests/real): clean under many schedules; a client that breaks their contract is caught."""
import false_alarms
import harness

IN_CI = 150
IN_FULL = 10_000
GOOGLETEST = "/usr/src/googletest/googletest"
# Program, tests, options, executions. The stress test has 20 million events: it is run to see that it can be.
GOOGLETEST_TESTS = [("googletest-port-test", "MutexTest.*:ThreadLocalTest.*:ThreadWithParamTest.*", (), IN_FULL),
                    ("gtest_stress_test", "-StressTest.*", ("--points", "all"), IN_FULL),
                    ("gtest_stress_test", "StressTest.*", (), 2)]
LIBRARIES = ("-std=c++17",)
DEFAULT_MINIMISING = "1s"


def clients(context: harness.Context, most: int) -> None:
    planted = {}  # defect: its orders are named
    for source in context.taken(harness.sources_in(context.sources / "real")):
        wanted = harness.expectation_of(source)
        if most == IN_CI and wanted.notes.get("when") == "long":
            continue
        libraries = tuple(wanted.notes.get("libraries", "").split())
        flags = LIBRARIES if source.suffix == ".cpp" else ()
        program = context.build(source, flags=flags, libraries=libraries)
        if program is not None and "red" in wanted.notes:
            false_alarms.known_red(context, program, 300, wanted.notes["red"])
        elif program is not None:
            iterations = context.times_within_work(program, most) if most == IN_FULL else most
            done, report = context.run(program, "--iterations", iterations)
            if wanted.clean:
                context.check(done.code == harness.CLEAN and (report.get("executions") == iterations or report.get("complete")),
                              f"{source.stem}: exit code {done.code} after {report.get('executions')} executions", done)
            else:
                harness.check_finding(context, source.stem, wanted, done, report)
        planted_defects(context, source, wanted, planted)
    named = sum(planted.values())
    print(f"planted defects: {len(planted)}, decisive order named in {named}; not in {[name for name, is_named in planted.items() if not is_named]}")


def planted_defects(context: harness.Context, source, wanted, planted: dict) -> None:
    """Each is found and replays. `planted` gets whether its explanation names the orders that decide it."""
    libraries = tuple(wanted.notes.get("libraries", "").split())
    for variant in ("broken", "small"):
        if variant not in wanted.notes:
            continue
        wrong = harness.expectation_of(source, variant)
        program = context.build(source, name=f"{source.stem}-{variant}", defines=(variant.upper(),),
                                flags=LIBRARIES if source.suffix == ".cpp" else (), libraries=libraries)
        if program is None:
            continue
        # With the time for simplifying that the plain command has.
        done, report = context.run(program, "--iterations", 2_000, "--minimize", DEFAULT_MINIMISING)
        finding = harness.check_finding(context, f"{source.stem} {variant}", wrong, done, report)
        if finding is None:
            continue
        planted[f"{source.stem} {variant}"] = is_named(finding)
        if wanted.notes.get("decisive") == "named":
            context.check(is_named(finding), f"{source.stem} {variant}: no order is named as decisive", done)
        again, _ = context.replay(context.folder / finding["plan"], "--times", 3)
        context.check(again.code == harness.DEFECT, f"{source.stem} {variant}: replay gave {again.code}", again)


def is_named(finding: dict) -> bool:
    """Orders whose reversal makes the program pass; of a data race, which no order of its two accesses mends, these two."""
    return bool(finding.get("explanation")) or (finding["kind"] == "data-race" and len(finding.get("decisive", [])) == 2)


def decisive(context: harness.Context) -> None:
    """The planted defects alone; for counting by hand (run_group.py real_code.decisive)."""
    planted: dict = {}
    for source in context.taken(harness.sources_in(context.sources / "real")):
        planted_defects(context, source, harness.expectation_of(source), planted)
        print(planted, flush=True)


def short(context: harness.Context) -> None:
    clients(context, IN_CI)


def full(context: harness.Context) -> None:
    clients(context, IN_FULL)


def own_tests(context: harness.Context) -> None:
    """GoogleTest's own threaded tests, built from its source package with the wrapper."""
    common = ("c++", "--compiler", context.compiler, "-std=c++17", f"-I{GOOGLETEST}", f"-I{GOOGLETEST}/include")
    for part in ("gtest-all", "gtest_main"):
        done = context.tool(*common, "-c", f"{GOOGLETEST}/src/{part}.cc", "-o", context.folder / f"{part}.o")
        context.check(done.code == 0, f"{part} does not compile", done)
    for name, tests, options, iterations in GOOGLETEST_TESTS:
        program = context.folder / name
        parts = ["gtest-all.o"] + ([] if name == "gtest_stress_test" else ["gtest_main.o"])
        done = context.tool(*common, *parts, f"{GOOGLETEST}/test/{name}.cc", "-o", program)
        if not context.check(done.code == 0, f"{name} does not compile", done):
            continue
        report = context.folder / f"{name}.json"
        done = context.tool("run", "--json", report, "--iterations", iterations, "--max-steps", 1_000_000_000, *options,
                            program, f"--gtest_filter={tests}", timeout=1500)
        facts = harness.read_json(report)
        context.check(done.code == harness.CLEAN and (facts.get("executions") == iterations or facts.get("complete")),
                      f"{name} {tests}: exit code {done.code} after {facts.get('executions')} executions", done)
