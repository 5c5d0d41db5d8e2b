# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Other searches on compiled programs: what each of them finds, how much it runs, and how several processes share the work."""
import json
import re

import harness
from exhaustive import explore

REDUCING = ("dpor", "dpor,sets=source", "clock-vector", "clock-vector,dependence=object")


def counted(context: harness.Context):
    return context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))


def executions(context: harness.Context, program, words, strategy: str, *options) -> int:
    done, report = explore(context, program, words, "--keep-going", *options, strategy=strategy)
    ended = report.get("complete") is True or (strategy == "sharing" and done.code in (harness.CLEAN, harness.DEFECT))
    context.check(ended, f"{strategy} {words}: complete {report.get('complete')}, exit code {done.code}", done)
    return report.get("executions", 0)


def reductions(context: harness.Context) -> None:
    program = counted(context)
    if program is None:
        return
    # Traces; without sleep sets there are more executions.
    for words, traces in ((("trap",), 4), (("racy", 3), 36), (("lockinc", 3, 1), 6), (("lastzero", 5), 64), (("reorder", 3), 36),
                          (("apart", 3), 1), (("twostage",), 3), (("airline", 2), 24), (("fib", 2), 19)):
        context.check(executions(context, program, words, "dpor") == traces, f"{words}: dpor")
        context.check(executions(context, program, words, "clock-vector") >= traces, f"{words}: clock-vector")
    # Source sets: the same traces, and here some redundant runs.
    for words, traces, redundant in ((("lastzero", 5), 64, True), (("casw", 3), 66, False), (("lockinc", 3, 2), 90, False)):
        done, report = explore(context, program, words, strategy="dpor,sets=source")
        context.check(report.get("executions") == traces and report.get("complete") is True and (report.get("blocked", 0) > 0) == redundant,
                      f"{words}: source sets, {report.get('executions')} executions and {report.get('blocked')} in vain", done)
    done, report = explore(context, program, ("racy", 2), strategy="dpor,sets=some")
    context.check(done.code == harness.USAGE and "sets=optimal or sets=source" in done.err, f"unknown sets: exit code {done.code}", done)
    # Readers depend on each other only when an object is an object.
    context.check(executions(context, program, ("onlyreaders", 3), "clock-vector") == 1, "onlyreaders by access")
    context.check(executions(context, program, ("onlyreaders", 3), "clock-vector", "--dependence", "object") == 6, "onlyreaders by object")
    # The example of two writes: useless branches of the baseline.
    numbers = [executions(context, program, ("twowrites",), strategy) for strategy in ("sharing", "clock-vector", "dpor")]
    context.check(numbers == [4, 2, 2], f"two writes: {numbers}, expected 4, 2, 2")


def trap(context: harness.Context) -> None:
    program = counted(context)
    if program is None:
        return
    for words in (("failingtrap",), ("failingothertrap",)):
        for strategy in (*REDUCING, "dfs", "bounded"):
            done, report = explore(context, program, words, "--keep-going", strategy=strategy)
            kinds = [finding.get("kind") for finding in report.get("findings", [])]
            context.check(done.code == harness.DEFECT and kinds == ["assertion"], f"{strategy} {words}: {kinds}", done)
    # Discovered sharing misses it in one order of the threads, and says that it may have.
    done, report = explore(context, program, ("failingothertrap",), "--keep-going", strategy="sharing")
    context.check(done.code == harness.CLEAN and not report.get("findings") and report.get("complete") is False
                  and "hide" in report.get("strategy_note", ""), f"sharing, the other trap: exit code {done.code}", done)
    done, report = explore(context, program, ("failingtrap",), "--keep-going", strategy="sharing")
    context.check(done.code == harness.DEFECT, f"sharing, trap: exit code {done.code}", done)


def factors(context: harness.Context) -> None:
    """Clock vectors against discovered sharing: at least as much better as has been measured elsewhere."""
    program = counted(context)
    if program is None:
        return
    # Setters without and with one who checks.
    for words, least in ((("airline", 2), 3.8), (("reorder", 2), 1.6), (("reorder", 3), 2.3), (("reorder", 1, 2), 1.6), (("reorder", 2, 2), 2.3)):
        counted_by = {}
        for strategy in ("sharing", "clock-vector"):
            _, report = explore(context, program, words, "--keep-going", strategy=strategy)
            counted_by[strategy] = [report.get("executions", 0), report.get("decisions", 0)]
        factors_found = [more / max(less, 1) for more, less in zip(counted_by["sharing"], counted_by["clock-vector"])]
        print(f"{words}: executions and decisions {counted_by}, factors {factors_found[0]:.1f} and {factors_found[1]:.1f}")
        context.check(min(factors_found) >= least and counted_by["clock-vector"][0] > 0, f"{words}: {counted_by}: less than {least}")


def best_first(context: harness.Context) -> None:
    program = counted(context)
    if program is None:
        return
    for heuristic in ("mixed", "blocked", "interleaving", "coverage", "prefer"):
        done, report = explore(context, program, ("reorder", 2, 2), strategy=f"best-first,by={heuristic}")
        context.check(done.code == harness.DEFECT, f"best-first by {heuristic}: exit code {done.code}", done)
    done, report = explore(context, program, ("racy", 2), strategy="best-first,by=chance")
    context.check(done.code == harness.USAGE and "by=mixed" in done.err, f"unknown heuristic: exit code {done.code}", done)
    # The default is never worse than twice the best of them, where the defect is easy for one and hard for another: any one of many
    # setters will do, many sellers must have sold, threads that wait for each other.
    budget = ("--iterations", 100, "--no-minimize", "--detect", "none")

    def compare(named: str, run) -> None:
        needed = {}
        for heuristic in ("", ",by=coverage", ",by=interleaving", ",by=blocked"):
            done, report = run(f"best-first{heuristic}")
            needed[heuristic] = report.get("executions", 0) if done.code == harness.DEFECT else 1_000_000
        print(f"{named}: {needed}")
        context.check(needed[""] <= min(100, 2 * min(needed.values())), f"{named}: executions until found {needed}")

    for words in (("reorder", 5, 2), ("reorder", 5, 3), ("reorder", 10, 2), ("airline", 5, 4)):
        compare(" ".join(map(str, words)), lambda strategy, words=words: explore(context, program, words, *budget, strategy=strategy))
    for name in ("ab_ba_deadlock", "dining_philosophers", "future_never_set", "lost_wakeup"):
        deadlocking = context.build(context.sources / "corpus" / "core" / f"{name}.cpp")
        if deadlocking is not None:
            compare(name, lambda strategy, tested=deadlocking: context.run(tested, *budget, "--strategy", strategy))
    done, report = explore(context, program, ("racy", 3), "--iterations", 400, strategy="best-first,queue=3")
    context.check(done.code == harness.CLEAN and report.get("complete") is False
                  and "not complete" in report.get("strategy_note", ""), f"best-first, short queue: exit code {done.code}", done)
    done, report = explore(context, program, ("twowrites",), strategy="best-first")
    context.check(done.code == harness.CLEAN and report.get("complete") is True, "best-first with room for all", done)


def jobs(context: harness.Context) -> None:
    """Several processes explore what one does."""
    program = counted(context)
    if program is None:
        return
    for strategy, words in (("dfs", ("racy", 3)), ("bounded,preemptions=2", ("racy", 3)), ("dfs", ("fib", 2))):
        _, alone = explore(context, program, words, strategy=strategy)
        for number in (2, 3):
            done, report = explore(context, program, words, "--jobs", number, strategy=strategy)
            context.check(report.get("complete") == alone.get("complete") and done.code == harness.CLEAN,
                          f"{strategy} {words} by {number}: exit code {done.code}", done)
            context.check(report.get("executions") == alone.get("executions"),
                          f"{strategy} {words} by {number}: {report.get('executions')}, alone {alone.get('executions')}", done)
    # dpor has one tree for all (jobs.py); the others are searched by one process, and that is said.
    for strategy in ("dpor,sets=source", "clock-vector"):
        done, report = explore(context, program, ("racy", 3), "--jobs", 2, strategy=strategy)
        context.check(report.get("executions", 0) >= 36 and report.get("jobs") == 1 and any("one process" in note for note in report["notes"]),
                      f"{strategy} by 2: {report.get('executions')} executions", done)


def bounds(context: harness.Context) -> None:
    """Each defect of the corpus at its number of preemptions, nothing below it."""
    for source in harness.sources_in(context.sources / "corpus" / "core"):
        if context.only not in source.name:
            continue
        wanted = harness.expectation_of(source)
        if wanted.kinds == {"data-race"}:
            continue
        program = context.build(source)
        if program is None:
            continue
        for bound in sorted({max(wanted.preemptions - 1, 0), wanted.preemptions}):
            # Detectors that predict would drive executions beyond the bound.
            done, report = context.run(program, "--strategy", f"bounded,preemptions={bound}", "--iterations", 200_000, "--keep-going",
                                       "--no-minimize", "--detect", "data-race", timeout=harness.WATCHDOG)
            kinds = {finding.get("kind") for finding in report.get("findings", [])} - {"data-race"}
            if bound < wanted.preemptions:
                context.check(not kinds and f"at most {bound} preemptions" in report.get("strategy_note", ""),
                              f"{source.stem}: {kinds} with {bound} preemptions", done)
            else:
                context.check(bool(kinds & wanted.kinds), f"{source.stem}: {kinds} with {bound} preemptions", done)
                fewest = min((f["preemptions"] for f in report.get("findings", []) if f.get("kind") in wanted.kinds), default=-1)
                context.check(fewest == wanted.preemptions, f"{source.stem}: found with {fewest} preemptions", done)


def outcomes(context: harness.Context) -> None:
    program = counted(context)
    if program is None:
        return
    points = ("--points", "shared", "--points-exclude", "lifecycle")

    def listed(words, *options):
        report = context.folder / f"{'-'.join(map(str, words))}.json"
        done = context.tool("outcomes", "--json", report, "--color", "never", *points, *options, "--", program, *words)
        return done, harness.read_json(report), report

    # Of store buffering all but both zero.
    done, report, _ = listed(("observedSB",))
    seen = {(row["observations"]["y"], row["observations"]["x"]): row for row in report.get("outcomes", [])}
    context.check(done.code == harness.CLEAN and report.get("complete") is True and set(seen) == {("0", "1"), ("1", "0"), ("1", "1")},
                  f"store buffering: {sorted(seen)}, exit code {done.code}", done)
    context.check(sum(row["count"] for row in seen.values()) == report.get("executions") == 3, "store buffering: counts", report)
    context.check("3 outcomes" in done.out and "complete" in done.out, "store buffering: text", done)
    for values, row in seen.items():
        again, replayed = context.replay(context.folder / row["plan"])
        found = replayed.get("observations", {})
        context.check((found.get("y"), found.get("x")) == values, f"plan of {values} gives {found}", again)
    # Without plans: the same rows, and nothing is saved.
    before = len(list((context.folder / ".ravel").glob("*.plan")))
    done, bare, _ = listed(("observedSB",), "--no-plans")
    rows = {(row["observations"]["y"], row["observations"]["x"]): row["plan"] for row in bare.get("outcomes", [])}
    context.check(rows == dict.fromkeys(seen, ""), f"without plans: {rows}", done)
    context.check(before > 0 and len(list((context.folder / ".ravel").glob("*.plan"))) == before, "without plans: a plan was saved", done)
    # The other order of the writes adds a behaviour and takes one away.
    done, _, old = listed(("observedMP", 0, 1))
    done, _, new = listed(("observedMP", 0, 2))
    difference = context.folder / "difference.json"
    done = context.tool("outcomes", "--diff", old, "--json", difference, "--color", "never", new)
    report = harness.read_json(difference)
    added = [row["observations"] for row in report.get("added", [])]
    removed = [row["observations"] for row in report.get("removed", [])]
    context.check(done.code == harness.DEFECT and added == [{"data": "0", "flag": "1"}] and removed == [],
                  f"difference: added {added}, removed {removed}, exit code {done.code}", done)
    context.check(re.search(r"^\+ completed  data=0 flag=1", done.out, re.MULTILINE) is not None, "difference: text", done)
    done = context.tool("outcomes", "--diff", old, old)
    context.check(done.code == harness.CLEAN, f"no difference: exit code {done.code}", done)
    done = context.tool("outcomes", "--diff", old, program)
    context.check(done.code == harness.USAGE and "not a list of outcomes" in done.err, f"not a list: exit code {done.code}", done)
    # A budget that ends first.
    done, report, _ = listed(("observedSB",), "--iterations", 1)
    context.check(done.code == 5 and report.get("complete") is False, f"one execution: exit code {done.code}", done)
    # Deadlocks are outcomes.
    done, report, _ = listed(("philosophers", 2))
    kinds = {row["kind"]: row["count"] for row in report.get("outcomes", [])}
    context.check(done.code == harness.DEFECT and kinds == {"completed": 2, "deadlock": 1}, f"philosophers: {kinds}", done)


def file_locks(context: harness.Context) -> None:
    """Locks of files, of which the kernel keeps the state: a reduced search has the outcomes of all interleavings."""
    program = context.build(context.sources / "exhaustive" / "file_locks.cpp", flags=("-std=c++17",))
    if program is None:
        return
    for name, most in (("ranges", 7), ("process", 3), ("whole", 3)):
        found = {}
        for strategy in ("dfs", "dpor"):
            report = context.folder / f"{name}-{strategy}.json"
            done = context.tool("outcomes", "--json", report, "--no-plans", "--strategy", strategy, "--iterations", 200_000, "--", program, name)
            facts = harness.read_json(report)
            context.check(facts.get("complete") is True, f"{name}: {strategy} is not complete", done)
            found[strategy] = {(row["kind"], str(row["observations"])) for row in facts.get("outcomes", [])}
        context.check(found["dfs"] == found["dpor"], f"{name}: {found}")
        context.check(len(found["dfs"]) == most, f"{name}: {len(found['dfs'])} outcomes")


def noise(context: harness.Context) -> None:
    """The programs of the noise literature under virtual noise: the defects are found, the repaired twins stay clean."""
    for source in harness.sources_in(context.sources / "corpus" / "noise"):
        wanted = json.loads(source.with_suffix(".expect.json").read_text(encoding="utf-8"))
        words = wanted["arguments"][0]
        program = context.build(source)
        repaired = context.build(source, name=f"{source.stem}-fixed", defines=("FIXED",))
        if program is None or repaired is None:
            continue
        done, report = context.run(program, "--strategy", "noise", "--no-minimize", "--iterations", 5_000, arguments=words)
        kinds = {finding["kind"] for finding in report.get("findings", [])}
        context.check(done.code == harness.DEFECT and wanted["kind"] in kinds, f"{source.stem}: {done.code}, {kinds}", done)
        print(f"{source.stem:14} {report.get('executions')} executions under noise")
        if report.get("findings"):
            again, _ = context.replay(context.folder / report["findings"][0]["plan"], "--times", 3)
            context.check(again.code == harness.DEFECT, f"{source.stem}: replay ended with {again.code}", again)
        done, report = context.run(repaired, "--strategy", "noise", "--iterations", 500, arguments=words)
        context.check(done.code == harness.CLEAN and report.get("executions") == 500, f"{source.stem} (fixed): {done.code}", done)
    for bad, near in (("noise,seeding=yeild", "seeding"), ("noise,freq=1001", "1000"), ("noise,place=nowhere", "var-one"), ("noise,strength=0", "1")):
        done = context.tool("run", "--strategy", bad, context.folder / "sunbank")
        context.check(done.code == harness.USAGE and near in done.err, f"{bad}: exit code {done.code}", done)
