# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""ravel/ravel.h: the same program under the tool, alone with the runtime, and without Ravel."""
import pathlib
import re

import harness


def source(context: harness.Context, name: str) -> pathlib.Path:
    return context.sources / "programs" / "api" / f"{name}.cpp"


def under_the_tool(context: harness.Context) -> None:
    program = context.build(source(context, "two_calls"))
    if program is None:
        return
    done, report = context.run(program, "--iterations", 500)
    context.check(done.code == harness.DEFECT, f"exit code {done.code}", done)
    calls = report.get("explorations", [])
    context.check([(c["call"], c["name"]) for c in calls] == [(1, "good"), (2, "bad")], f"explorations: {calls}", done)
    context.check(calls and (calls[0]["executions"] == 500 or calls[0]["complete"]) and calls[0]["found"] == 0, f"first call: {calls}", done)
    findings = report.get("findings", [])
    kinds = [f["kind"] for f in findings]  # its regions are not atomic, which is why it fails
    if not context.check(kinds == ["assertion", "atomicity-violation"], f"findings {kinds}", done):
        return
    finding = findings[0]
    line = harness.lines_in(finding["location"], "two_calls.cpp")
    marked = [n for n, text in enumerate(source(context, "two_calls").read_text().splitlines(), 1) if "// here: fails" in text]
    context.check(line == set(marked), f"location {finding['location']}, expected line {marked}", done)
    context.check(finding["explore_call"] == 2 and finding["explore_name"] == "bad", "the finding names its call", finding)
    context.check(finding["observations"] == {"counter": "1", "kind": "2"}, f"observations {finding['observations']}", done)
    context.check(any(line.get("object") == "the counter" for line in finding["interleaving"]), "the label is shown", done)
    again, replayed = context.replay(context.folder / finding["plan"], "--times", 50)
    context.check(again.code == harness.DEFECT and replayed.get("mismatches") == 0, f"replay ended with {again.code}", again)
    context.check(replayed.get("observations") == finding["observations"], "a replay observes the same", again)
    seed, _ = context.replay(finding["seed_string"], program=(program,))
    context.check(seed.code == harness.DEFECT, f"seed string: {seed.code}", seed)
    first, second = (context.run(program, "--iterations", 500)[1].get("trace_digest") for _ in range(2))
    context.check(first is not None and first == second, f"two campaigns differ: {first} {second}")


def alone(context: harness.Context) -> None:
    program = context.build(source(context, "two_calls"))
    if program is None:
        return
    output = context.folder / "output.txt"
    done = context.command(["sh", "-c", f"{program} > {output}"])
    said = output.read_text()
    context.check(done.code == 1, f"exit code {done.code}", done)
    # The default ends when its search has had every behaviour; one more than a single thread has, and within the budget.
    counted = re.match(r"good 1 1 (\d+) prepared 42\n", said)
    context.check(counted is not None and 2 <= int(counted[1]) <= 300, f"output: {said}", done)
    context.check("caught assertion: counter == 2 || kind != 2" in said, f"output: {said}", done)
    context.check("ravel: FAILED assertion" in done.err and "two_calls.cpp:" in done.err, "the failure is printed", done)
    repeated = context.command([program])
    context.check(repeated.out == said, f"a second run says {repeated.out}", repeated)


def without_ravel(context: harness.Context) -> None:
    for name, expected in (("two_calls", "good 1 0 1 prepared 0\nno failure\n"), ("choices", "1 executions, complete 0\n")):
        target = context.folder / f"{name}-plain"
        built = context.command([context.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pthread",
                                 "-I", context.sources.parent / "include", source(context, name), "-o", target])
        if not context.check(built.code == 0, f"plain build of {name}", built):
            continue
        done = context.command([target])
        context.check(done.code == 0 and done.out == expected, f"{name}: {done.code} {done.out}", done)


def choices(context: harness.Context) -> None:
    program = context.build(source(context, "choices"))
    if program is None:
        return
    done, report = context.run(program, "--strategy", "dfs")
    context.check(done.code == harness.CANNOT_TEST and "no second thread" in report.get("reason", ""), f"exit code {done.code}", done)
    context.check(report.get("executions") == 16 and report.get("complete") is True and report.get("distinct_traces") == 16,
                  f"{report.get('executions')} executions, {report.get('distinct_traces')} traces", done)
    single = context.command([program])
    context.check(single.out == "16 executions, complete 1\n", f"alone: {single.out}", single)


def complete_calls(context: harness.Context) -> None:
    """What is true of each call is said of the whole: complete, what is not controlled, isolation, estimate."""
    program = context.build(source(context, "complete_calls"))
    if program is None:
        return
    for strategy in ("dfs", "dpor", "bounded,preemptions=2"):
        done, report = context.run(program, "--strategy", strategy)
        context.check(done.code == harness.CLEAN, f"{strategy}: exit code {done.code}", done)
        calls = report.get("explorations", [])
        context.check(len(calls) == 2 and report.get("executions") == sum(call["executions"] for call in calls),
                      f"{strategy}: {calls}", done)
        bounded = strategy.startswith("bounded")
        context.check(bounded or (report.get("complete") is True and all(call["complete"] for call in calls)),
                      f"{strategy}: complete {report.get('complete')}", done)
        named = [(call["call"], call["detail"]) for call in report.get("uncontrolled", [])]
        context.check(named == [("fopen", "/proc/self/stat")], f"{strategy}: not controlled: {named}", done)
        context.check("not controlled: " in done.err, f"{strategy}: the warning is printed", done)
        context.check(report.get("isolation") in ("fork", "rollback", "repeat"), f"{strategy}: {report.get('isolation')}", done)
        expected = None if report.get("estimate") is None else report["estimate"]["executions"]
        context.check(bounded or expected == report.get("executions"), f"{strategy}: estimate {expected}", done)


def choices_in_their_place(context: harness.Context) -> None:
    """The failure is confirmed by its schedule, so every choice is where it was made."""
    program = context.build(source(context, "choose_between"))
    if program is None:
        return
    done = context.tool("run", "--saved", "ignore", "--no-minimize", "--strategy", "run-on", "--iterations", 3, "--", program)
    context.check(done.code == harness.DEFECT, f"choose_between: exit code {done.code}", done)


def progress(context: harness.Context) -> None:
    """A program that claims progress gets a new limit each time. A long one that does not is cut, which is no finding."""
    for name, defines, cut in (("moving", (), False), ("silent", ("SILENT",), True)):
        program = context.build(source(context, "long_way"), name=name, defines=defines)
        if program is None:
            continue
        done, report = context.run(program, "--iterations", 50, "--max-steps", 200)
        context.check(done.code == harness.CLEAN, f"{name}: exit code {done.code}", done)
        context.check((report.get("cut") != 0) == cut, f"{name}: {report.get('cut')} executions were cut", done)
        context.check(("--max-steps" in done.out + done.err) == cut, f"{name}: the limit is named, or not, against the facts", done)
        if cut:
            done, report = context.run(program, "--strategy", "dfs", "--iterations", 20, "--max-steps", 200)
            context.check(report.get("complete") is False and report.get("cut") != 0, f"{name}: a search with cuts is complete", done)


def around_the_call(context: harness.Context) -> None:
    program = context.build(source(context, "early_failure"))
    if program is None:
        return
    # Without a call that is reached, the program is what is explored.
    done, report = context.run(program, "--iterations", 20)
    context.check(done.code == harness.DEFECT and report["findings"][0]["explore_call"] == 0, f"before: {done.code}", done)
    done = context.tool("run", "--iterations", 20, program, "at", "it")
    context.check(done.code == harness.CANNOT_TEST and "failed outside of explore()" in done.err, f"after: {done.code}", done)
    context.check(done.err.count("\n") <= 2, "after: more than a line or two", done)
    beside = context.command([program, "beside"])
    context.check(beside.code == 0, f"a thread beside explore(): {beside.code}", beside)


def group(context: harness.Context) -> None:
    under_the_tool(context)
    alone(context)
    without_ravel(context)
    choices(context)
    complete_calls(context)
    choices_in_their_place(context)
    progress(context)
    around_the_call(context)
