# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Smaller corpora: each defect is found and replays, each repaired twin is clean, with the options in its comments."""
import harness

REPLAYS = 50
EXECUTIONS = 1000


def check(context: harness.Context, folder: str) -> None:
    for source in harness.sources_in(context.sources / "corpus" / folder):
        if context.only not in source.name:
            continue
        wanted = harness.expectation_of(source)
        program = context.build(source)
        repaired = context.build(source, name=f"{source.stem}-fixed", defines=("FIXED",))
        if program is None or repaired is None:
            continue
        done, report = context.run(program, *wanted.options)
        if context.compiler not in wanted.notes.get("compilers", context.compiler).split():
            context.check(done.code == harness.CLEAN, f"{source.stem}: exit code {done.code}, cannot be found here", done)
            continue
        finding = harness.check_finding(context, source.stem, wanted, done, report)
        if finding is not None:
            harness.check_fewest(context, source.stem, wanted, program, finding)
            if "injected" in wanted.notes:
                said = " ".join(finding.get("injected", []))
                context.check(wanted.notes["injected"] in said, f"{source.stem}: injected: {said}", done)
                alone, _ = context.run(program, "--iterations", EXECUTIONS)
                context.check(alone.code == harness.CLEAN, f"{source.stem}: fails without the fault too", alone)
            done, report = context.replay(context.folder / finding["plan"], "--times", REPLAYS)
            context.check(done.code == harness.DEFECT and report.get("runs") == REPLAYS and report.get("mismatches") == 0,
                          f"{source.stem}: replay ended with {done.code}", done)
        done, report = context.run(repaired, "--iterations", EXECUTIONS, *wanted.options)
        context.check(done.code == harness.CLEAN and (report.get("executions") == EXECUTIONS or report.get("complete")),
                      f"{source.stem} (fixed): exit code {done.code}, {report.get('executions')} executions", done)


def heap(context: harness.Context) -> None:
    check(context, "heap")


def faults(context: harness.Context) -> None:
    check(context, "faults")


def one_cause(context: harness.Context) -> None:
    """The races of one missing lock are one finding on the console; JSON and exit code have all of them."""
    source = context.sources / "programs" / "budget" / "many_races.cpp"
    for name, defines, causes in (("one", (), 1), ("two", ("TWO_CAUSES",), 2)):
        program = context.build(source, name=name, defines=defines)
        if program is None:
            return
        done = context.tool("run", "--iterations", 300, "--keep-going", "--json", "races.json", "--", program)
        found = harness.read_json(context.folder / "races.json").get("findings", [])
        context.check(done.code == harness.DEFECT and len(found) >= 10, f"{name}: {len(found)} findings", done)
        leaders = [one for one in found if "folded_into" not in one]
        context.check(len(leaders) == causes == done.out.count("FAILED"), f"{name}: {len(leaders)} causes", done)
        context.check(sum(len(one.get("folds", [])) for one in leaders) == len(found) - causes, f"{name}: not all are counted", done)
        known = {one["fingerprint"] for one in leaders}
        context.check(all(one["folded_into"] in known for one in found if "folded_into" in one), f"{name}: folded into nothing", done)
        context.check(all((context.folder / one["plan"]).is_file() for one in found), f"{name}: plans are missing", done)
        again, _ = context.replay(context.folder / found[-1]["plan"])
        context.check(again.code == harness.DEFECT, f"{name}: the plan of a folded race does not show it", again)
