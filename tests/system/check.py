# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""`ravel check`: observers in the tool find in a recorded trace what they find beside the program."""
import harness

TRACE = """main create T1
main create T2
T1 lock m            @ bank.cpp:12
T1 write total 4 = 7 @ bank.cpp:13
T1 unlock m          @ bank.cpp:14
T2 read total 4      @ bank.cpp:20
main join T1
main join T2
"""


def of_programs(context: harness.Context) -> None:
    """The race of the failing schedule is in its trace; the trace of the repaired program is clean."""
    for name in ("lost_update", "wrong_lock"):
        source = context.sources / "corpus" / "core" / f"{name}.cpp"
        program = context.build(source)
        fixed = context.build(source, name=f"{name}-fixed", defines=("FIXED",))
        if program is None or fixed is None:
            continue
        _, report = context.run(program, "--keep-going", "--iterations", 200, "--detect", "data-race")
        races = [f for f in report.get("findings", []) if f["kind"] == "data-race"]
        if not context.check(bool(races), f"{name}: no race to begin with", report):
            continue
        trace = context.folder / "trace"
        context.replay(context.folder / races[0]["plan"], "--trace", trace)
        done = context.tool("check", trace)
        context.check(done.code == harness.DEFECT and "data-race" in done.out, f"{name}: the trace has no race", done)
        context.tool("replay", "--trace", trace, "policy:random,seed=3", "--", fixed)
        done = context.tool("check", "--detect", "precise", trace)
        context.check(done.code == harness.CLEAN and "nothing found" in done.out, f"{name} (fixed): {done.code}", done)


def of_people(context: harness.Context) -> None:
    trace = context.folder / "by-hand"
    trace.write_text(TRACE)
    done = context.tool("check", trace)
    context.check(done.code == harness.DEFECT and "total: write bank.cpp:13 (T1) and read bank.cpp:20 (T2)" in done.out,
                  "the race is not told", done)
    done = context.tool("check", "--detect", "deadlock", trace)
    context.check(done.code == harness.CLEAN, "a detector that was not asked for", done)
    trace.write_text(TRACE.replace("T2 read", "T2 lock m\nT2 read"))
    done = context.tool("check", trace)
    context.check(done.code == harness.CLEAN, "the lock orders them", done)
    for text, wanted in (("main foo\n", "line 1, column 6"), ("", "no events")):
        trace.write_text(text)
        done = context.tool("check", trace)
        context.check(done.code == harness.USAGE and wanted in done.err and done.err.count("\n") == 1, f"{text!r}: {done.code}", done)
    done = context.tool("check")
    context.check(done.code == harness.USAGE and "one trace" in done.err, "no trace given", done)
