# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""`ravel run --saved`: plans of earlier campaigns are tried first."""
import pathlib
import shutil

import harness


class Runs:
    """One program, run again and again in one folder."""

    def __init__(self, context: harness.Context, program: pathlib.Path):
        self.context = context
        self.program = program

    def run(self, *options, arguments: tuple = ()) -> tuple[harness.Finished, dict, list[str]]:
        report = self.context.folder / "run.json"
        report.unlink(missing_ok=True)
        options = options if "--saved" in options else ("--saved", "first", *options)
        done = self.context.tool("run", "--json", report, "--color", "never", "--iterations", 300, *options, self.program, *arguments)
        facts = harness.read_json(report)
        return done, facts, [saved["verdict"] for saved in facts.get("saved", [])]


def group(context: harness.Context) -> None:
    source = context.sources.parent / "examples" / "bank.cpp"
    program = context.build(source)
    fixed = context.build(source, "bank-fixed", ("FIXED",))
    race = context.build(context.sources / "corpus" / "detect" / "race_counter.cpp", "race")
    if None in (program, fixed, race):
        return
    bank = Runs(context, program)
    folder = context.folder / ".ravel"

    first, facts, verdicts = bank.run()
    context.check(first.code == harness.DEFECT and not verdicts and facts["executions"] > 1, "the first run explores", first)
    plan = context.folder / facts["findings"][0]["plan"]
    beside = {path.name: path.read_bytes() for path in folder.iterdir()}
    again, facts, verdicts = bank.run()
    context.check(again.code == harness.DEFECT and verdicts == ["fails"] and facts["executions"] == 1, f"again: {verdicts}", again)
    context.check(facts["findings"][0]["plan"] == str(plan.relative_to(context.folder)), "another plan", again)
    context.check(facts["findings"][0]["preemptions"] == harness_preemptions(first), "another schedule", again)
    context.check({path.name: path.read_bytes() for path in folder.iterdir()} == beside, "what was saved has changed", again)
    context.check("fails again" in again.out and again.out.count("reproduce: ") == 1, "what is said", again)

    done, facts, verdicts = bank.run("--saved", "ignore")
    context.check(not verdicts and facts["executions"] > 1, "--saved ignore", done)
    done, facts, verdicts = bank.run("--keep-going", "--no-minimize")
    context.check(verdicts == ["fails"] and (facts["executions"] == 300 or facts["complete"] and facts["executions"] > 1), "--keep-going goes on", done)
    context.check(sum(f["kind"] == "assertion" for f in facts["findings"]) == 1, "the defect is told twice", done)
    done, facts, verdicts = bank.run(arguments=("other",))
    context.check(not verdicts, "a plan of other arguments is tried", done)
    for options in (("--timeouts", "adversarial"), ("--expect-exit", "3")):
        done, facts, verdicts = bank.run("--no-minimize", "--output", "apart", *options)
        done, facts, verdicts = bank.run("--no-minimize", "--output", "apart")
        context.check(not verdicts, f"a plan of {options} is tried", done)
        shutil.rmtree(context.folder / "apart")

    # What is no plan is nobody's.
    (folder / "bank-2.plan").write_text("no plan\n")
    (folder / "bank-3.plan").symlink_to(plan)
    done, facts, verdicts = bank.run()
    context.check(verdicts == ["fails"], f"with a broken plan and a link: {verdicts}", done)

    shutil.copy(fixed, program)
    done, facts, verdicts = bank.run()
    context.check(done.code == harness.CLEAN and (facts["executions"] == 300 or facts["complete"]), "the repaired program is explored", done)
    context.check(verdicts in (["clean"], ["does-not-fit"]), f"repaired: {verdicts}", done)
    shutil.copy(race, program)
    done, facts, verdicts = bank.run()
    context.check(verdicts == ["does-not-fit"] and facts["saved"][0]["reason"], f"another program: {facts.get('saved')}", done)
    context.check("no longer fits" in done.out and facts["executions"] > 1, "another program is explored", done)

    races = Runs(context, race)
    done, facts, verdicts = races.run()
    done, facts, verdicts = races.run()
    context.check([f["kind"] for f in facts["findings"]][:1] == ["data-race"] and not verdicts, "a race is left to the campaign", done)
    done = context.tool("run", "--saved", "never", program)
    context.check(done.code == harness.USAGE and "first, ignore" in done.err, "a bad value", done)


def harness_preemptions(done: harness.Finished) -> int:
    """As the console says it."""
    text = done.out.split(" preemption")[0]
    return int(text.rsplit(" ", 1)[1])
