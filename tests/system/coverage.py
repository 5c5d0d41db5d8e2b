# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Concurrency coverage from outside: the same whole sets at each optimisation and isolation, over jobs, shards and a killed worker;
files, statistics, bad input."""
import json
import re
import signal

import checkpoint
import harness

ALL = ("avio", "avio*", "eraser", "eraser*", "goldilock", "goldilock*", "goodlock", "goodlock*", "hbpair", "hbpair*", "dupairs", "dupairs*", "goldilocksc",
       "concurpairs", "sync", "driving", "rf", "interrupt", "place", "conflict")


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


def expected_tasks(path) -> dict[str, list[str]]:
    wanted: dict[str, list[str]] = {metric: [] for metric in ALL}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            metric, task = line.split(": ", 1)
            wanted[metric].append(task)
    return {metric: sorted(lines) for metric, lines in wanted.items()}


def forced(context: harness.Context) -> None:
    """A program with one order: the whole set of every metric, whatever the compiler did and however executions are kept apart."""
    source = context.sources / "data" / "coverage_forced.cpp"
    wanted = expected_tasks(source.with_suffix(".tasks"))
    for level in ("-O0", "-O2"):
        program = context.build(source, name=f"forced{level}", flags=(level,))
        if program is None:
            return
        for isolation in ("fork", "rollback", "repeat"):
            name = f"forced{level}-{isolation}"
            file = measure(context, program, name, "--strategy", "run-on", "--iterations", 3, "--isolation", isolation)
            for metric in ALL:
                # What else a thread is known by is as the compiler has inlined it.
                found = sorted(re.sub("#[0-9a-f]{4}", "", line) for line in tasks(context, metric, file))
                context.check(found == wanted[metric], f"{name} {metric}: {found}")


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


def resumed(context: harness.Context) -> None:
    """A search that is killed and resumed has covered, in the end, what it covers in one go."""
    program = context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))
    if program is None:
        return
    report, kept = context.folder / "report.json", context.folder / "kept"
    whole, pieces = context.folder / "whole.cov", context.folder / "pieces.cov"

    def words(file, *options) -> list:
        return checkpoint.command(context, program, ("lastzero", 10), report, "dpor", "--coverage", "all", "--coverage-file", file, *options)

    done = context.tool(*words(whole)[1:])
    context.check(done.code == harness.CLEAN, f"in one go: {done.code}", done)
    code = checkpoint.break_off(context, words(pieces, "--checkpoint", kept), signal.SIGKILL, 0.3, kept)
    broken = 0
    while code == -signal.SIGKILL and broken < checkpoint.MOST_RUNS:
        broken += 1
        code = checkpoint.break_off(context, words(pieces, "--resume", kept), signal.SIGKILL, 0.3 + 0.2 * broken, kept)
    context.check(broken > 0 and code == harness.CLEAN, f"in pieces: exit code {code} after {broken} breaks")
    shown = [context.tool("coverage", "show", file) for file in (whole, pieces)]
    context.check(shown[0].out == shown[1].out != "", f"not the same: {shown[0].out} / {shown[1].out}")
    for metric in ALL:
        context.check(tasks(context, metric, whole) == tasks(context, metric, pieces), f"{metric} differs")


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


# Programs whose defect has two places, marked `first' and `second' (one where it is one line): lines that the first suspect names.
SUSPECTS = {"noise/philosophers": (), "noise/sunbank": (), "noise/airlines": (), "noise/crawler": (), "noise/rover": (), "noise/ftpserver": (),
            "noise/orb": (), "noise/animator": (), "core/lost_update": ("deposit",), "core/check_then_act_map": ("asked", "used")}
LEAST_NAMED = 8


def suspects(context: harness.Context) -> None:
    """The task that best separates failing from passing executions has both places of the defect."""
    named = []
    for name, marks in SUSPECTS.items():
        source = context.sources / "corpus" / f"{name}.cpp"
        program = context.build(source, name=source.stem)
        if program is None:
            return
        file = context.folder / "suspects.cov"
        context.tool("run", "--saved", "ignore", "--no-minimize", "--quiet", "--keep-going", "--strategy", "pos", "--points", "shared", "--iterations", 400,
                     "--coverage", "default,goodlock,driving", "--coverage-file", file, program, *arguments_of(source))
        done = context.tool("coverage", "suspects", file)
        first = done.out.splitlines()[0] if done.out else ""
        lines = [harness.marked_line(source, mark) for mark in marks or ("first", "second")]
        named += [name] if all(f"{source.name}:{line} " in first for line in lines) else []
    context.check(len(named) >= LEAST_NAMED, f"both places are in the first suspect of {named} only")


def arguments_of(source) -> list[str]:
    expected = source.with_suffix(".expect.json")
    return json.loads(expected.read_text(encoding="utf-8"))["arguments"][0] if expected.exists() else []


def noise_programs(context: harness.Context) -> None:
    """The benchmark programs of the thesis: each defect is found, each twin is clean, and random schedules fail now and then."""
    for source in sorted((context.sources / "corpus" / "noise").glob("*.cpp")):
        if context.only not in source.name:
            continue
        wanted = json.loads(source.with_suffix(".expect.json").read_text(encoding="utf-8"))
        program = context.build(source)
        repaired = context.build(source, name=f"{source.stem}-fixed", defines=("FIXED",))
        if program is None or repaired is None:
            return
        report = context.folder / "noise.json"
        for words in wanted["arguments"]:
            done = context.tool("run", "--json", report, "--saved", "ignore", "--no-minimize", "--iterations", 2_000, program, *words)
            kinds = {finding["kind"] for finding in harness.read_json(report).get("findings", [])}
            context.check(done.code == harness.DEFECT and wanted["kind"] in kinds, f"{source.stem} {words}: {done.code}, {kinds}", done)
        words = wanted["arguments"][0]
        done = context.tool("run", "--json", report, "--saved", "ignore", "--iterations", 1_000, repaired, *words)
        context.check(done.code == harness.CLEAN and not harness.read_json(report).get("findings"), f"{source.stem} (fixed): {done.code}", done)
        file = context.folder / "noise.cov"
        context.tool("run", "--saved", "ignore", "--no-minimize", "--quiet", "--keep-going", "--strategy", "random", "--iterations", 200, "--coverage", "sync",
                     "--coverage-file", file, program, *words)
        exported = json.loads(context.tool("coverage", "export", file, "--as", "json").out or "{}")
        failing = max((task["failing"] for task in exported.get("tasks", [])), default=0)
        print(f"{source.stem:14} fails in {failing} of {exported.get('executions')} random schedules")


# Four threads of one loop with two behaviours; 1 000 blocks from one `new' and one from another.
IDENTITIES = {"objects": ["1001", "1", "2"], "threads": ["5", "2", "3", "3"]}


def identities(context: harness.Context) -> None:
    """Objects by where they are made, threads by what they run, jobs of a pool apart; the same in every run."""
    program = context.build(context.sources / "data" / "coverage_identities.cpp")
    pool = context.build(context.sources / "data" / "coverage_pool.cpp", flags=("-I", context.sources.parent / "include"))
    if program is None or pool is None:
        return
    options = ("--strategy", "pos", "--iterations", 20)
    files = [measure(context, program, f"ids{i}", *options, "--seed", i, "--coverage", "hbpair*") for i in (1, 2)]
    for file in files:
        done = context.tool("coverage", "ids", file)
        lines = done.out.splitlines()
        found = {"objects": lines[1].split() if len(lines) > 1 else [], "threads": lines[3].split() if len(lines) > 3 else []}
        context.check(found == IDENTITIES, f"ids: {found}", done)
    context.check(tasks(context, "hbpair*", files[0]) == tasks(context, "hbpair*", files[1]), "identities differ between runs")
    for name, more in (("none", ()), ("function", ("--coverage-jobs", "run_job")), ("call", ("--coverage-jobs", "mark_*"))):
        file = measure(context, pool, f"pool-{name}", *options, *more)
        done = context.tool("coverage", "ids", "--n", "1", file)
        count = done.out.splitlines()[-1].split()[-1] if done.out else ""
        context.check(count == {"none": "2", "function": "3", "call": "4"}[name], f"jobs by {name}: {count} threads", done)
    for words in (("coverage", "ids", "--n", "0", files[0]), ("coverage", "ids", "--n", "25", files[0]),
                  ("run", "--coverage", "sync", "--coverage-jobs", "nothing_of_it", pool), ("run", "--coverage-jobs", "run_job", pool)):
        done = context.tool(*words)
        context.check(done.code == harness.USAGE and len(done.err.splitlines()) == 1, f"{words}: {done.code}", done)


def guided(context: harness.Context) -> None:
    """Coverage as feedback: finds what it must, the same with the same seed, and covers more than it began with."""
    program = context.build(context.sources / "corpus" / "core" / "lost_update.cpp")
    repaired = context.build(context.sources / "corpus" / "core" / "lost_update.cpp", name="lost_update-fixed", defines=("FIXED",))
    if program is None or repaired is None:
        return
    for metric in ("avio", "hbpair*", "goldilock"):
        done, report = context.run(program, "--strategy", f"coverage,metric={metric}", "--saved", "ignore", "--iterations", 200)
        context.check(done.code == harness.DEFECT, f"{metric}: {done.code}", done)
        context.check("assertion" in {finding["kind"] for finding in report.get("findings", [])}, f"{metric}: not the assertion", done)
    files = [context.folder / f"guided{i}.cov" for i in range(2)]
    for file in files:
        done, _ = context.run(repaired, "--strategy", "coverage,metric=avio*", "--saved", "ignore", "--iterations", 300, "--coverage-file", file)
        context.check(done.code == harness.CLEAN, f"twin: {done.code}", done)
    context.check(files[0].read_text() == files[1].read_text(), "the same seed covers something else")
    done = context.tool("run", "--strategy", "coverage,metric=avoi", program)
    context.check(done.code == harness.USAGE and len(done.err.splitlines()) == 1, f"a metric that does not exist: {done.code}", done)


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
    for text in ("ravel-coverage 4\nend\n", "ravel-coverage 1\nmetric sync\nrun a\n", "nonsense\n", ""):
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

