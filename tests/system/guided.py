# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Guided search: sequences of places (`run --goal`), and warnings turned into verdicts (`confirm`), on tests/corpus/guided."""
import json
import re
import subprocess

import harness

# Program, arguments, places of the sequence by their marks in the source, executions within which each trial must end.
SMALL = (
    ("two_stage", (7, 1), ("first stage done", "second stage read"), 100),
    ("reorder", (5, 1), ("a set", "b read"), 100),
    ("wrong_lock", (1, 10), ("update", "other update", "checked"), 100),
    ("opposite_order", (8,), ("l0", "l9", "l1", "l18"), 100),
    ("containment", (9,), ("vector", "table", "table", "vector"), 100),
    ("ary_list", (5,), ("iterator made", "added", "next"), 100),
)
LARGE = (
    ("two_stage", (8, 1), ("first stage done", "second stage read"), 100),
    ("two_stage", (10, 1), ("first stage done", "second stage read"), 100),
    ("reorder", (9, 1), ("a set", "b read"), 100),
    ("reorder", (10, 1), ("a set", "b read"), 100),
    ("wrong_lock", (1, 20), ("update", "other update", "checked"), 100),
    ("containment", (10,), ("vector", "table", "table", "vector"), 100),
    ("ary_list", (10,), ("iterator made", "added", "next"), 100),
    ("abs_list", (7,), ("flag set", "iterator made", "has next", "added", "next"), 100),
    ("abs_list", (8,), ("flag set", "iterator made", "has next", "added", "next"), 100),
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
        program = prepared(context, name)
        if program is None:
            continue
        found, first = 0, []
        for seed in range(1, count + 1):
            done, report = drive(context, program, arguments, goal_of(context, name, marks), "--seed", seed, "--iterations", most,
                                 "--keep-going")
            failed = [finding["execution"] + 1 for finding in report.get("findings", []) if finding["kind"] != "data-race"]
            found += bool(failed)
            first += failed[:1]
            context.check(failed, f"{name}{arguments} seed {seed}: not found", done)
        print(f"{name}{arguments}: density {found / count:.2f}, executions {min(first)} {sum(first) / len(first):.1f} {max(first)}" if first else name)


def density(context: harness.Context) -> None:
    """Every trial finds the failure: the small configurations, and a few trials of the others."""
    trials(context, SMALL, 5)


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


def marks(context: harness.Context) -> None:
    """Names are places; an order that the program excludes is not passed."""
    program = prepared(context, "marks")
    if program is None:
        return
    for goal, reached in (("second_begins,first_begins,second_ends,first_ends", True), ("first_begins,second_begins,first_ends,second_ends", True),
                          ("second_ends,second_begins", False)):
        done, report = drive(context, program, (), goal, "--iterations", 50)
        context.check(report.get("goal", {}).get("reached") is reached, f"marks {goal}: reached should be {reached}", done)


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
    """Four ordered places behind preambles of different length, beside six bystanders: three executions are enough."""
    name = "four_places"
    program = prepared(context, name)
    if program is None:
        return
    goal = goal_of(context, name, ("first", "second", "third", "last"))
    for seed in range(1, 6):
        done, report = drive(context, program, (), goal, "--seed", seed, "--iterations", 3)
        context.check(any(finding["kind"] == "assertion" for finding in report.get("findings", [])), f"seed {seed}: not found", done)


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
            again, _ = context.replay(warning["plan"], "--times", 20)
            context.check(again.code == harness.DEFECT, f"{name}: the plan does not fail again", again)


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


def twins(context: harness.Context) -> None:
    """Repaired twins, and a ring behind a gate lock: nothing is HARMFUL or REAL."""
    twins_of(context, 2)


def twins_full(context: harness.Context) -> None:
    twins_of(context, 100)


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


def bad_files(context: harness.Context, program) -> None:
    for text, words in (("", "empty"), ("{", "no warnings found"), ("<xml>", "no warnings found"), ("nothing here\n", "no warnings found")):
        file = context.folder / "bad.txt"
        file.write_text(text, encoding="utf-8")
        done = context.tool("confirm", file, "--", program)
        context.check(done.code == harness.USAGE and words in done.err and re.fullmatch(r"ravel: [^\n]*\n", done.err), f"a file with {text!r}", done)
    done = context.tool("confirm", context.folder / "none.txt", "--", program)
    context.check(done.code == harness.USAGE and "cannot read" in done.err, "a file that is not there", done)
