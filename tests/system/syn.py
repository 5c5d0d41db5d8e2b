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
