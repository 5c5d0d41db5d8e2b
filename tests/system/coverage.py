# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Concurrency coverage from outside: the same whole sets at each optimisation and isolation, over jobs, shards and a killed worker;
files, statistics, bad input."""
import harness

FORCED = {
    "dupairs": ["17 27 total", "17 38 total"],
    "goodlock": ["16 18 outer inner"],
    "goldilocksc": ["17 SCT", "27 SCL", "34 SCT", "35 SCT", "38 SCL"],  # 34, 35: what std::thread writes
}


def tasks(context: harness.Context, metric: str, file) -> list[str]:
    """With lines alone: `coverage_forced.cpp:18` is 18."""
    done = context.tool("coverage", "tasks", metric, file)
    context.check(done.code == harness.CLEAN, f"tasks {metric}: {done.code}", done)
    words = [[w.rsplit(":", 1)[1] if ".cpp:" in w else w for w in line.split()] for line in done.out.splitlines()]
    return sorted(" ".join(line) for line in words)


def measure(context: harness.Context, program, name: str, *options):
    file = context.folder / f"{name}.cov"
    done, _ = context.run(program, "--coverage", "all", "--coverage-file", file, "--saved", "ignore", *options)
    context.check(done.code == harness.CLEAN, f"{name}: {done.code}", done)
    return file


def forced(context: harness.Context) -> None:
    """A program with one order: whole sets, whatever the compiler did and however executions are kept apart."""
    source = context.sources / "data" / "coverage_forced.cpp"
    sets = {}
    for level in ("-O0", "-O2"):
        program = context.build(source, name=f"forced{level}", flags=(level,))
        if program is None:
            return
        for isolation in ("fork", "rollback", "repeat"):
            name = f"forced{level}-{isolation}"
            file = measure(context, program, name, "--strategy", "pos", "--iterations", 20, "--isolation", isolation)
            for metric, expected in FORCED.items():
                found = tasks(context, metric, file)
                context.check(found == expected, f"{name} {metric}: {found}")
            sets[name] = {m: tasks(context, m, file) for m in ("dupairs", "rf", "goodlock", "hbpair", "goldilocksc", "place")}
    one = next(iter(sets.values()))
    for name, other in sets.items():
        context.check(other == one, f"{name}: {other} instead of {one}")


def jobs(context: harness.Context) -> None:
    """One job, four jobs and merged shards cover the same."""
    program = context.build(context.sources / "corpus" / "core" / "lost_update.cpp", defines=("FIXED",))
    if program is None:
        return
    options = ("--strategy", "pos", "--points", "sync", "--iterations", 400)
    one = measure(context, program, "one", *options)
    four = measure(context, program, "four", *options, "--jobs", 4)
    shards = [measure(context, program, f"shard{i}", *options, "--shard-index", i, "--shard-count", 2) for i in range(2)]
    merged = context.folder / "merged.cov"
    done = context.tool("coverage", "merge", *shards, "--output", merged)
    context.check(done.code == harness.CLEAN, "merge", done)
    # At this optimisation the thread's function is part of one of std::thread's.
    context.check(any("lost_update" not in line and line.split()[0].isdigit() for line in tasks(context, "rf", one)), "rf sees no access of the program")
    for metric in ("avio*", "hbpair*", "sync", "rf", "goldilock"):
        context.check(tasks(context, metric, one) == tasks(context, metric, four), f"{metric}: four jobs differ")
        context.check(tasks(context, metric, one) == tasks(context, metric, merged), f"{metric}: shards differ")
    done = context.tool("coverage", "diff", one, four, "--fail-on-lost")
    context.check(done.code == harness.CLEAN and "no difference" in done.out, "diff of the same", done)


def replayed(context: harness.Context) -> None:
    """A plan with metrics on is judged as without them; its tasks are those of one execution."""
    program = context.build(context.sources / "corpus" / "core" / "lost_update.cpp")
    if program is None:
        return
    context.run(program, "--strategy", "pos", "--saved", "ignore", "--output", context.folder / "plans")
    plan = context.folder / "plans" / f"{program.name}-1.plan"
    file = context.folder / "one.cov"
    plain = context.tool("replay", plan)
    done = context.tool("replay", plan, "--coverage", "all", "--coverage-file", file)
    context.check(done.code == plain.code == harness.DEFECT, f"replay: {plain.code}, {done.code}", done)
    judged = [next((line for line in one.out.splitlines() if line.startswith("reproduced")), "") for one in (plain, done)]
    context.check(judged[0] == judged[1] != "", f"judged differently: {judged}")
    context.check(any(line.startswith("20 20 20 ") for line in tasks(context, "avio*", file)), "the lost update is no task", done)
    shown = context.tool("coverage", "show", file)
    context.check(shown.out.startswith("1 executions, strategy replay"), "not one execution", shown)
    done = context.tool("replay", plan, "--coverage-file", file)
    context.check(done.code == harness.USAGE and len(done.err.splitlines()) == 1, f"a file without metrics: {done.code}", done)


def saturated(context: harness.Context) -> None:
    program = context.build(context.sources / "corpus" / "core" / "lost_update.cpp", defines=("FIXED",))
    if program is None:
        return
    done, report = context.run(program, "--strategy", "pos", "--until-saturated=2%", "--saved", "ignore")
    context.check(done.code == harness.CLEAN and report.get("campaign", report).get("saturated") is True, "not saturated", done)
    context.check("coverage is saturated" in done.out and "advice: " in done.out, "not said", done)


def usage(context: harness.Context) -> None:
    toy = context.folder / "toy.cov"
    toy.write_text("ravel-coverage 1\nmetric sync\nrun a b\nrun a c\nrun a b\nrun a\nrun a d\nrun a b\nend\n")
    done = context.tool("coverage", "stats", toy)
    numbers = done.out.splitlines()[-1].split() if done.out else []
    context.check(numbers[1:6] == ["4.0", "45.8", "%", "50.0", "%"] and "72.9" in numbers and "4.83" in numbers, "toy", done)
    for text in ("ravel-coverage 2\nend\n", "ravel-coverage 1\nmetric sync\nrun a\n", "nonsense\n", ""):
        bad = context.folder / "bad.cov"
        bad.write_text(text)
        done = context.tool("coverage", "show", bad)
        context.check(done.code == harness.USAGE and len(done.err.splitlines()) == 1, f"{text!r}: {done.code}", done)
    for words in (("check", "--coverage", "avoi", toy), ("coverage", "tasks", "snyc", toy), ("coverage", "shwo", toy),
                  ("run", "--coverage-identity", "n=0", "/bin/true"), ("run", "--until-saturated=7", "/bin/true")):
        done = context.tool(*words)
        context.check(done.code == harness.USAGE and len(done.err.splitlines()) == 1, f"{words}: {done.code}", done)
    csv = context.folder / "formula.cov"
    csv.write_text("ravel-coverage 1\nmetric sync\nrun =1+1\nend\n")
    done = context.tool("coverage", "export", csv)
    context.check(",'=1+1," in done.out, "a formula", done)

