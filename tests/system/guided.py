# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Guided search: sequences of places (`run --goal`), and warnings turned into verdicts (`confirm`), on tests/corpus/guided."""
import json
import re
import subprocess

import harness

TWO_STAGE, REORDER, WRONG_LOCK = ("first stage done", "second stage read"), ("a set", "b read"), ("update", "other update", "checked")
RING, ARY_LIST, ABS_LIST = ("vector", "table", "table", "vector"), ("iterator made", "added", "next"), ("flag set", "iterator made", "has next", "added", "next")
# Program, arguments, places of the sequence by their marks in the source, states within which every trial must end: the fewest that Rungta and Mercer's table 2 has
# for the program (at the next smaller size, where there is no row of its own). Of deadlocks it has no row; in
# `containment` bystanders pass the places of the table too.
SMALL = (
    ("two_stage", (7, 1), TWO_STAGE, 209),
    ("reorder", (5, 1), REORDER, 106),
    ("wrong_lock", (1, 10), WRONG_LOCK, 804),
    ("opposite_order", (8,), ("l0", "l9", "l1", "l18"), 1_000),
    ("containment", (9,), RING, 20_000),
    ("ary_list", (5,), ARY_LIST, 1_764),
    ("abs_list", (7,), ABS_LIST, 1_382),
)
LARGE = (
    ("two_stage", (8, 1), TWO_STAGE, 246),
    ("two_stage", (10, 1), TWO_STAGE, 329),
    ("reorder", (8, 1), REORDER, 193),
    ("reorder", (9, 1), REORDER, 193),
    ("reorder", (10, 1), REORDER, 266),
    ("wrong_lock", (1, 20), WRONG_LOCK, 2_445),
    ("containment", (10,), RING, 20_000),
    ("ary_list", (8,), ARY_LIST, 1_764),
    ("ary_list", (9,), ARY_LIST, 1_764),
    ("ary_list", (10,), ARY_LIST, 1_764),
    ("abs_list", (8,), ABS_LIST, 1_382),
    ("abs_list", (10,), ABS_LIST, 1_382),
)
# Warnings that must be confirmed with nothing written by hand: program, arguments, kinds one of which is harmful.
CONFIRMED = (
    ("two_stage", (1, 1), ("atomicity", "race")),
    ("wrong_lock", (1, 1), ("race",)),
    ("opposite_order", (0,), ("lock order",)),
    ("lock_ring", (), ("lock order",)),
    ("check_then_act", (), ("atomicity",)),
    ("lost_notify", (), ("order",)),
)
# Of the last one static analysis warns, of a race and of a lock order: what orders its threads is a flag.
TWINS = (*((name, arguments, "FIXED") for name, arguments, _ in CONFIRMED), ("lock_ring", (), "GATE"), ("in_turns", (), "FIXED"))


# What a tool that does not understand the repair would say of the twins, places by a piece of their lines: races as a list of places; circles of locks and orders of
# places (with the thread that passes each) as SARIF.
FOREIGN = (
    ("two_stage", (1, 1), "FIXED", (("first = 1;", "if (first != 0)"), ("second = first + 1;", "if (first != 0)")), (),
     ((("first = 1;", "A"), ("if (first != 0)", "B"), ("second = first + 1;", "A")),)),
    ("wrong_lock", (1, 1), "FIXED", (("here: before", "here: other update"), ("here: checked", "here: other update")), (),
     ((("here: update", "A"), ("here: other update", "B"), ("here: checked", "A")),)),
    ("opposite_order", (0,), "FIXED", (), (("inner(b);  // here: l1", "inner(b);"),), ()),
    ("lock_ring", (), "FIXED", (("++work;", "++work;"),), (("second(inner)", "second(inner)", "second(inner)"),), ()),
    ("lock_ring", (), "GATE", (("++work;", "++work;"),), (("second(inner)", "second(inner)", "second(inner)"),), ()),
    ("check_then_act", (), "FIXED", (("--free_seats;", "--free_seats;"),), (), ((("--free_seats;", "A"), ("--free_seats;", "B"), ("--free_seats;", "A")),)),
    ("lost_notify", (), "FIXED", (("while (!ready)", "ready = true;"),), (), ()),
    ("in_turns", (), "FIXED", (("++work;", "++work;#2"), ("++value;", "++value;#2")), (("inner(b)", "inner(a)"),), ((("outer(a)", "A"), ("outer(b)", "B"), ("inner(b)", "A")),)),
)


def source_of(context: harness.Context, name: str):
    return context.sources / "corpus" / "guided" / f"{name}.cpp"


def line_of(context: harness.Context, name: str, mark: str) -> int:
    lines = source_of(context, name).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"// here: {mark}"))


def goal_of(context: harness.Context, name: str, marks: tuple) -> str:
    return ",".join(f"{name}.cpp:{line_of(context, name, mark)}" for mark in marks)


def prepared(context: harness.Context, name: str, defines: tuple = ()):
    """The program, with its facts."""
    program = context.build(source_of(context, name), name="_".join((name, *defines)).lower(), defines=defines, flags=("-O1",))
    if program is not None:
        done = context.tool("analyze", program)
        context.check(done.code == harness.CLEAN, f"{program.name}: no facts", done)
    return program


def drive(context: harness.Context, program, arguments: tuple, goal: str, *options):
    report = context.folder / "run.json"
    report.unlink(missing_ok=True)
    done = context.tool("run", "--json", report, "--color", "never", "--no-minimize", "--goal", goal, *options, program, *arguments)
    return done, harness.read_json(report)


def trials(context: harness.Context, rows: tuple, count: int) -> None:
    for name, arguments, marks, most in rows:
        if context.only not in name:
            continue
        program = prepared(context, name)
        if program is None:
            continue
        states, executions = [], []
        for seed in range(1, count + 1):
            done, report = drive(context, program, arguments, goal_of(context, name, marks), "--seed", seed, "--iterations", 100, "--past-goal", "--saved", "ignore")
            if context.check(any(finding["kind"] != "data-race" for finding in report.get("findings", [])), f"{name}{arguments} seed {seed}: not found", done):
                states.append(report["states"])
                executions.append(report["executions"])
        context.check(max(states, default=0) <= most, f"{name}{arguments}: more than {most} states: {states}")
        if states:
            print(f"{name}{arguments}: density {len(states) / count:.2f}, states {min(states)} {sum(states) / len(states):.1f} {max(states)}, executions {min(executions)} {max(executions)}",
                  flush=True)


def density(context: harness.Context) -> None:
    """Every trial finds the failure, in no more states than the paper's: the small configurations."""
    trials(context, SMALL, 30)


def density_full(context: harness.Context) -> None:
    trials(context, SMALL + LARGE, 30)


def goals(context: harness.Context) -> None:
    """A goal that is reached is a result with a plan; one that is not says how far it came; what cannot be is refused."""
    name = "opposite_order"
    program = prepared(context, name)
    if program is None:
        return
    line = {mark: line_of(context, name, mark) for mark in ("l0", "l1", "l9", "l18")}
    done, report = drive(context, program, (0,), f"{name}.cpp:{line['l0']},{name}.cpp:{line['l9']}", "--iterations", 100)
    goal = report.get("goal", {})
    context.check(goal.get("reached") is True and goal.get("plan"), "the outer locks were not taken in this order", done)
    if goal.get("plan"):
        again, replayed = context.replay(goal["plan"], "--times", 20)
        context.check(again.code in (harness.CLEAN, harness.DEFECT) and replayed.get("mismatches", 1) == 0, "the goal's plan does not repeat", again)
    # All four places, the inner locks by being blocked there.
    done, report = drive(context, program, (8,), goal_of(context, name, ("l0", "l9", "l1", "l18")), "--iterations", 100)
    kinds = {finding["kind"] for finding in report.get("findings", [])}
    context.check("deadlock" in kinds and report["goal"]["observed"] == 4, "no deadlock along its sequence", done)
    # One thread passes its two locks in this order only.
    done, report = drive(context, program, (0,), f"{name}.cpp:{line['l1']}@A,{name}.cpp:{line['l0']}@A", "--iterations", 60, "--keep-going")
    goal = report.get("goal", {})
    context.check(done.code in (1, 5) and not goal.get("reached") and goal.get("observed") == 1, "an order that cannot be was passed", done)
    usage(context, program, name)
    marks(context)
    own_memory(context)
    unreachable(context)


def marks(context: harness.Context) -> None:
    """Names are places; an order that the program excludes is not passed."""
    program = prepared(context, "marks")
    if program is None:
        return
    for goal, reached in (("second_begins,first_begins,second_ends,first_ends", True), ("first_begins,second_begins,first_ends,second_ends", True),
                          ("second_ends,second_begins", False), ("chosen,first_ends", True)):
        done, report = drive(context, program, (), goal, "--iterations", 50)
        context.check(report.get("goal", {}).get("reached") is reached, f"marks {goal}: reached should be {reached}", done)


def own_memory(context: harness.Context) -> None:
    """Places are scheduling points also where nothing is shared: both orders are passed."""
    name = "own_memory"
    program = prepared(context, name)
    if program is None:
        return
    for marks in (("filled", "cleared"), ("cleared", "filled")):
        done, report = drive(context, program, (), goal_of(context, name, marks), "--iterations", 20)
        context.check(report.get("goal", {}).get("reached") is True, f"{marks}: not reached", done)
    done, report = drive(context, program, (), "clear+2,fill+2", "--iterations", 20)
    context.check(report.get("goal", {}).get("reached") is True, "lines by function: not reached", done)


def seeds(context: harness.Context) -> None:
    """Ties are broken by the seed: several schedules over 20 seeds, the same one with the same seed. Roles are not threads: created in the other order they do as well. A small
    set of states to go back to is enough to end."""
    name = "opposite_order"
    goal, plans = goal_of(context, name, ("l0", "l9", "l1", "l18")), {}
    for define in ((), ("SWAPPED",)):
        program = prepared(context, name, define)
        if program is None:
            return
        for seed in (*range(1, 21), 1) if not define else range(1, 6):
            done, report = drive(context, program, (8,), goal, "--seed", seed, "--iterations", 100, "--saved", "ignore")
            found = [finding for finding in report.get("findings", []) if finding["kind"] == "deadlock"]
            if not context.check(found and report["goal"]["observed"] == 4, f"{define} seed {seed}: no deadlock", done) or define:
                continue
            schedule = [line for line in (context.folder / found[0]["plan"]).read_text(encoding="utf-8").splitlines() if line.startswith("run ")]
            context.check(schedule and plans.setdefault(seed, schedule) == schedule, f"seed {seed}: another schedule the second time", done)
    context.check(len({str(plan) for plan in plans.values()}) > 1, f"20 seeds, one schedule: {plans.get(1)}")
    program = prepared(context, "two_stage")
    if program is not None:
        done, report = drive(context, program, (5, 1), goal_of(context, "two_stage", TWO_STAGE), "--strategy", "meta,by=random,backtrack=10", "--iterations", 300, "--keep-going")
        context.check(done.code in (harness.CLEAN, harness.DEFECT, 5) and report["executions"] == 300, "backtrack=10", done)


def heuristics(context: harness.Context) -> None:
    """Distance against chance in the second tier: a tenth of the states at most, and always found."""
    name = "reorder"
    program, states = prepared(context, name), {"distance": [], "random": []}
    if program is None:
        return
    for by, ranked in states.items():
        for seed in range(1, 31 if by == "distance" else 11):
            done, report = drive(context, program, (10, 1), goal_of(context, name, REORDER), "--strategy", f"meta,by={by}", "--seed", seed, "--iterations", 100, "--past-goal",
                                 "--saved", "ignore")
            found = any(finding["kind"] != "data-race" for finding in report.get("findings", []))
            context.check(found or by == "random", f"by={by} seed {seed}: not found", done)
            ranked.append(report["states"])
    means = {by: sum(ranked) / len(ranked) for by, ranked in states.items()}
    context.check(10 * means["distance"] <= means["random"], f"states: {means}")
    print(f"states on average: {means}")


def unreachable(context: harness.Context) -> None:
    """A place that no thread can execute is refused before anything is run."""
    program = prepared(context, "marks")
    if program is not None:
        done = context.tool("run", "--goal", goal_of(context, "marks", ("never called",)), program)
        context.check(done.code == harness.USAGE and "no thread can execute" in done.err and done.err.count("\n") == 1, "a function that nobody calls", done)


def usage(context: harness.Context, program, name: str) -> None:
    for goal, words in ((f"{name}.cpp:1", "no operation that Ravel sees stands at"), ("nothing.cpp:3", "no operation that Ravel sees stands at"),
                        (",".join([f"{name}.cpp:20"] * 65), "too long"), ("a b", "not a place"),
                        (f"{name}.cpp:{line_of(context, name, 'l0')}#9", "no such operation")):
        done = context.tool("run", "--goal", goal, program)
        context.check(done.code == harness.USAGE and words in done.err and done.err.count("\n") == 1, f"--goal {goal[:40]}: {words}", done)
    done = context.tool("run", "--strategy", "meta", program)
    context.check(done.code == harness.USAGE and "--goal" in done.err, "strategy meta without a sequence", done)
    empty = context.folder / "empty.txt"
    empty.write_text("# nothing\n", encoding="utf-8")
    done = context.tool("run", "--sequence", empty, program)
    context.check(done.code == harness.USAGE and "no places" in done.err, "a sequence without places", done)


def deep(context: harness.Context) -> None:
    """Four ordered places behind preambles of different length, beside six bystanders: three executions are enough, and 20 000 random ones are not."""
    name = "four_places"
    program = prepared(context, name)
    if program is None:
        return
    goal = goal_of(context, name, ("first", "second", "third", "last"))
    for seed in range(1, 6):
        done, report = drive(context, program, (), goal, "--seed", seed, "--iterations", 3)
        context.check(any(finding["kind"] == "assertion" for finding in report.get("findings", [])), f"seed {seed}: not found", done)
    done, report = context.run(program, "--strategy", "random", "--iterations", 20_000, "--saved", "ignore")
    context.check(done.code == harness.CLEAN and report["executions"] == 20_000 and not report["findings"], "random finds it too", done)


def confirm(context: harness.Context, program, arguments: tuple, *options, files: tuple = ()):
    report = context.folder / "confirm.json"
    report.unlink(missing_ok=True)
    done = context.tool("confirm", "--color", "never", "--json", report, "--time", "60s", *options, *files, "--", program, *arguments)
    return done, harness.read_json(report).get("warnings", [])


def confirmed(context: harness.Context) -> None:
    """Warnings become HARMFUL with nothing written by hand, and their plans replay."""
    for name, arguments, kinds in CONFIRMED:
        if context.only not in name:
            continue
        program = prepared(context, name)
        if program is None:
            continue
        done, warnings = confirm(context, program, arguments)
        harmful = [warning for warning in warnings if warning["verdict"] == "harmful" and warning["kind"] in kinds]
        context.check(bool(harmful) and done.code == harness.DEFECT, f"{name}: no harmful {kinds}", done)
        for warning in harmful[:1]:
            again, _ = context.replay(warning["plan"], "--times", 100)
            context.check(again.code == harness.DEFECT, f"{name}: the plan does not fail again", again)


def own_plans(context: harness.Context) -> None:
    """Three races, two of them on one line and two with the same failure: a plan for each."""
    program = prepared(context, "two_counters")
    if program is None:
        return
    done, warnings = confirm(context, program, ())
    context.check([warning["verdict"] for warning in warnings] == ["harmful"] * 3, "two_counters: not three harmful races", done)
    plans = [context.folder / warning["plan"] for warning in warnings]
    context.check([plan.name for plan in plans] == [f"two_counters-warning-{number}.plan" for number in (1, 2, 3)], f"plans {plans}", done)
    for plan in plans:
        again, _ = context.replay(plan)
        context.check(again.code == harness.DEFECT, f"{plan.name} does not fail again", again)


def twins_of(context: harness.Context, seeds: int) -> None:
    for name, arguments, define in TWINS:
        if context.only not in name:
            continue
        program = prepared(context, name, (define,))
        if program is None:
            continue
        for seed in range(1, seeds + 1):
            done, warnings = confirm(context, program, arguments, "--seed", seed)
            wrong = [warning for warning in warnings if warning["verdict"] in ("harmful", "real")]
            context.check(not wrong and done.code == harness.CLEAN, f"{name} {define} seed {seed}: a warning is real", done)
            if not warnings:
                break  # nothing to confirm, whatever the seed


def along_the_sequence(context: harness.Context, seeds: int) -> None:
    """Repaired twins driven along the sequence of the defect: it is passed or not, and nothing fails."""
    for name, pieces in (("two_stage", ("first = 1;", "if (first != 0)")), ("wrong_lock", ("here: update", "here: other update", "here: checked"))):
        if context.only not in name:
            continue
        program = prepared(context, name, ("FIXED",))
        if program is None:
            continue
        goal = ",".join(f"{name}.cpp:{line_with(context, name, piece)}" for piece in pieces)
        for seed in range(1, seeds + 1):
            done, report = drive(context, program, (3, 1), goal, "--seed", seed, "--iterations", 20, "--past-goal", "--saved", "ignore")
            context.check(done.code in (harness.CLEAN, 5) and report.get("executions") == 20 and not report["findings"], f"{name} seed {seed}: a defect in the repaired twin", done)


def twins(context: harness.Context) -> None:
    """Repaired twins, and a ring behind a gate lock: nothing is HARMFUL or REAL."""
    twins_of(context, 2)
    along_the_sequence(context, 10)


def twins_full(context: harness.Context) -> None:
    twins_of(context, 100)
    along_the_sequence(context, 100)


def sarif_of(context: harness.Context, name: str, circles: tuple, orders: tuple, executed: str) -> dict:
    def location(piece: str) -> dict:
        return {"physicalLocation": {"artifactLocation": {"uri": f"file:///elsewhere/{name}.cpp"}, "region": {"startLine": line_with(context, name, piece)}}}
    results = [{"ruleId": "deadlock", "message": {"text": "locks in a circle"}, "locations": [location(circle[0])],
                "relatedLocations": [location(piece) for piece in circle[1:]]} for circle in circles]
    for order in orders:
        flows = [{"locations": [{"executionOrder": number, "location": location(piece)} for number, (piece, thread) in enumerate(order, 1) if thread == one]} for one in "AB"]
        results.append({"ruleId": "atomicity", "message": {"text": "not atomic"}, "locations": [location(order[0][0])], "codeFlows": [{"threadFlows": flows}]})
    # That a line is executed makes no warning real.
    results.append({"ruleId": "mt-unsafe", "message": {"text": "not safe"}, "locations": [location(executed)]})
    return {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "other"}}, "results": results}]}


def line_with(context: harness.Context, name: str, piece: str) -> int:
    """The first, or with #2 the second line with the piece. Of two branches of a condition the repaired one comes first."""
    piece, _, number_of = piece.partition("#")
    lines = source_of(context, name).read_text(encoding="utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if line.endswith(piece)] or [number for number, line in enumerate(lines, 1) if piece in line]
    return found[int(number_of or 1) - 1]


def foreign_twins_of(context: harness.Context, seeds: range) -> None:
    for name, arguments, define, races, circles, orders in FOREIGN:
        if context.only not in name:
            continue
        program = prepared(context, name, (define,))
        if program is None:
            continue
        places, sarif = context.folder / "places.txt", context.folder / "warnings.sarif"
        places.write_text("".join(f"{name}.cpp:{line_with(context, name, a)}, {name}.cpp:{line_with(context, name, b)}\n" for a, b in races), encoding="utf-8")
        executed = (*(piece for pair in races for piece in pair), *(piece for circle in circles for piece in circle))[0]
        sarif.write_text(json.dumps(sarif_of(context, name, circles, orders, executed)), encoding="utf-8")
        files, expected = ((places, sarif) if races else (sarif,)), len(races) + len(circles) + len(orders) + 1
        verdicts = {}
        for seed in seeds:
            done, warnings = confirm(context, program, arguments, "--seed", seed, files=files)
            wrong = [warning for warning in warnings if warning["verdict"] in ("harmful", "real")]
            context.check(not wrong and len(warnings) == expected and done.code == harness.CLEAN, f"{name} {define} seed {seed}: a foreign warning is real", done)
            for warning in warnings:
                verdicts[warning["verdict"]] = verdicts.get(warning["verdict"], 0) + 1
        print(f"{name} {define}: {len(seeds)} trials, {verdicts}", flush=True)


def twins_foreign(context: harness.Context) -> None:
    """Repaired twins with warnings of other tools: nothing is HARMFUL or REAL, however often it is tried."""
    foreign_twins_of(context, range(1, 2))


def twins_foreign_full(context: harness.Context) -> None:
    foreign_twins_of(context, range(1, 101))


def never(context: harness.Context) -> None:
    """CANNOT HAPPEN after everything was explored; the same warning beside eight bystanders, where that does not end: NOT CONFIRMED."""
    name = "opposite_order"
    program = prepared(context, name, ("FIXED",))
    if program is None:
        return
    sarif = context.folder / "warnings.sarif"
    sarif.write_text(json.dumps(sarif_of(context, name, (("inner(b);  // here: l1", "inner(b);"),), (), "++work;")), encoding="utf-8")
    for bystanders, verdict, words in ((0, "cannot-happen", "warning 1  CANNOT HAPPEN"), (8, "not-confirmed", "warning 1  NOT CONFIRMED")):
        done, warnings = confirm(context, program, (bystanders,), "--time", "4s", files=(sarif,))
        context.check([warning["verdict"] for warning in warnings] == [verdict, "not-confirmed"] and words in done.out, f"{bystanders} bystanders: {verdict}", done)
        context.check(("behaviours were explored" in done.err) == (bystanders == 0) and done.code == harness.CLEAN, f"{bystanders} bystanders: what was explored", done)


def twins_with_warnings(context: harness.Context) -> None:
    """A correct program that static analysis warns of: CANNOT HAPPEN once everything was explored. Its broken twin: HARMFUL."""
    program = prepared(context, "in_turns", ("EARLY",))
    if program is not None:
        done, warnings = confirm(context, program, ())
        harmful = {warning["kind"] for warning in warnings if warning["verdict"] == "harmful"}
        context.check({"race", "lock order"} <= harmful, f"in_turns EARLY: harmful are {harmful}", done)
    for define, verdict, words in (((), "cannot-happen", "CANNOT HAPPEN"), (("BROKEN",), "harmful", "HARMFUL")):
        program = prepared(context, "handshake", define)
        if program is None:
            continue
        done, warnings = confirm(context, program, ())
        context.check([warning["verdict"] for warning in warnings] == [verdict] and words in done.out, f"handshake {define}: {verdict}", done)
        context.check(done.code == (harness.DEFECT if define else harness.CLEAN), f"handshake {define}: exit code", done)


def enrichment(context: harness.Context) -> None:
    """What the write that decides about a guarded place is worth: without it in the sequence more states are ranked."""
    name, marks = "abs_list", ("flag set", "iterator made", "has next", "added", "next")
    program = prepared(context, name)
    if program is None:
        return
    states = {True: [], False: []}
    for with_flag, seeds in ((True, range(1, 4)), (False, range(1, 4))):
        goal = goal_of(context, name, marks if with_flag else marks[1:])
        for seed in seeds:
            done, report = drive(context, program, (7,), goal, "--seed", seed, "--iterations", 2_000)
            found = any(finding["kind"] == "exception" for finding in report.get("findings", []))
            context.check(found or not with_flag, f"seed {seed}: not found along the whole sequence", done)
            states[with_flag].append(report["states"])
    context.check(sum(states[True]) < sum(states[False]), f"states with the flag {states[True]}, without {states[False]}")
    print(f"states with the flag {states[True]}, without {states[False]}")
    found_by_itself(context, program, f"{name}.cpp:{line_of(context, name, 'flag set')}")


def found_by_itself(context: harness.Context, program, flag: str) -> None:
    """With nothing written by hand the write comes into the sequences of harmful warnings. Along these, and along the same without it: fewer states."""
    done, warnings = confirm(context, program, (7,), "--time", "10s")
    enriched = [text.split(",") for warning in warnings if warning["verdict"] == "harmful" for text in warning["tried"] if flag in text.split(",")]
    if not context.check(enriched, f"no sequence of a harmful warning has {flag}", done):
        return
    states = {True: 0, False: 0}
    for sequence in enriched[:4]:
        for with_flag in states:
            goal = ",".join(place for place in sequence if with_flag or place != flag)
            _, report = drive(context, program, (7,), goal, "--iterations", 2_000, "--past-goal", "--saved", "ignore")
            states[with_flag] += report["states"]
    context.check(states[True] < states[False], f"{enriched[:4]}: states {states}", done)
    print(f"{len(enriched)} sequences with the flag: states of four {states}")


def lengths(context: harness.Context) -> None:
    """States by the length of the sequence: one place is far too few, two are enough, more than that change little."""
    name, means = "ary_list", []
    program = prepared(context, name)
    if program is None:
        return
    for marks in (("added",), ("has next", "added"), ("has next", "added", "next"), ("iterator made", "has next", "added", "next"),
                  ("locked", "iterator made", "has next", "added", "next"), ("locked", "iterator made", "has next", "add locked", "added", "next")):
        states = []
        for seed in range(1, 4):
            done, report = drive(context, program, (10,), goal_of(context, name, marks), "--seed", seed, "--iterations", 2_000, "--past-goal", "--saved", "ignore")
            context.check(any(finding["kind"] == "exception" for finding in report.get("findings", [])), f"{marks} seed {seed}: not found", done)
            states.append(report["states"])
        means.append(sum(states) / len(states))
    context.check(means[0] > 10 * means[1] and means[2] <= means[1] and max(means[2:]) <= 2 * min(means[2:]), f"states by length: {means}")
    print(f"states by length: {means}")


def tables(context: harness.Context) -> None:
    """`make tables-long` keeps its trials: a second run of the same experiment makes none, one that was stopped while it wrote makes the last one again."""
    out = context.folder / "tables"
    ledger = out / "trials.jsonl"
    ledger.unlink(missing_ok=True)
    command = ["python3", "-B", context.sources.parent / "bench" / "tables" / "tables.py", "--long", "--only", "figure", "--trials", "1", "--trial-cap", "1", "--jobs", "1",
               "--ravel", context.ravel, "--out", out]
    counts = []
    for cut in (False, False, True):
        if cut:
            ledger.write_bytes(ledger.read_bytes()[:-20])
        done = context.command(command)
        if not context.check(done.code == 0 and "## States by the length" in done.out and ledger.exists(), "tables.py", done):
            return
        lines = ledger.read_text(encoding="utf-8").splitlines()
        counts.append(len(lines))
    whole = [json.loads(line)["key"] for line in lines if line.endswith("}}")]  # not the one that was cut
    context.check(counts[1] == counts[0] == 6 and len(whole) == len(set(whole)) == counts[0], f"trials in the ledger: {counts}")


def best_first(context: harness.Context) -> None:
    """The same rank in a queue of limited length finds it too; without a sequence it is refused, and so is a sequence without the rank."""
    name, marks = "reorder", ("a set", "b read")
    program = prepared(context, name)
    if program is None:
        return
    for by in ("rank", "distance"):
        done, report = drive(context, program, (10, 1), goal_of(context, name, marks), "--strategy", f"best-first,by={by}", "--iterations", 100)
        context.check(any(finding["kind"] == "assertion" for finding in report.get("findings", [])), f"by={by}: not found", done)
        context.check(report["goal"]["observed"] == 2, f"by={by}: the sequence was not observed", done)
        done = context.tool("run", "--strategy", f"best-first,by={by}", program)
        context.check(done.code == harness.USAGE and "needs a sequence" in done.err, f"by={by} without a sequence", done)
    by_property(context)
    done = context.tool("run", "--strategy", "best-first,by=branch", "--goal", goal_of(context, name, marks), program)
    context.check(done.code == harness.USAGE and "--goal needs strategy meta" in done.err, "by=branch with a sequence", done)
    done = context.tool("run", "--strategy", "best-first,by=branch", "--iterations", 3_000, "--saved", "ignore", "--no-minimize", program, 2, 1)
    context.check(done.code == harness.DEFECT, "by=branch: Reorder(2,1) not found", done)


def by_property(context: harness.Context) -> None:
    """By the sales that are missing; a program whose condition is no global variable's is refused, and so is one without facts."""
    program = prepared(context, "airline")
    if program is not None:
        for target in ((), ("--target", f"airline.cpp:{line_of(context, 'airline', 'check')}")):
            for seed in range(1, 6):
                report = context.folder / "property.json"
                done = context.tool("run", "--json", report, "--quiet", "--no-minimize", "--strategy", "best-first,by=property", "--seed", seed, "--iterations", 200, *target,
                                    program, 10, 3)
                found = any(finding["kind"] == "assertion" for finding in harness.read_json(report).get("findings", []))
                context.check(found, f"by=property {target} seed {seed}: Airline(10,3) not found in 200 executions", done)
    other = prepared(context, "ary_list")
    for options, code, words in ((("--target", f"ary_list.cpp:{line_of(context, 'ary_list', 'next')}"), harness.USAGE, "no condition that can be evaluated"),
                                 (("--target", "ary_list.cpp:1"), harness.USAGE, "no code stands at"), (("--facts", "none"), harness.CANNOT_TEST, "needs static facts")):
        done = context.tool("run", "--strategy", "best-first,by=property", *options, other)
        context.check(done.code == code and words in done.err and done.err.count("\n") == 1, f"by=property {options}: {words}", done)


def with_tsan(context: harness.Context, source, log) -> bool:
    program = context.folder / "tsan_program"
    done = context.command(["g++", "-std=c++20", "-O1", "-g", "-fsanitize=thread", f"-I{context.sources.parent / 'include'}", source, "-o", program])
    if not context.check(done.code == 0, "g++ -fsanitize=thread", done):
        return False
    for _ in range(50):  # whether the race is seen is up to the machine
        ran = subprocess.run([program, "1", "4"], capture_output=True, check=False, text=True, timeout=harness.WATCHDOG)
        if "data race" in ran.stderr:
            log.write_text(ran.stderr, encoding="utf-8")
            return True
    return context.check(False, "ThreadSanitizer saw no race", ran.stderr)


def foreign(context: harness.Context) -> None:
    """Logs of other tools, made here: ThreadSanitizer, Helgrind, DRD, SARIF, a list of places; bad files."""
    name = "wrong_lock"
    program = prepared(context, name)
    if program is None:
        return
    source = source_of(context, name)
    files = []
    log = context.folder / "tsan.log"
    if with_tsan(context, source, log):
        files.append(log)
    plain = context.folder / "plain_program"
    xml = context.folder / "helgrind.xml"
    context.command(["g++", "-std=c++20", "-O0", "-g", f"-I{context.sources.parent / 'include'}", source, "-o", plain, "-pthread"])
    done = context.command(["valgrind", "--tool=helgrind", "--xml=yes", f"--xml-file={xml}", plain, "1", "4"])
    if context.check(xml.exists() and "<kind>Race</kind>" in xml.read_text(encoding="utf-8"), "Helgrind saw no race", done):
        files.append(xml)
    xml = context.folder / "drd.xml"
    done = context.command(["valgrind", "--tool=drd", "--xml=yes", f"--xml-file={xml}", plain, "1", "4"])
    if context.check(xml.exists() and "<kind>ConflictingAccess</kind>" in xml.read_text(encoding="utf-8"), "DRD saw no race", done):
        files.append(xml)
    places = context.folder / "places.txt"
    places.write_text(f"/elsewhere/{name}.cpp:{line_of(context, name, 'before')}, {name}.cpp:{line_of(context, name, 'other update')}\n", encoding="utf-8")
    files.append(places)
    sarif = context.folder / "in.sarif"
    done = context.tool("confirm", "--sarif", sarif, "--time", "20s", places, "--", program, 1, 4)
    files.append(sarif)
    for file in files:
        out = context.folder / "out.sarif"
        out.unlink(missing_ok=True)
        done, warnings = confirm(context, program, (1, 4), "--sarif", out, files=(file,))
        context.check(any(warning["verdict"] in ("harmful", "real") for warning in warnings) and done.code == harness.DEFECT,
                      f"{file.name}: nothing confirmed", done)
        results = [result for run in harness.read_json(out).get("runs", []) for result in run["results"]]
        verdicts = [result.get("properties", {}).get("ravelVerdict") for result in results]
        context.check(len(verdicts) >= len(warnings) and None not in verdicts, f"{file.name}: SARIF without verdicts", json.dumps(results)[:2000])
    bad_files(context, program)


def analyzer(context: harness.Context) -> None:
    """SARIF that clang's static analyzer wrote: its warnings of two locks in two orders become verdicts, its false one of the twin does not."""
    for defines, code, verdicts in (((), harness.DEFECT, {"harmful"}), (("FIXED",), harness.CLEAN, {"not-confirmed", "cannot-happen"})):
        program = prepared(context, "lock_reversal", defines)
        sarif = context.folder / f"{program.name}.sarif"
        done = context.command(["clang++-14", "--analyze", "-std=c++20", *(f"-D{define}" for define in defines), "-Xclang", "-analyzer-checker=alpha.unix.PthreadLock",
                                "-Xclang", "-analyzer-output=sarif", source_of(context, "lock_reversal"), "-o", sarif])
        context.check(sarif.exists() and "PthreadLock" in sarif.read_text(encoding="utf-8"), "the analyzer has not warned", done)
        done, warnings = confirm(context, program, (), "--time", "10s", files=(sarif,))
        found = {warning["verdict"] for warning in warnings}
        context.check(done.code == code and warnings and found <= verdicts, f"{program.name}: {found}", done)


def bad_files(context: harness.Context, program) -> None:
    for text, words in (("", "empty"), ("{", "no warnings found"), ("<xml>", "no warnings found"), ("nothing here\n", "no warnings found")):
        file = context.folder / "bad.txt"
        file.write_text(text, encoding="utf-8")
        done = context.tool("confirm", file, "--", program)
        context.check(done.code == harness.USAGE and words in done.err and re.fullmatch(r"ravel: [^\n]*\n", done.err), f"a file with {text!r}", done)
    done = context.tool("confirm", context.folder / "none.txt", "--", program)
    context.check(done.code == harness.USAGE and "cannot read" in done.err, "a file that is not there", done)
