# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Bad usage ends with 2 and one clear line; what cannot be tested ends with 3 and says what to do."""
import re
import subprocess

import harness

PROGRAM = "corpus/core/lost_update.cpp"


def one_line(context: harness.Context, what: str, done: harness.Finished, words: str, code: int = harness.USAGE) -> None:
    context.check(done.code == code, f"{what}: exit code {done.code}, expected {code}", done)
    lines = [line for line in done.err.splitlines() if line.strip()]
    context.check(len(lines) == 1, f"{what}: {len(lines)} lines instead of one", done)
    context.check(bool(re.search(words, done.err)), f"{what}: nothing about '{words}'", done)


def bad_usage(context: harness.Context) -> None:
    program = context.build(context.sources / PROGRAM)
    if program is None:
        return
    (context.folder / "notes.txt").write_text("not a program\n")
    (context.folder / "notes.txt").chmod(0o755)
    (context.folder / "mine.cpp").write_text("int main() {}\n")
    table = [
        ("no command", [], ""),
        ("unknown command", ["rnu"], "rnu"),
        ("missing program", ["run", "./absent"], "absent"),
        ("no program", ["run"], ""),
        ("not an ELF", ["run", "./notes.txt"], "notes.txt"),
        ("a folder", ["run", "."], ""),
        ("a source file", ["run", "./mine.cpp"], r"ravel c\+\+ \./mine\.cpp -o mine, then ravel run \./mine"),
        ("no command but a program", [program], "ravel run"),
        ("unknown option", ["run", "--iteratons", "5", program], "--iteratons"),
        ("unknown strategy", ["run", "--strategy", "pctt", program], "pct"),
        ("parameter of a strategy", ["run", "--strategy", "pct,depht=3", program], "dep"),
        ("parameter of the default", ["run", "--strategy", "portfolio,wihout=pos", program], "did you mean `without'"),
        ("part of the default", ["run", "--strategy", "portfolio,without=drected", program], "did you mean `directed'"),
        ("no part at all", ["run", "--strategy", "portfolio,without=everything", program], "expected without=none or without=pos"),
        ("not a number", ["run", "--iterations", "many", program], "iterations"),
        ("no executions", ["run", "--iterations", "0", program], "--iterations 0"),
        ("no time", ["run", "--time", "0", program], "--time 0"),
        ("no time with a unit", ["run", "--time", "0s", program], "--time 0s"),
        ("less than no time", ["run", "--time", "-1s", program], "--time -1s"),
        ("a promise that sampling cannot keep", ["run", "--expect-complete", "--strategy", "pos", program], "samples.*dpor"),
        ("unknown points", ["run", "--points", "sharde", program], "shared"),
        ("unknown class", ["run", "--points-exclude", "lifecycel", program], "lifecycle"),
        ("unknown time-outs", ["run", "--timeouts", "unfair", program], "fair"),
        ("missing plan", ["replay", "absent.plan"], "absent.plan"),
        ("no plan", ["replay"], ""),
    ]
    for what, words, expected in table:
        done = context.tool(*words)
        if what in ("no command", "no program", "no plan"):
            context.check(done.code == harness.USAGE and bool(done.err.strip()), f"{what}: exit code {done.code}", done)
        else:
            one_line(context, what, done, expected)
    bad_plans(context, program)


def bad_plans(context: harness.Context, program) -> None:
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "no plan to spoil", done):
        return
    plan = (context.folder / report["findings"][0]["plan"]).read_text()
    first, rest = plan.split("\n", 1)
    newer = re.sub(r"\d+", lambda match: str(int(match.group()) + 1), first, count=1)
    context.check(newer != first, f"the first line of a plan has no version: {first}")
    middle = len(plan) // 2
    table = [
        ("plan of a newer version", newer + "\n" + rest, "version|newer"),
        ("empty plan", "", "plan"),
        ("truncated plan", plan[:middle], "plan"),
        ("plan of noise", "\x00\xff\x7f" * 1000, "plan"),
        ("plan with an unknown key", plan + "\ncolour: blue\n", "colour|plan"),
    ]
    for what, text, expected in table:
        (context.folder / "spoilt.plan").write_text(text)
        one_line(context, what, context.tool("replay", "spoilt.plan"), expected)


def vacuous(context: harness.Context) -> None:
    source = context.sources / PROGRAM
    plain = context.folder / "plain"
    subprocess.run([context.compiler, "-std=c++20", "-pthread", source, "-o", plain], check=True)
    done, report = context.run(plain)
    context.check(done.code == harness.CANNOT_TEST, f"not instrumented: exit code {done.code}", done)
    context.check("ravel c++" in done.err + done.out, "not instrumented: does not say what to do", done)
    context.check(not report or report.get("vacuous") is True, "not instrumented: the JSON does not say vacuous", report)


def lists(context: harness.Context) -> None:
    """`list` names what `--strategy` takes, `doctor` looks at the machine and at a program, help is there for all."""
    done = context.tool("list")
    for word in ("portfolio", "pct", "pos", "random", "dfs", "lifecycle"):
        context.check(done.code == 0 and word in done.out, f"list does not name {word}", done)
    marks = {line.split()[0]: line for line in done.out.split("policies")[0].splitlines() if line.startswith("  ") and line[2] != " "}
    for name in ("dpor", "clock-vector", "dfs"):
        context.check("[exhaustive]" in marks.get(name, ""), f"list does not call {name} exhaustive", done)
    for name in ("sharing", "best-first", "bounded", "portfolio", "pct"):
        context.check("[exhaustive]" not in marks.get(name, "[exhaustive]"), f"list calls {name} exhaustive", done)
    context.check("depth=N, 1 to 64, default 3" in done.out, "list does not show the range of a parameter", done)
    for words in (["--help"], ["--version"], ["run", "--help"], ["replay", "--help"], ["c++", "--help"]):
        done = context.tool(*words)
        context.check(done.code == 0 and bool(done.out.strip()), f"{words}: exit code {done.code}", done)
    program = context.build(context.sources / PROGRAM)
    done = context.tool("doctor", program)
    context.check(done.code == 0, f"doctor on an instrumented program: exit code {done.code}", done)
