# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""`ravel syn`: sequences shown, converted, tested, recorded; `ravel run --prefix`; strategy reachability."""
import pathlib

import harness

LOST = """ravel-syn 1
thread waiter main.1
thread notifier main.2
order total
notifier lock queue.mutex_
notifier signal queue.ready_ lost
notifier unlock queue.mutex_
waiter lock queue.mutex_
waiter wait queue.ready_
"""
WOKEN = """ravel-syn 1
order total
main.1 lock queue.mutex_
main.1 wait queue.ready_
main.2 lock queue.mutex_
main.2 signal queue.ready_ wakes main.1
...
"""


def write(context: harness.Context, name: str, text: str) -> pathlib.Path:
    path = context.folder / name
    path.write_text(text)
    return path


def test(context: harness.Context, *words, time: str = "60s") -> tuple[harness.Finished, list]:
    report = context.folder / "syn.json"
    report.unlink(missing_ok=True)
    done = context.tool("syn", "test", "--color", "never", "--time", time, "--json", report, *words)
    return done, harness.read_json(report).get("tests", [])


def feasible(context: harness.Context) -> None:
    """What can happen is shown by a plan, what cannot by a search; files expect either."""
    program = context.build(context.sources / "syn" / "lost_wakeup.cpp")
    if program is None:
        return
    lost = write(context, "lost.syn", LOST + "expect deadlock\n")
    woken = write(context, "woken.syn", WOKEN + "expect completed\n")
    done, tests = test(context, lost, woken, "--", program)
    context.check(done.code == 0, "both can happen", done)
    context.check([t["verdict"] for t in tests] == ["feasible", "feasible"], "verdicts", done)
    context.check([t["outcome"] for t in tests] == ["deadlock", "completed"], "outcomes", done)
    for one in tests:
        replay, report = context.replay(context.folder / one["plan"])
        context.check(report.get("outcome") == one["outcome"], f"the plan of {one['file']} ends so", replay)

    wrong = write(context, "wrong.syn", LOST + "expect completed\n")
    done, tests = test(context, wrong, "--", program)
    context.check(done.code == 1 and not tests[0]["as_expected"], "another end than expected", done)
    # The waiter cannot go on before somebody has signalled.
    never = LOST.replace("signal queue.ready_ lost", "signal queue.ready_ wakes main.1")
    never = write(context, "never.syn", never + "expect infeasible at 2\n")
    done, tests = test(context, never, "--", program)
    context.check(done.code == 0 and tests[0]["verdict"] == "infeasible" and tests[0]["event"] == 2, "infeasible", done)
    context.check(tests[0]["line"] == 6 and len(tests[0]["pending"]) == 3, "where every thread is", done)
    short = write(context, "short.syn", "".join(LOST.splitlines(True)[:6]) + "expect infeasible\n")
    done, tests = test(context, short, "--", program)
    context.check(done.code == 0 and tests[0]["event"] == 3 and "goes on" in done.out, "the program goes on", done)
    only = write(context, "only.syn", "ravel-syn 1\nonly queue.ready_\norder total\nmain.2 signal queue.ready_ lost\n"
                 "main.1 wait queue.ready_\nexpect deadlock\n")
    done, tests = test(context, only, "--", program)
    context.check(done.code == 0 and tests[0]["outcome"] == "deadlock", "some objects only", done)

    done = context.tool("run", "--strategy", "dpor", "--prefix", lost, "--iterations", 100, "--saved", "ignore", program)
    context.check(done.code == 1 and "deadlock" in done.out, "run --prefix finds what follows", done)
    done = context.tool("run", "--prefix", never, "--iterations", 100, "--saved", "ignore", program)
    context.check(done.code == 3 and "no execution came to the end of the sequence" in done.err, "a prefix that cannot be", done)


def buffer(context: harness.Context) -> None:
    """Three deposits into two slots: not possible, unless the guard is wrong."""
    good = context.build(context.sources / "syn" / "buffer.cpp")
    faulty = context.build(context.sources / "syn" / "buffer.cpp", "faulty", ("FAULTY",))
    if None in (good, faulty):
        return
    three = "ravel-syn 1\norder total\n" + "main.1 sem-wait free_slots\nmain.1 sem-post full_slots\n" * 3 + "...\n"
    done, tests = test(context, write(context, "three.syn", three + "expect infeasible at 5\n"), "--", good)
    context.check(done.code == 0 and tests[0]["event"] == 5, "three into two slots", done)
    done, tests = test(context, write(context, "four.syn", three + "expect feasible\n"), "--", faulty)
    context.check(done.code == 0 and tests[0]["verdict"] == "feasible", "the faulty guard", done)


def recorded(context: harness.Context) -> None:
    """Every sequence of a program as a file; each replays, in every form, and on a changed program the difference shows."""
    program = context.build(context.sources / "syn" / "philosophers.cpp")
    if program is None:
        return
    folder = context.folder / "orders"
    done = context.tool("syn", "record", "--output", folder, "--", program)
    files = sorted(folder.glob("*.syn"))
    context.check(done.code == 0 and len(files) == 7 and "complete" in done.out, "2^3 - 1 sequences", done)
    done, tests = test(context, *files)
    context.check(done.code == 0, "each happens again", done)
    context.check(sorted(t["outcome"] for t in tests) == ["completed"] * 6 + ["deadlock"], "one deadlock", done)
    stuck = next(t for t in tests if t["outcome"] == "deadlock")
    for form in ("thread", "object", "total"):
        other = context.folder / f"{form}.syn"
        done = context.tool("syn", "convert", "--order", form, "--output", other, stuck["file"])
        context.check(done.code == 0, f"convert to {form}", done)
        done, tests = test(context, other)
        context.check(done.code == 0 and tests[0]["outcome"] == "deadlock", f"the deadlock by {form}", done)
    shown = context.tool("syn", "show", "--simple", context.folder / stuck["plan"])
    context.check(shown.code == 0 and "events simple\norder total\n" in shown.out, "simple events", shown)
    done, tests = test(context, write(context, "simple.syn", shown.out))
    context.check(done.code == 0 and tests[0]["outcome"] == "deadlock", "the thread alone decides", done)
    for form in ("thread", "object"):
        shown = context.tool("syn", "show", "--simple", "--order", form, context.folder / stuck["plan"])
        context.check(shown.code == 0 and f"events simple\norder {form}\n" in shown.out and " lock" not in shown.out, f"simple events by {form}", shown)
        done, tests = test(context, write(context, "simple.syn", shown.out))
        context.check(done.code == 0 and tests[0]["outcome"] == "deadlock", f"simple events by {form} decide", done)
    needed = context.tool("syn", "show", "--needed", "--order", "object", context.folder / stuck["plan"])
    context.check(needed.code == 0 and "only" in needed.out, "what replay needs", needed)


def usage(context: harness.Context) -> None:
    """Mistakes get one line with file, line and column."""
    program = context.build(context.sources / "syn" / "lost_wakeup.cpp")
    if program is None:
        return
    for text, code, said in (("ravel-syn 2\n", 2, "bad.syn:1:11: expected version 1"),
                             ("ravel-syn 1\norder total\nmain.1 lok queue.mutex_\n", 2, "did you mean `lock'"),
                             ("ravel-syn 1\norder total\nmain.1 lock queue.mutx_\n", 2, "did you mean `queue.mutex_'"),
                             ("ravel-syn 1\norder total\nwaiter lock queue.mutex_\n", 2, "unknown thread: waiter"),
                             ("ravel-syn 1\norder total\nmain.1 lock bank.lock_\n", 3, "the sequence is of another program"),
                             ("ravel-syn 1\norder total\n", 2, "no event")):
        done = context.tool("syn", "test", write(context, "bad.syn", text), "--", program)
        context.check(done.code == code and said in done.err, f"bad input: {text!r}", done)
    done = context.tool("syn", "test", write(context, "no.syn", LOST))
    context.check(done.code == 2 and "names no program" in done.err, "no program", done)
    done = context.tool("syn", "tes")
    context.check(done.code == 2 and "did you mean `test'" in done.err, "unknown action", done)
    done = context.tool("syn", "test", "--strategy", "reachability", write(context, "any.syn", WOKEN), "--", program)
    context.check(done.code == 2 and "sequences of its own" in done.err, "a strategy that forces sequences", done)
    done = context.tool("syn", "show", context.folder / "none.plan")
    context.check(done.code == 2, "no such plan", done)
    done, tests = test(context, write(context, "long.syn", WOKEN), "--iterations", 1, "--strategy", "dfs", "--", program)
    context.check(done.code in (0, 5), "a budget that ends", done)


def counts(context: harness.Context) -> None:
    """Strategy reachability on compiled programs: the numbers of the catalogue; each sequence once."""
    folder = context.sources / "syn"
    for source, defines, wanted in (("lost_wakeup", (), 2), ("philosophers", (), 7), ("philosophers", ("N=4",), 15), ("philosophers", ("N=5",), 31), ("tokens", (), 108),
                                    ("monitor_buffer", ("P=1", "C=1", "SLOTS=1"), 2), ("monitor_buffer", ("P=1", "C=1", "SLOTS=1", "N=3"), 32),
                                    ("monitor_buffer", ("P=2", "C=2", "SLOTS=1"), 64), ("monitor_buffer", ("P=2", "C=2", "SLOTS=2", "ALL"), 60),
                                    ("monitor_buffer", ("P=3", "C=2", "SLOTS=2"), 528), ("monitor_buffer", ("P=3", "C=3", "SLOTS=2", "ALL"), 12096),
                                    ("monitor_buffer", ("P=1", "C=1", "SLOTS=1", "N=2"), 8), ("monitor_buffer", ("P=2", "C=1", "SLOTS=1"), 8),
                                    ("monitor_buffer", ("P=2", "C=2", "SLOTS=2"), 60), ("monitor_buffer", ("P=3", "C=3", "SLOTS=2"), 10584)):
        name = "-".join((source, *defines)).replace("=", "")
        program = context.build(folder / f"{source}.cpp", name, defines)
        if program is None:
            continue
        done, report = context.run(program, "--strategy", "reachability", "--keep-going", "--no-minimize", "--iterations", 20000, "--saved", "ignore")
        context.check(report.get("executions") == wanted and report.get("complete"), f"{name}: {report.get('executions')}, not {wanted}", done)
        stuck = {"philosophers": 1, "lost_wakeup": 1}.get(source, 0)
        context.check(sum(one["times_seen"] for one in report.get("findings", [])) == stuck, f"{name}: {stuck} deadlocked", done)


def locks(context: harness.Context) -> None:
    """The catalogue with locks and semaphores of the standard library, by both searches: nothing on one object commutes there."""
    rows = ((("PROGRAM=15", "N=2", "M=1"), 2), (("PROGRAM=15", "N=3", "M=1"), 6), (("PROGRAM=15", "N=4", "M=1"), 24), (("PROGRAM=15", "N=5", "M=1"), 120),
            (("PROGRAM=15", "N=2", "M=2"), 6), (("PROGRAM=15", "N=2", "M=3"), 20), (("PROGRAM=15", "N=3", "M=2"), 90),
            (("PROGRAM=16",), 4), (("PROGRAM=17",), 3), (("PROGRAM=19", "N=3"), 6), (("PROGRAM=19", "N=4"), 14), (("PROGRAM=19", "N=5"), 30),
            (("PROGRAM=20", "N=3"), 36), (("PROGRAM=20", "N=4"), 1672), (("PROGRAM=26",), 2), (("PROGRAM=27",), 9), (("PROGRAM=27", "ASKS"), 10), (("PROGRAM=33",), 2),
            (("PROGRAM=34", "R=1", "W=1"), 2), (("PROGRAM=34", "R=2", "W=1"), 14), (("PROGRAM=34", "R=2", "W=2"), 48), (("PROGRAM=41",), 4))
    for defines, wanted in rows[::1 if context.all else 2 if context.compiler == "g++" else 5]:
        counted(context, context.sources / "syn" / "locks.cpp", defines, wanted, wanted)


def permits(context: harness.Context) -> None:
    """The catalogue with semaphores of POSIX, of ravel/semaphore.h, and of the standard library as whole operations: the same numbers for all three."""
    one = ("P=2", "C=2", "SLOTS=2", "ONE")
    rows = (("semaphore_buffer", ("P=1", "C=1", "SLOTS=1"), 1, 1), ("semaphore_buffer", ("P=2", "C=1", "SLOTS=1"), 2, 2), ("semaphore_buffer", ("P=2", "C=1", "SLOTS=2"), 18, 14),
            ("semaphore_buffer", ("P=2", "C=2", "SLOTS=1"), 4, 4), ("semaphore_buffer", ("P=2", "C=2", "SLOTS=2"), 132, 52), ("semaphore_buffer", ("P=1", "C=1", "SLOTS=2", "N=3"), 9, 9),
            ("semaphore_buffer", one, 148, 60), ("permits", ("PROGRAM=25", "INIT=1"), 2, 2), ("permits", ("PROGRAM=25", "INIT=2"), 6, 4),
            ("permits", ("PROGRAM=31", "INIT=0"), 1, 1), ("permits", ("PROGRAM=31", "INIT=1"), 2, 2), ("permits", ("PROGRAM=31", "INIT=0", "TWO"), 4, 3), ("permits", ("PROGRAM=35",), 11, 11))
    kinds = ((), ("CONSTRUCTS",), ("WHOLE",))
    for at, (source, defines, wanted, traces) in enumerate(rows):
        for number, kind in enumerate(kinds):
            if context.all or number == at % 3 and (context.compiler == "g++" or at % 4 == 0):
                flags = ("--whole-sync",) if kind == ("WHOLE",) else ()
                counted(context, context.sources / "syn" / f"{source}.cpp", (*defines, *kind), wanted, traces, flags)


def variables(context: harness.Context) -> None:
    """Atomics: all accesses to one are ordered by reachability testing, reads commute for dpor."""
    for defines, wanted, traces in ((("PROGRAM=36", "N=2"), 6, 4), (("PROGRAM=36", "N=3"), 90, 36), (("PROGRAM=37", "N=2"), 2, 2), (("PROGRAM=37", "N=3"), 6, 6),
                                    (("PROGRAM=38",), 3, 3), (("PROGRAM=38", "PASSING"), 3, 3)):
        counted(context, context.sources / "syn" / "variables.cpp", defines, wanted, traces)
    program = context.build(context.sources / "syn" / "variables.cpp", "jobs", ("PROGRAM=36", "N=3"))
    if program is not None:
        done, report = context.run(program, "--strategy", "reachability", "--self-check", "--jobs", 2, "--saved", "ignore")
        context.check(report.get("executions") == 90 and report.get("complete"), "shared by two processes", done)


def bounds(context: harness.Context) -> None:
    """Executions without an end are cut, or read for ever: the result is not complete, and says why."""
    for name, defines, said in (("locks", (), "not exhaustive"), ("reads", ("READS",), "use dpor")):
        program = context.build(context.sources / "syn" / "endless.cpp", name, defines)
        if program is None:
            continue
        done, report = context.run(program, "--strategy", "reachability", "--keep-going", "--max-steps", 400, "--iterations", 50, "--saved", "ignore")
        context.check(not report.get("complete") and done.code in (1, 5), f"{name}: not complete", done)
        context.check(said in done.out + done.err, f"{name}: said so", done)


def divergence(context: harness.Context) -> None:
    """Data without synchronisation decides an operation: the event that could not be forced, the race, exit code 3; never a count."""
    source = context.sources / "syn" / "unsynchronised.cpp"
    plain = context.build(source, "plain")
    atomic = context.build(source, "atomic", ("FLAG=std::atomic<bool>",))
    if None in (plain, atomic):
        return
    done, report = context.run(plain, "--strategy", "reachability", "--keep-going", "--saved", "ignore")
    said = report.get("reason", "")
    context.check(done.code == 3 and not report.get("complete"), "cannot be tested so", done)
    context.check(said.startswith("prefix divergence: main.") and "unsynchronised.cpp:" in said, f"the event: {said}", done)
    context.check("late" in said and "what decides it" in said, f"the race: {said}", done)
    done = context.tool("syn", "record", "--strategy", "reachability", "--output", context.folder / "orders", "--", plain)
    context.check(done.code == 3 and "prefix divergence: " in done.err, "record", done)
    done, report = context.run(plain, "--strategy", "dpor", "--keep-going", "--saved", "ignore")
    context.check(report.get("complete"), "dpor can", done)
    # An atomic is an object like any other.
    counts = [context.run(atomic, "--strategy", strategy, "--saved", "ignore") for strategy in ("reachability", "dpor")]
    context.check(all(report.get("complete") for _, report in counts), "an atomic flag", counts[0][0])
    context.check(len({report.get("executions") for _, report in counts}) == 1, "one write and one read of it", counts[0][0])


def constructs(context: harness.Context) -> None:
    """The catalogue on ravel/semaphore.h and ravel/monitor.h: the same numbers by both searches where nothing commutes."""
    folder = context.sources / "syn"
    su, sc = ("SU",), ()
    buffers = ((su, (1, 1, 1, 1), 2), (su, (1, 1, 1, 2), 5), (su, (1, 1, 1, 3), 13), (su, (2, 1, 1, 1), 6), (su, (2, 2, 1, 1), 24), (su, (2, 2, 2, 1), 24), (su, (3, 3, 2, 1), 720),
               (sc, (1, 1, 1, 1), 2), (sc, (1, 1, 1, 2), 8), (sc, (1, 1, 1, 3), 32), (sc, (2, 1, 1, 1), 8), (sc, (2, 2, 1, 1), 56), (sc, (2, 2, 2, 1), 48), (sc, (3, 2, 2, 1), 408),
               (sc, (3, 3, 2, 1), 5076), (("ALL",), (2, 2, 2, 1), 60))
    if context.all:
        buffers += ((("ALL",), (3, 3, 2, 1), 12096),)
    rows = [("construct_buffer", (*kind, f"P={p}", f"C={c}", f"SLOTS={slots}", f"N={n}"), wanted, wanted) for kind, (p, c, slots, n), wanted in buffers]
    rows += [("dining", ("N=3", "SU"), 30, 30), ("dining", ("N=3",), 36, 36), ("dining", ("N=4", "SU"), 720, 720), ("dining", ("N=4",), 1672, 1672),
             ("permits", ("PROGRAM=25", "INIT=1", "BINARY", "CONSTRUCTS"), 2, 2), ("permits", ("PROGRAM=25", "INIT=2", "CONSTRUCTS"), 6, 4),
             ("small_constructs", ("PROGRAM=27",), 9, 9), ("small_constructs", ("PROGRAM=27", "ASKS"), 10, 10), ("small_constructs", ("PROGRAM=27", "SU"), 7, 7),
             ("small_constructs", ("PROGRAM=27", "SU", "ASKS"), 8, 8),
             ("permits", ("PROGRAM=31", "INIT=0", "TWO", "CONSTRUCTS"), 4, 3), ("permits", ("PROGRAM=35", "CONSTRUCTS"), 11, 11),
             ("small_constructs", ("PROGRAM=41",), 4, 4), ("small_constructs", ("PROGRAM=41", "SU"), 4, 4)]
    for source, defines, wanted, traces in rows[::1 if context.all else 3 if context.compiler == "g++" else 8]:
        counted(context, folder / f"{source}.cpp", defines, wanted, traces)


def messages(context: harness.Context) -> None:
    """The catalogue on ports, entries and selective waits."""
    server = ("PROGRAM=4", "P=1", "C=1", "N=3")
    rows = ((("PROGRAM=1",), 2, 2), (("PROGRAM=2",), 16, 16), (("PROGRAM=3",), 2, 2), ((*server, "CAP=1"), 1, 1), ((*server, "CAP=2"), 4, 4), ((*server, "CAP=3"), 5, 5),
            (("PROGRAM=4", "P=3", "C=3", "CAP=2"), 144, 144), (("PROGRAM=4", "P=2", "C=2", "CAP=2"), 8, 8), (("PROGRAM=4", "P=3", "C=3", "CAP=3"), 180, 180), (("PROGRAM=4", "P=2", "C=2", "CAP=1"), 4, 4),
            (("PROGRAM=21", "P=2"), 2, 2), (("PROGRAM=21", "P=3"), 6, 6), (("PROGRAM=21", "P=4"), 24, 24), (("PROGRAM=21", "P=2", "N=2"), 6, 6), (("PROGRAM=21", "P=2", "N=3"), 20, 20),
            (("PROGRAM=21", "P=3", "N=2"), 90, 90), (("PROGRAM=24",), 5, 5), (("PROGRAM=28", "VALUE=1"), 2, 2), (("PROGRAM=28", "VALUE=0"), 2, 2), (("PROGRAM=29",), 4, 4), (("PROGRAM=30",), 60, 60), (("PROGRAM=42",), 1, 1), (("PROGRAM=43",), 1, 1), (("PROGRAM=44",), 6, 6),
            (("PROGRAM=50",), 2, 2), (("PROGRAM=51",), 6, 4),
            (("PROGRAM=3", "PORT=port"), 2, 4), (("PROGRAM=24", "PORT=port"), 5, 100), (("PROGRAM=53",), 6, 20), (("PROGRAM=54",), None, 2),
            (("PROGRAM=43", "DELIVERY=network"), 2, None), (("PROGRAM=43", "DELIVERY=unordered"), 2, None), (("PROGRAM=21", "P=2", "N=2", "DELIVERY=network"), 6, None),
            (("PROGRAM=21", "P=2", "N=2", "DELIVERY=unordered"), 24, None), (("PROGRAM=21", "P=2", "N=3", "DELIVERY=network"), 20, None), (("PROGRAM=21", "P=2", "N=3", "DELIVERY=unordered"), 720, None), (("PROGRAM=23", "DELIVERY=network"), 3, None), (("PROGRAM=23", "DELIVERY=unordered"), 6, None),
            (("PROGRAM=30", "DELIVERY=network"), 60, None), (("PROGRAM=30", "DELIVERY=unordered"), 600, None))
    for defines, wanted, traces in rows[::1 if context.all else 2 if context.compiler == "g++" else 7]:
        counted(context, context.sources / "syn" / "messages.cpp", defines, wanted, traces)


def rendezvous(context: harness.Context) -> None:
    """Three deposits into two slots, by name; recorded orders in every form; what the faulty guard lets through."""
    source = context.sources.parent / "examples" / "bounded_buffer.cpp"
    good = context.build(source, "buffer")
    faulty = context.build(source, "faulty", ("GUARD=full <= 2",))
    if None in (good, faulty):
        return
    head = "ravel-syn 1\nthread producer main.1\nthread consumer main.2\nthread server main.3\norder total\n"
    deposit = "producer server deposit rendezvous\n"
    three = write(context, "three.syn", head + deposit * 3 + "...\nexpect infeasible at 3\n")
    done, tests = test(context, three, "--", good)
    context.check(done.code == 0 and tests[0]["event"] == 3 and tests[0]["line"] == 8, "three into two slots", done)
    context.check("open withdraw; closed deposit" in done.out and "producer  calls deposit" in done.out, "where everybody is", done)
    context.check(": could go on" in next((line for line in done.out.splitlines() if line.startswith("    consumer  calls withdraw")), ""), "who could go on", done)
    done, tests = test(context, three, "--", faulty)
    context.check(done.code == 1 and tests[0]["verdict"] == "feasible", "the faulty guard", done)
    empty = write(context, "empty.syn", head + "consumer server withdraw rendezvous\n...\nexpect infeasible at 1\n")
    done, tests = test(context, empty, "--", good)
    context.check(done.code == 0, "nothing to withdraw", done)
    folder = context.folder / "orders"
    done = context.tool("syn", "record", "--output", folder, "--", good)
    files = sorted(folder.glob("*.syn"))
    context.check(done.code == 0 and len(files) == 4, "four orders", done)
    for form in ("thread", "object"):
        other = context.folder / f"{form}.syn"
        done = context.tool("syn", "convert", "--order", form, "--output", other, files[0])
        context.check(done.code == 0, f"convert to {form}", done)
        done, tests = test(context, other)
        context.check(done.code == 0 and tests[0]["outcome"] == "completed", f"by {form}", done)
    for text, said in (("producer server depsit rendezvous\n", "did you mean `deposit'"), ("producer consumer deposit rendezvous\n", "does not receive from")):
        done = context.tool("syn", "test", write(context, "bad.syn", head + text), "--", good)
        context.check(done.code == 2 and said in done.err, said, done)


VALID = """ravel-valid 1
event D rendezvous deposit
event W rendezvous withdraw
start empty
move empty D one
move one W empty
move one D two
move two W one
end empty
result output {}
"""


def validity(context: harness.Context) -> None:
    """Listing 7.7: the four classes, and orders that are valid but never come."""
    source = context.sources.parent / "examples" / "bounded_buffer.cpp"
    good, lax, strict = (context.build(source, name, defines) for name, defines in
                         (("good", ()), ("lax", ("GUARD=full <= 2",)), ("strict", ("GUARD=full + 1 < 2",))))
    if None in (good, lax, strict):
        return

    def record(name: str, *words, output: str = "ABC", spec: str = VALID) -> tuple[harness.Finished, dict]:
        file = write(context, f"{name}.valid", spec.format(output))
        report = context.folder / f"{name}.json"
        done = context.tool("syn", "record", "--valid", file, "--json", report, "--output", context.folder / f"{name}-orders", "--", *words)
        return done, harness.read_json(report)

    def classes(report: dict) -> list:
        return sorted((s["class"], s["events"]) for s in report["sequences"] if s["class"] != "pass")

    done, report = record("good", good, "ABC")
    context.check(done.code == 0 and len(report["sequences"]) == 4 and not report["missing"] and not classes(report), "valid and right", done)
    done, report = record("lax", lax, "ABC")
    context.check(done.code == 1 and classes(report) == [("synchronization-failure", "D D D W W W")], "invalid and wrong", done)
    done, report = record("lucky", lax, "CBC", output="CBC")
    context.check(done.code == 1 and classes(report) == [("coincidental", "D D D W W W")], "invalid and right by chance", done)
    done, report = record("wrong", good, "ABC", output="CBA")
    context.check(done.code == 1 and {c for c, _ in classes(report)} == {"computation-failure"}, "valid and wrong", done)
    done, report = record("strict", strict, "ABC")
    context.check(done.code == 1 and not classes(report) and len(report["missing"]) == 3, "missing paths", done)
    for one in report["missing"]:
        tested, tests = test(context, one["file"])
        context.check(tested.code == 1 and tests[0]["verdict"] == "infeasible", f"{one['events']} cannot happen", tested)
    expression = "ravel-valid 1\nevent D rendezvous deposit\nevent W rendezvous withdraw\nexpression (D (D W)* W)*\nresult output {}\n"
    done, report = record("expression", good, "ABC", spec=expression)
    context.check(done.code == 0 and len(report["sequences"]) == 4, "as an expression", done)
    for text, said in (("ravel-valid 2\n", "expected `ravel-valid 1'"), ("ravel-valid 1\nevent D rendevous deposit\n", "did you mean `rendezvous'"),
                       ("ravel-valid 1\nevent D rendezvous deposit\nexpression D (E\n", "expected a name"), ("ravel-valid 1\nevent D rendezvous deposit\nexpression (D\n", "expected `)'")):
        done = context.tool("syn", "record", "--valid", write(context, "bad.valid", text), "--output", context.folder / "bad", "--", good)
        context.check(done.code == 2 and said in done.err, said, done)


def expected(context: harness.Context) -> None:
    """What files expect of an execution: its output, and whether a specification allows its order; with what the file leaves open, some execution."""
    source = context.sources.parent / "examples" / "bounded_buffer.cpp"
    good, lax, strict = (context.build(source, name, defines) for name, defines in
                         (("good", ()), ("lax", ("GUARD=full <= 2",)), ("strict", ("GUARD=full + 1 < 2",))))
    if None in (good, lax, strict):
        return
    write(context, "ABC.valid", VALID.format("ABC"))
    write(context, "CBC.valid", VALID.format("CBC"))
    lines = {"D": "main.1 main.3 deposit rendezvous\n", "W": "main.2 main.3 withdraw rendezvous\n"}
    numbers: list = []

    def file(word: str, *expect: str, head: str = "", tail: str = "") -> pathlib.Path:
        numbers.append(len(numbers))
        return write(context, f"{len(numbers)}.syn", "ravel-syn 1\n" + head + "events complete\norder total\n" + "".join(lines[c] for c in word) + tail + "".join(f"expect {e}\n" for e in expect))

    by_file = 'specification "ABC.valid"\n'
    for what, program, path, words, code, found, output in (
            ("invalid and wrong", lax, file("DDDWWW", 'output "CBC"', "invalid", "completed", head=by_file), (), 0, "synchronization-failure", "CBC\n"),
            ("valid and right", lax, file("DDWWDW", 'output "ABC\\n"', "valid", head=by_file), (), 0, "pass", "ABC\n"),
            ("not valid", lax, file("DDDWWW", "valid", head=by_file), (), 1, "synchronization-failure", "CBC\n"),
            ("another output", lax, file("DDDWWW", 'output "ABC"'), (), 1, None, "CBC\n"),
            ("no specification but that of the command", lax, file("DDDWWW"), ("--valid", "ABC.valid"), 0, "synchronization-failure", "CBC\n"),
            ("the command comes first", lax, file("DDDWWW", "invalid", head='specification "none.valid"\n'), ("--valid", "ABC.valid"), 0, "synchronization-failure", "CBC\n"),
            ("some execution prints so", lax, file("DD", 'output "CBC"', tail="...\n"), (), 0, None, "CBC\n"),
            ("some execution is not valid", lax, file("D", "invalid", head=by_file, tail="...\n"), (), 0, "synchronization-failure", "CBC\n"),
            ("none prints so", good, file("D", 'output "CBC"', tail="...\n"), (), 1, None, "ABC\n"),
            ("none is invalid", good, file("D", "invalid", head=by_file, tail="...\n"), (), 1, "pass", "ABC\n"),
            ("valid, and cannot happen", strict, file("DDWWDW", "valid", head=by_file), (), 1, "missing-path", None)):
        done, tests = test(context, path, *words, "--", program)
        one = tests[0] if tests else {}
        context.check(done.code == code and one.get("class") == found and one.get("output") == output, f"{what}: {one}", done)
    done, tests = test(context, file("DDDWWW", 'output "CBC"', "invalid", head='specification "CBC.valid"\n'), "--", lax, "CBC")
    context.check(done.code == 0 and tests[0]["class"] == "coincidental" and "D D D W W W" in done.out, "invalid and right by chance", done)
    done, tests = test(context, file("DDDWWW", 'output "ABC"'), "--", lax)
    context.check('output "CBC\\n", expected feasible, output "ABC"' in done.out, "what was printed, and what was expected", done)
    for path, said in ((file("D", "valid"), "names no specification"), (file("D", "valid", head='specification "none.valid"\n'), "none.valid"),
                       (file("D", "output CBC"), ".syn:5:15: expected the output in quotes"),
                       (file("D", "dedlock"), ".syn:5:8: expected feasible, infeasible, output, valid, invalid or an outcome"),
                       (file("D", "infeasible", "valid"), "or how the execution ends"),
                       (write(context, "one.syn", "ravel-syn 1\nevents simple\norder total\nmain.1 lock m\n"), "one.syn:4:1: expected the thread alone")):
        done = context.tool("syn", "test", path, "--", good)
        context.check(done.code == 2 and said in done.err, said, done)


def waiters(context: harness.Context) -> None:
    """Whom a signal wakes: any waiter, or the first."""
    for source, defines, numbers in (("monitor_buffer", ("P=2", "C=2", "SLOTS=1"), {"any": 64, "fifo": 56}), ("tokens", (), {"any": 108, "fifo": 88}),
                                     ("monitor_buffer", ("P=3", "C=3", "SLOTS=2"), {"fifo": 5076})):
        name = "-".join((source, *defines)).replace("=", "")
        program = context.build(context.sources / "syn" / f"{source}.cpp", name, defines)
        for rule, wanted in numbers.items() if program is not None else ():
            done, report = context.run(program, "--strategy", "reachability,self-check=on", "--waiters", rule, "--keep-going", "--no-minimize", "--iterations", 20000,
                                       "--saved", "ignore")
            context.check(report.get("executions") == wanted and report.get("complete"), f"{name}, {rule}: {report.get('executions')}, not {wanted}", done)
            if source == "tokens":
                continue
            done, report = context.run(program, "--strategy", "dpor", "--waiters", rule, "--keep-going", "--no-minimize", "--iterations", 20000, "--saved", "ignore")
            context.check(report.get("executions") == wanted and report.get("complete"), f"{name}, {rule}, dpor: {report.get('executions')}, not {wanted}", done)


def real(context: harness.Context) -> None:
    """The constructs on real threads, without Ravel, under ThreadSanitizer."""
    program = context.folder / "real"
    done = context.command([context.compiler, "-std=c++20", "-O2", "-g", "-fsanitize=thread", "-I", context.sources.parent / "include",
                            context.sources / "syn" / "real_threads.cpp", "-o", program])
    if not context.check(done.code == 0, "build", done):
        return
    done = context.command([program, 1_000_000 if context.all else 3200])
    context.check(done.code == 0 and done.out == "right\n" and "WARNING" not in done.err, "right, and no report", done)


def diagrams(context: harness.Context) -> None:
    """syn show: timestamps, and a space-time diagram."""
    program = context.build(context.sources / "syn" / "lost_wakeup.cpp")
    if program is None:
        return
    _, tests = test(context, write(context, "lost.syn", LOST + "expect deadlock\n"), "--", program)
    plan = context.folder / tests[0]["plan"]
    svg = context.folder / "order.svg"
    done = context.tool("syn", "show", "--stamps", "thread", "--svg", svg, plan)
    context.check(done.code == 0 and "main.2 unlock queue.mutex_  # 0 0 3\nmain.1 lock queue.mutex_  # 0 1 3" in done.out, "stamps by thread", done)
    context.check(svg.read_text().count("<circle") == 11, "a dot on thread and object for each event, and one for the call that waits", svg.read_text())
    context.check(" or main.1#1 lock</text>" in svg.read_text() and "main.1 reacquire queue.mutex_ never comes" in svg.read_text(), "what could have come instead", svg.read_text())
    done = context.tool("syn", "show", "--stamps", "object", "--output", context.folder / "again.syn", plan)
    context.check(done.code == 0, "stamps by object", done)
    done, tests = test(context, context.folder / "again.syn")
    context.check(done.code == 0 and tests[0]["outcome"] == "deadlock", "stamps are comments", done)
    done = context.tool("syn", "show", "--stamps", "thread", "--order", "object", plan)
    context.check(done.code == 2 and "--order total" in done.err, "a list only", done)


def whole(context: harness.Context) -> None:
    """ravel c++ --whole-sync: two threads with one permit of a std::counting_semaphore have two orders."""
    source = context.folder / "permits.cpp"
    source.write_text("#include <semaphore>\n#include <thread>\nstd::counting_semaphore<4> permits{1};\nvoid turn() { permits.acquire(); permits.release(); }\n"
                      "int main() { std::thread one(turn), two(turn); one.join(); two.join(); }\n")
    done = context.tool("c++", "--compiler", context.compiler, "-std=c++20", "--whole-sync", source, "-o", context.folder / "permits")
    if not context.check(done.code == 0, "build", done):
        return
    for strategy in ("reachability", "dpor"):
        done, report = context.run(context.folder / "permits", "--strategy", strategy, "--saved", "ignore")
        context.check(report.get("executions") == 2 and report.get("complete"), f"{strategy}: {report.get('executions')}, not 2", done)
    done = context.command([context.folder / "permits"])
    context.check(done.code == 0, "without Ravel", done)


def phases(context: harness.Context) -> None:
    """ravel c++ --whole-sync: three arrivals at a std::latch and one that waits have six orders; barriers, and completion functions."""
    head = "#include <barrier>\n#include <latch>\n#include <ravel/ravel.h>\n#include <thread>\n#include <vector>\n"
    run = "void run(std::vector<std::thread> all) { for (auto& one : all) one.join(); }\n"
    for name, text, wanted in (
            ("latch", "std::latch done{3};\nvoid arrive() { done.count_down(); }\nint main() { std::vector<std::thread> all;\n"
             "for (int i = 0; i < 3; ++i) all.emplace_back(arrive);\nall.emplace_back([] { done.wait(); }); run(std::move(all)); }\n", 6),
            ("looks", "std::latch done{1};\nint main() { std::vector<std::thread> all; all.emplace_back([] { done.count_down(); });\n"
             "all.emplace_back([] { ravel::observe(\"over\", done.try_wait()); }); run(std::move(all)); }\n", 2),
            ("completes", "int ends;\nstd::barrier both{2, []() noexcept { ++ends; }};\nvoid twice() { both.arrive_and_wait(); both.arrive_and_wait(); }\n"
             "int main() { std::vector<std::thread> all; all.emplace_back(twice); all.emplace_back(twice); run(std::move(all)); ravel::check(ends == 2); }\n", None),
            ("drops", "std::barrier both{2};\nint main() { std::vector<std::thread> all; all.emplace_back([] { both.arrive_and_drop(); });\n"
             "all.emplace_back([] { both.arrive_and_wait(); both.arrive_and_wait(); }); run(std::move(all)); }\n", None)):
        source = context.folder / f"{name}.cpp"
        source.write_text(head + run + text)
        program = context.folder / name
        done = context.tool("c++", "--compiler", context.compiler, "-std=c++20", "--whole-sync", source, "-o", program)
        if not context.check(done.code == 0, f"build {name}", done):
            continue
        counts = {}
        for strategy in ("reachability", "dpor"):
            done, report = context.run(program, "--strategy", strategy, "--saved", "ignore")
            context.check(report.get("complete") and done.code == 0, f"{name}, {strategy}: complete, no defect", done)
            counts[strategy] = report.get("executions")
        context.check(wanted in (None, counts["reachability"]), f"{name}: {counts}, not {wanted}", done)
        done = context.command([program])
        context.check(done.code == 0, f"{name} without Ravel", done)


def outside(context: harness.Context) -> None:
    """Orders that were recorded on real threads without Ravel happen again under Ravel; a program that stands still, too."""
    source = context.sources / "syn" / "recorded.cpp"
    inside = context.build(source)
    stuck = context.build(source, "stuck", ("STUCK",))
    if None in (inside, stuck):
        return
    plain = {}
    for name, defines in (("exact", ()), ("guessed", ("-DTHREAD=std::thread",)), ("still", ("-DSTUCK",))):
        plain[name] = context.folder / f"plain-{name}"
        done = context.command([context.compiler, "-std=c++20", "-O1", "-I", context.sources.parent / "include", *defines, source, "-o", plain[name]])
        if not context.check(done.code == 0, f"build {name}", done):
            return
    orders = set()
    for seed in range(100 if context.all else 2):
        file = context.folder / f"run-{seed}.syn"
        done = context.command([plain["exact"], file, seed])
        context.check(done.code == 0, "a run on real threads", done)
        text = file.read_text()
        context.check("expect completed" in text and "assumed" not in text, "all threads are known", text)
        orders.add(text.split("order thread")[-1])
        done, tests = test(context, file, "--", inside)
        context.check(done.code == 0 and tests[0]["verdict"] == "feasible", f"seed {seed} happens again", done)
    file = context.folder / "guessed.syn"
    done = context.command([plain["guessed"], file, 1])
    context.check(done.code == 0 and "assumed" in file.read_text(), "threads by number", file.read_text())
    done, tests = test(context, file, "--", inside)
    context.check(done.code == 0 and tests[0]["verdict"] == "feasible", "numbered in the order of their start", done)
    wrong = write(context, "wrong.syn", file.read_text().replace("main.1:", "main.9:").replace("main.2:", "main.1:").replace("main.9:", "main.2:"))
    done, tests = test(context, wrong, "--", inside)
    context.check(done.code == 5 and "order of their start" in tests[0].get("note", ""), "what is assumed proves nothing", done)
    file = context.folder / "still.syn"
    done = context.command(["timeout", "--preserve-status", "-s", "TERM", "2", plain["still"], file, 1])
    text = file.read_text()
    context.check("..." in text and "expect" not in text, "ended by a signal", text)
    done, tests = test(context, file, "--", stuck)
    context.check(done.code == 0 and tests[0].get("outcome") == "deadlock", "and it stands still again", done)


LABELS = """#include <ravel/sync.h>
#include <thread>
ravel::counting_semaphore free_slots{2, "free"}, full{0, "full"};
int main() {
  std::thread producer([] { for (int i = 0; i < 3; ++i) { free_slots.acquire(); ravel::event("deposit"); full.release(); } });
  std::thread consumer([] { for (int i = 0; i < 3; ++i) { full.acquire(); ravel::event("withdraw"); free_slots.release(); } });
  producer.join(), consumer.join();
}
"""
SECTION = """#include <ravel/event.h>
#include <atomic>
#include <thread>
std::atomic<bool> taken{false};
void enter() {
  while (taken.load()) std::this_thread::yield();
  taken.store(true);
  { ravel::critical_section inside("till"); inside.progress(); }
  taken.store(false);
}
int main() { std::thread one(enter), two(enter); one.join(), two.join(); }
"""


def labels(context: harness.Context) -> None:
    """Sequences over labels alone; critical sections that do not exclude."""
    program = context.build(write(context, "labels.cpp", LABELS))
    broken = context.build(write(context, "section.cpp", SECTION))
    if None in (program, broken):
        return
    head = "ravel-syn 1\nonly deposit withdraw\norder total\n"
    lines = {"D": "main.1 mark deposit\n", "W": "main.2 mark withdraw\n"}
    for word, verdict in (("DDWWDW", "feasible"), ("DWDDWW", "feasible"), ("DDD", "infeasible"), ("W", "infeasible"), ("DDWDD", "infeasible")):
        text = head + "".join(lines[c] for c in word) + ("" if len(word) == 6 else "...\n")
        done, tests = test(context, write(context, "word.syn", text), "--", program)
        context.check(tests[0]["verdict"] == verdict, f"{word} is {verdict}", done)
        context.check(verdict == "feasible" or tests[0]["event"] == len(word), f"{word}: the last one cannot come", done)
    done = context.tool("syn", "test", write(context, "bad.syn", head.replace("deposit", "depsit") + lines["D"]), "--", program)
    context.check(done.code == 2 and "did you mean" in done.err, "near names", done)
    done, report = context.run(broken, "--strategy", "dpor", "--saved", "ignore")
    context.check(done.code == 1 and "two threads are in till" in done.out, "two inside", done)


def races(context: harness.Context) -> None:
    """syn races: the race sets, race table and variants of the buffer in the literature (three slots, DDWWDW)."""
    program = context.build(context.sources.parent / "examples" / "bounded_buffer.cpp", "buffer", ("GUARD=full < 3",))
    if program is None:
        return
    head = "ravel-syn 1\norder total\n"
    lines = {"D": "main.1 main.3 deposit rendezvous\n", "W": "main.2 main.3 withdraw rendezvous\n"}
    _, tests = test(context, write(context, "first.syn", head + "".join(lines[c] for c in "DDWWDW")), "--", program)
    report = context.folder / "races.json"
    done = context.tool("syn", "races", "--json", report, context.folder / tests[0]["plan"])
    found = harness.read_json(report)
    if not context.check(done.code == 0 and len(found.get("events", [])) == 6, "six events", done):
        return
    sets = [[call.split()[0] for call in event["races"]] for event in found["events"]]
    context.check(sets == [[], ["main.2#1"], ["main.1#3"], ["main.1#3"], [], []], f"race sets: {sets}", done)
    context.check([event["open"] for event in found["events"]][0] == ["rendezvous deposit"], "nothing to withdraw at first", done)
    context.check(found["columns"] == [2, 3, 4] and found["rows"] == [[0, 0, 1], [0, 1, -1], [1, -1, -1]], "race table", done)
    context.check([len(variant) for variant in found["variants"]] == [4, 3, 2], "variants", done)


def counted(context: harness.Context, source: pathlib.Path, defines: tuple, wanted: int, traces: int | None, flags: tuple = ()) -> None:
    name = "-".join((source.stem, *defines)).replace("=", "")
    program = context.build(source, name, defines, flags=flags)
    for strategy, number in (("reachability", wanted), ("dpor", traces)):
        if program is None or number is None:
            continue
        done, report = context.run(program, "--strategy", strategy, "--keep-going", "--no-minimize", "--iterations", 20000, "--saved", "ignore")
        context.check(report.get("executions") == number and report.get("complete"), f"{name}, {strategy}: {report.get('executions')}, not {number}", done)


def cmake(context: harness.Context) -> None:
    """ravel_add_test(... SEQUENCES FILES)."""
    project = context.folder / "project"
    project.mkdir(exist_ok=True)
    (project / "queue.cpp").write_text((context.sources / "syn" / "lost_wakeup.cpp").read_text())
    (project / "lost.syn").write_text(LOST + "expect deadlock\n")
    (project / "wrong.syn").write_text(LOST + "expect completed\n")
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(orders CXX)\nset(CMAKE_CXX_STANDARD 20)\nfind_package(Ravel REQUIRED)\nenable_testing()\n"
        "add_executable(queue queue.cpp)\nravel_instrument(queue)\nravel_add_test(NAME kept COMMAND queue SEQUENCES lost.syn)\n"
        "ravel_add_test(NAME broken COMMAND queue SEQUENCES lost.syn wrong.syn PROPERTIES WILL_FAIL TRUE)\n")
    build = context.folder / "build"
    for command in (["cmake", "-G", "Ninja", "-S", project, "-B", build, f"-DCMAKE_CXX_COMPILER={context.compiler}",
                     f"-DCMAKE_PREFIX_PATH={context.ravel.parent.parent}"],
                    ["cmake", "--build", build], ["ctest", "--test-dir", build, "--output-on-failure"]):
        done = context.command(command)
        if not context.check(done.code == 0, f"{command[0]}", done):
            return
