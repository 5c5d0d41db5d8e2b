# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Strategy slice: whether a place is reached, by rounds that grow, on tests/corpus/guided."""
import harness
from guided import line_of, prepared

SMALL = "slice,start=decisive,grain=line,symmetry=on"  # the smallest abstraction


def search(context: harness.Context, program, arguments: tuple, target: str, *options):
    report = context.folder / "slice.json"
    report.unlink(missing_ok=True)
    done = context.tool("run", "--json", report, "--color", "never", "--no-minimize", "--saved", "ignore", "--time", "60s", "--target", target, *options, program,
                        *arguments)
    found = harness.read_json(report)
    return done, found.get("slice", {"rounds": [], "verdict": "none", "states": -1}), found


def place(context: harness.Context, name: str, mark: str) -> str:
    return f"{name}.cpp:{line_of(context, name, mark)}"


def example(context: harness.Context) -> None:
    """The example program: what each round adds; with a limit that cannot be reached two rounds, and the reader never inside."""
    name = "slice_example"
    lines = {mark: place(context, name, mark) for mark in ("increment", "test", "throw", "add")}
    for define, verdict, code in (((), "error", harness.DEFECT), (("LIMIT=60",), "no-error", harness.CLEAN)):
        program = prepared(context, name, define)
        if program is None:
            return
        done, found, report = search(context, program, (), lines["throw"])
        rounds = found["rounds"]
        context.check(done.code == code and found["verdict"] == verdict and len(rounds) == 2, f"{define}: {verdict} after two rounds", done)
        if len(rounds) != 2:
            continue
        context.check(rounds[0]["threads"] == ["t0"] and sorted(rounds[0]["lines"]) == sorted((lines["increment"], lines["test"], lines["throw"])),
                      f"{define}: round 1 is not the slice of the throw", done)
        context.check(rounds[1]["added_threads"] == ["t1"] and rounds[1]["added_lines"] == [lines["add"]], f"{define}: round 2 adds more or less than the addition",
                      done)
        if verdict == "error":
            plan = report["findings"][0]["plan"]
            again, _ = context.replay(plan, "--times", 100)
            context.check(again.code == harness.DEFECT, "the plan does not fail again", again)
        # The same at whole lines.
        done, found, _ = search(context, program, (), lines["throw"], "--strategy", SMALL)
        context.check(done.code == code and found["verdict"] == verdict, f"{define} {SMALL}: {verdict}", done)


def growth(context: harness.Context) -> None:
    """One thread a round; any one of many is enough; other threads before those that run the target; nobody to run it."""
    program = prepared(context, "airline")
    if program is not None:
        done, found, _ = search(context, program, (3, 1), place(context, "airline", "check"))
        context.check([len(one["threads"]) for one in found["rounds"]] == [1, 2, 3, 4] and found["verdict"] == "error", "Airline(3,1) does not grow 1, 2, 3, 4", done)
        done, found, _ = search(context, program, (3, 1), place(context, "airline", "check"), "--strategy", "slice,add=2")
        context.check([len(one["threads"]) for one in found["rounds"]][:2] == [1, 3], "add=2 does not add two threads", done)
        done, found, _ = search(context, program, (4, 0), place(context, "airline", "check"), "--strategy", SMALL)
        context.check(done.code == harness.CLEAN and found["verdict"] == "no-error", "Airline(4,0): an error where there is none", done)
        few(context, program, (4, 0), found["states"])
    program = prepared(context, "reorder")
    if program is None:
        return
    check, states = place(context, "reorder", "check"), []
    for setters in (1, 5, 10, 20):
        done, found, _ = search(context, program, (setters, 1), check)
        context.check(found["verdict"] == "error" and len(found["rounds"]) == 2, f"Reorder({setters},1): not found after one refinement", done)
        states.append(found["states"])
    context.check(max(states) <= 2 * min(states), f"Reorder: states grow with the setters: {states}")
    done, found, _ = search(context, program, (3, 3), check)
    context.check(found["rounds"][1]["added_threads"][0].startswith("setter"), "a checker was added before a setter", done)
    done, found, _ = search(context, program, (4, 0), check)
    context.check(done.code == harness.CLEAN and found["verdict"] == "no-error" and found["states"] == 0, "Reorder(4,0): nobody can reach the target", done)
    few(context, program, (4, 0), 1)


def symmetry(context: harness.Context) -> None:
    """Threads that were given other arguments are not alike: the error that needs the last one first is found with and without the option."""
    program = prepared(context, "own_arguments")
    if program is None:
        return
    for option in ("on", "off"):
        done, found, _ = search(context, program, (), place(context, "own_arguments", "check"), "--strategy", f"slice,symmetry={option}")
        context.check(found["verdict"] == "error", f"symmetry={option}: the error was not found", done)
    # Equal ones are: fewer states, the same verdict.
    program, states = prepared(context, "airline"), {}
    for option in ("on", "off"):
        done, found, _ = search(context, program, (4, 1), place(context, "airline", "check"), "--strategy", f"slice,start=decisive,grain=line,symmetry={option}")
        context.check(found["verdict"] == "error", f"Airline(4,1), symmetry={option}: the error was not found", done)
        states[option] = found["states"]
    context.check(states["on"] < states["off"], f"symmetry saves nothing: {states}")
    # Time that is over before anything was run.
    done = context.tool("run", "--target", place(context, "airline", "check"), "--time", "1ms", program, 4, 1)
    context.check(done.code == harness.CANNOT_TEST and "BUDGET" in done.out and "nothing was tested" in done.err, "1 ms: not called BUDGET", done)


def ten_sellers(context: harness.Context) -> None:
    """Airline(10,3) ends with the smallest abstraction."""
    program = prepared(context, "airline")
    if program is not None:
        done, found, _ = search(context, program, (10, 3), place(context, "airline", "check"), "--strategy", SMALL, "--time", "600s")
        context.check(found["verdict"] == "error", "Airline(10,3): not found", done)
        print(f"Airline(10,3): {found['states']} states in {len(found['rounds'])} rounds")


def clean(context: harness.Context) -> None:
    """Programs without a defect: no engine reports one."""
    for name, defines, arguments in (("airline", (), (4, 0)), ("reorder", (), (4, 0)), ("account_subtype", ("FIXED",), (3, 1))):
        program = prepared(context, name, defines)
        if program is None:
            continue
        for strategy in ("clock-vector", "sharing", "bounded,preemptions=5", "best-first", "dfs,order=random,match=states", "slice"):
            target = ("--target", place(context, name, "check")) if strategy == "slice" else ()
            done, report = context.run(program, "--strategy", strategy, "--iterations", 300, "--no-minimize", "--saved", "ignore", *target, arguments=arguments)
            wrong = [finding for finding in report.get("findings", []) if finding["kind"] != "data-race"]
            context.check(report and not wrong and done.code in (harness.CLEAN, harness.DEFECT, 5), f"{name}{arguments} {strategy}: an error where there is none", done)


def few(context: harness.Context, program, arguments: tuple, states: int) -> None:
    """Ten times as many states are not enough for the reduction by clock vectors."""
    report = context.folder / "clocks.json"
    done = context.tool("run", "--json", report, "--strategy", "clock-vector", "--iterations", 20 * states, "--quiet", program, *arguments)
    found = harness.read_json(report)
    context.check(found["states"] >= 10 * states, f"{program.name}{arguments}: clock-vector needs {found['states']} states, slice {states}", done)


def joins(context: harness.Context) -> None:
    """Main joins threads that are held back; a lock ring; a thread that creates the others; two places at once."""
    name = "account_subtype"
    program = prepared(context, name)
    if program is not None:
        done, found, report = search(context, program, (4, 1), place(context, name, "check"))
        kinds = {finding["kind"] for finding in report.get("findings", [])}
        context.check(found["verdict"] == "error" and "assertion" in kinds and "deadlock" not in kinds, "Account(4,1): the lost update was not found", done)
    program = prepared(context, name, ("NAIVE",))
    if program is not None:
        targets = f"{place(context, name, 'business inner')},{place(context, name, 'personal inner')}"
        done, found, report = search(context, program, (2, 1), targets)
        context.check(found["verdict"] == "error" and done.code == harness.DEFECT, "Account(2,1) with the naive repair: both inner locks were not reached", done)
        done, found, report = search(context, program, (2, 1), place(context, name, "check"))
        context.check("deadlock" in {finding["kind"] for finding in report.get("findings", [])}, "Account(2,1) with the naive repair: no deadlock", done)
    program = prepared(context, "reorder", ("NESTED",))
    if program is not None:
        done, found, _ = search(context, program, (3, 1), place(context, "reorder", "check"))
        context.check(found["verdict"] == "error" and len(found["rounds"]) == 2, "threads of a thread are not interleaved", done)


def together(context: harness.Context) -> None:
    """Several targets: all of them at once, each by a thread of its own."""
    name = "critical_section"
    targets = f"{place(context, name, 'first')},{place(context, name, 'second')}"
    for define, verdict, code in (((), "error", harness.DEFECT), (("FIXED",), "no-error", harness.CLEAN)):
        program = prepared(context, name, define)
        if program is None:
            continue
        done, found, report = search(context, program, (), targets)
        context.check(found["verdict"] == verdict and done.code == code, f"{define}: {verdict}", done)
        if verdict == "error":
            context.check(report["goal"]["reached"] and report["goal"]["plan"], "no plan of the meeting", done)
    program = prepared(context, name)
    for options, words in ((("--target", f"{name}.cpp:1"), "no code stands at"), (("--target", "first inside"), "not a place"),
                           (("--target", targets, "--strategy", "random"), "--target needs strategy slice"), (("--strategy", "slice"), "needs a target"),
                           (("--target", targets, "--facts", "none"), "needs static facts"), (("--strategy", "dfs,order=random"), "needs match=states"),
                           (("--target", targets, "--strategy", "slice,grain=word"), "grain")):
        done = context.tool("run", *options, program)
        context.check(done.code in (harness.USAGE, harness.CANNOT_TEST) and words in done.err and done.err.count("\n") == 1, f"{options}: {words}", done)


def baseline(context: harness.Context) -> None:
    """Randomised depth-first search with state matching finds in at most a tenth of 30 trials of 1 000 states what the guided search always finds in 340; where it can, it is
    complete."""
    report = context.folder / "dfs.json"
    for name, arguments in (("reorder", (10, 1)), ("two_stage", (10, 1))):
        program, found, fewest = prepared(context, name), 0, []
        if program is None:
            continue
        for seed in range(1, 31):
            done = context.tool("run", "--json", report, "--strategy", "dfs,order=random,match=states", "--seed", seed, "--iterations", 3_000, "--quiet",
                                "--no-minimize", "--saved", "ignore", program, *arguments)
            run = harness.read_json(report)
            failed = any(finding["kind"] != "data-race" for finding in run["findings"])
            found += failed
            fewest += [] if failed else [run["states"]]
        context.check(found <= 3 and min(fewest) >= 1_000, f"{name}{arguments}: random DFS found it in {found} of 30, states {fewest}", done)
        print(f"{name}{arguments}: random DFS {found} of 30, at least {min(fewest)} states")
    # As many states whatever the order: none is left out that was not searched.
    program, counts = prepared(context, "airline"), set()
    for seed in range(1, 4):
        context.tool("run", "--json", report, "--strategy", "dfs,order=random,match=states", "--seed", seed, "--points", "all", "--quiet", "--saved", "ignore", program, 2, 0)
        run = harness.read_json(report)
        counts.add((run["states"], run["executions"], run["complete"]))
    context.check(len(counts) == 1 and all(complete for _, _, complete in counts), f"states by seed: {counts}")
    program = prepared(context, "reorder")
    done = context.tool("run", "--strategy", "dfs,match=states", "--saved", "ignore", program, 2, 0)
    context.check(done.code == harness.CLEAN and "(complete)" in done.out, "state matching does not end", done)
