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
    context.check(shown.code == 0 and "order total" in shown.out, "simple events", shown)
    done, tests = test(context, write(context, "simple.syn", shown.out))
    context.check(done.code == 0 and tests[0]["outcome"] == "deadlock", "the thread alone decides", done)
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
    for source, defines, wanted in (("lost_wakeup", (), 2), ("philosophers", (), 7), ("philosophers", ("N=4",), 15), ("tokens", (), 108),
                                    ("monitor_buffer", ("P=1", "C=1", "SLOTS=1"), 2), ("monitor_buffer", ("P=1", "C=1", "SLOTS=1", "N=3"), 32),
                                    ("monitor_buffer", ("P=2", "C=2", "SLOTS=1"), 64), ("monitor_buffer", ("P=2", "C=2", "SLOTS=2", "ALL"), 60),
                                    ("monitor_buffer", ("P=3", "C=2", "SLOTS=2"), 528), ("monitor_buffer", ("P=3", "C=3", "SLOTS=2", "ALL"), 12096),
                                    ("monitor_buffer", ("P=3", "C=3", "SLOTS=2"), 10584),
                                    ("semaphore_buffer", ("P=2", "C=1", "SLOTS=2"), 18), ("semaphore_buffer", ("P=2", "C=2", "SLOTS=2"), 132),
                                    ("semaphore_buffer", ("P=1", "C=1", "SLOTS=2", "N=3"), 9), ("semaphore_buffer", ("P=2", "C=2", "SLOTS=2", "ONE"), 148)):
        name = "-".join((source, *defines)).replace("=", "")
        program = context.build(folder / f"{source}.cpp", name, defines)
        if program is None:
            continue
        done, report = context.run(program, "--strategy", "reachability", "--keep-going", "--no-minimize", "--iterations", 20000, "--saved", "ignore")
        context.check(report.get("executions") == wanted and report.get("complete"), f"{name}: {report.get('executions')}, not {wanted}", done)


def constructs(context: harness.Context) -> None:
    """The catalogue on ravel/semaphore.h and ravel/monitor.h: the same numbers by both searches where nothing commutes."""
    folder = context.sources / "syn"
    rows = (("construct_buffer", ("SU", "P=3", "C=3", "SLOTS=2"), 720, 720), ("construct_buffer", ("SU", "P=1", "C=1", "SLOTS=1", "N=3"), 13, 13),
            ("construct_buffer", ("P=3", "C=3", "SLOTS=2"), 5076, 5076), ("construct_buffer", ("P=2", "C=2", "SLOTS=2", "ALL"), 60, 60),
            ("dining", ("N=3", "SU"), 30, 30), ("dining", ("N=3",), 36, 36), ("dining", ("N=4",), 1672, 1672),
            ("small_constructs", ("PROGRAM=25", "BINARY"), 2, 2), ("small_constructs", ("PROGRAM=25", "INIT=2"), 6, 4),
            ("small_constructs", ("PROGRAM=27",), 9, 9), ("small_constructs", ("PROGRAM=27", "SU", "ASKS"), 8, 8),
            ("small_constructs", ("PROGRAM=31", "INIT=0", "TWO"), 4, 3), ("small_constructs", ("PROGRAM=35",), 11, 11),
            ("small_constructs", ("PROGRAM=41",), 4, 4), ("small_constructs", ("PROGRAM=41", "SU"), 4, 4))
    for source, defines, wanted, traces in rows[::1 if context.all else 2 if context.compiler == "g++" else 5]:
        counted(context, folder / f"{source}.cpp", defines, wanted, traces)


def messages(context: harness.Context) -> None:
    """The catalogue on ports, entries and selective waits."""
    server = ("PROGRAM=4", "P=1", "C=1", "N=3")
    rows = ((("PROGRAM=1",), 2, 2), (("PROGRAM=2",), 16, 16), (("PROGRAM=3",), 2, 2), ((*server, "CAP=1"), 1, 1), ((*server, "CAP=2"), 4, 4), ((*server, "CAP=3"), 5, 5),
            (("PROGRAM=4", "P=3", "C=3", "CAP=2"), 144, 144), (("PROGRAM=4", "P=2", "C=2", "CAP=2"), 8, 8), (("PROGRAM=21", "P=3", "N=2"), 90, 90), (("PROGRAM=24",), 5, 5),
            (("PROGRAM=28", "VALUE=0"), 2, 2), (("PROGRAM=29",), 4, 4), (("PROGRAM=30",), 60, 60), (("PROGRAM=42",), 1, 1), (("PROGRAM=43",), 1, 1), (("PROGRAM=44",), 6, 6),
            (("PROGRAM=50",), 2, 2), (("PROGRAM=51",), 6, 4))
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
    context.check("open withdraw; closed deposit" in done.out and "calls deposit" in done.out, "where everybody is", done)
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
    context.check(svg.read_text().count("<circle") == 10, "a dot on thread and object for each event", svg.read_text())
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


def counted(context: harness.Context, source: pathlib.Path, defines: tuple, wanted: int, traces: int) -> None:
    name = "-".join((source.stem, *defines)).replace("=", "")
    program = context.build(source, name, defines)
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
