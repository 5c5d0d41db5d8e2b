# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Exhaustive searches agree: on random programs of every intercepted family, and on all programs of this tree.

`outcomes(dpor) == outcomes(dfs) == outcomes(clock-vector)`, `bounded` shows nothing else, and of simple families an interpreter that
shares no code with the tool says the same. tests/random_programs/README.md has the rules and how to run more of them.
"""
import pathlib
import shutil
import sys

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random_programs"))
# pylint: disable=wrong-import-position
import interpreter
import model
import oracle
import run

FEW, MANY, OTHERS = 100, 2000, 300
# Programs of a campaign that reduced searches may give up, by their own word; more of them would make the test say little.
INCOMPLETE_SHARE = 0.25
JUDGED_SHARE = 0.5  # the rest is too long for dfs: there it only must not know more


def campaign(context: harness.Context, seeds: range, strategies=oracle.STRATEGIES, incomplete_share: float = INCOMPLETE_SHARE) -> None:
    judge = run.Judge(context.ravel, context.folder, context.compiler, strategies)
    tally = run.Tally()
    for judgement in run.campaign(judge, seeds, run.ALL):
        tally.add(judgement)
        families = ", ".join(judgement.program.chosen)
        context.check(not judgement.mismatches, f"seed {judgement.program.seed} ({families}): {'; '.join(judgement.mismatches)}")
    print(tally.text())
    context.check(tally.programs == len(seeds), f"{tally.programs} programs of {len(seeds)} were judged")
    context.check(tally.judged >= JUDGED_SHARE * tally.programs, f"only {tally.judged} programs were short enough for dfs")
    context.check(tally.incomplete <= incomplete_share * tally.programs, f"{tally.incomplete} programs are incomplete")
    untested = set(run.ALL) - set(tally.by_family)
    context.check(not untested, f"families without a program: {sorted(untested)}")


def judges(context: harness.Context) -> None:
    """The judges themselves: the interpreter on programs whose outcomes are known, and comparisons that must be noticed."""
    x, y = model.Thing("x", "", kind="cell", mask=255), model.Thing("y", "", kind="cell", mask=255)
    one, two = model.Thing("one", "", kind="mutex"), model.Thing("two", "", kind="mutex")

    def outcomes(*threads) -> set:
        ops = tuple((model.Op("", "", steps),) for steps in ((), *threads))
        return interpreter.outcomes(model.Program(0, (x, y, one, two), ops))

    buffering = outcomes((("store", "x", 1), ("load", "y", "a")), (("store", "y", 1), ("load", "x", "b")))
    context.check(len(buffering) == 3 and ("completed", (("a", "0"), ("b", "0"))) not in buffering, f"store buffering: {buffering}")
    lost = {dict(seen)["x"] for _, seen in outcomes((("increment", "x", 1),), (("increment", "x", 1), ("load", "x", "x")))}
    context.check(lost == {"1", "2"}, f"lost update: {lost}")
    crossed = outcomes((("lock", "one"), ("lock", "two"), ("unlock", "two"), ("unlock", "one")),
                       (("lock", "two"), ("lock", "one"), ("unlock", "one"), ("unlock", "two")))
    context.check({kind for kind, _ in crossed} == {"completed", "deadlock"}, f"crossed locks: {crossed}")
    tried = outcomes((("try", "one", "a", (("store", "x", 1), ("unlock", "one"))),), (("lock", "one"), ("load", "x", "b"), ("unlock", "one")))
    context.check(len(tried) == 3, f"tried lock: {tried}")

    polled = outcomes((("poll", "x", 4, "a", 0),), (("store", "x", 1),))
    context.check({dict(seen)["a"] for _, seen in polled} == set("01234"), f"polling loop: {polled}")

    def answer(strategy, values, code=0, complete=True, kind="completed", reason="") -> oracle.Answer:
        return oracle.Answer(strategy, code, complete, 1, frozenset((kind, (("a", value),)) for value in values), reason, "")

    full = answer("dfs", "12")
    for name, answers, expected, good in (
            ("equal", [full, answer("dpor", "12")], None, True),
            ("incomplete with a reason", [full, answer("dpor", "1", 5, False, reason="names it")], None, True),
            ("incomplete without a reason", [full, answer("dpor", "1", 5, False)], None, False),
            ("misses one", [full, answer("dpor", "1")], None, False),
            ("invents one", [full, answer("dpor", "123", 5, False, reason="names it")], None, False),
            ("another kind", [full, answer("dpor", "12", kind="diverged")], None, False),
            ("not deterministic", [full, answer("dpor", "12", 3)], None, False),
            ("crashed tool", [full, answer("dpor", "12", -11)], None, False),
            ("unfinished dfs knows more", [answer("dfs", "12", 5, False, reason="budget"), answer("dpor", "1")], None, False),
            ("all miss what the interpreter knows", [full, answer("dpor", "12")], full.outcomes | {("deadlock", ())}, False)):
        wrong = oracle.compare(answers, expected)[0]
        context.check(not wrong == good, f"{name}: {wrong}")


def few(context: harness.Context) -> None:
    campaign(context, range(FEW))


def many(context: harness.Context) -> None:
    campaign(context, range(1_000_000, 1_000_000 + MANY))


def others(context: harness.Context) -> None:
    """Searches that know fewer operations say so: where value schedules or state matching are complete, they miss nothing."""
    campaign(context, range(7_000_000, 7_000_000 + OTHERS), ("dfs", "dpor", "values", "dfs,match=states"), incomplete_share=0.9)


# Options of a program that change what is searched in a way that a reduced search refuses, and programs that end for other reasons.
REFUSED = ("--faults", "--strategy", "--iterations", "--jobs")
# Their executions take long by nature, or wait in real time.
LONG = {"live_threads", "created_threads", "many_events", "hang", "hour_of_sleep", "large_global", "counter_and_children", "child_processes",
        "spawned_children", "stack_overflow", "long_critical_section"}
SAMPLE = ("atomics", "call_once", "condition_variables", "mutex_kinds", "posix_semaphores", "reader_writer_locks", "spin_barrier_once",
          "static_local_guard", "thread_locals", "two_stage", "lost_update", "ab_ba_deadlock", "lost_wakeup", "rwlock_upgrade")
COUNTED = (("SB",), ("MP",), ("readers", 2), ("cas", 2), ("lockinc", 2, 1), ("trylock",), ("philosophers", 2), ("choosers", 1, 1))
EXECUTIONS = 1000


def judged_alike(context: harness.Context, name: str, program: pathlib.Path, words: tuple, options: list) -> bool:
    """All searches give the same ends; whether one of them could judge."""
    folder = context.folder / f"{name}.asked"
    folder.mkdir(exist_ok=True)
    answers = [oracle.ask(context.ravel, program, list(words), strategy, folder, options, EXECUTIONS) for strategy in oracle.STRATEGIES]
    wrong = [f"{answer.strategy} ended with {answer.code}" for answer in answers if answer.code not in (0, 1, 5)]
    wrong += [f"{answer.strategy} diverged" for answer in answers if any(kind == "diverged" for kind, _ in answer.outcomes)]
    mismatches, incomplete, judged, known = oracle.compare([answer for answer in answers if answer.code in (0, 1, 5)], None, ends=None)
    shown = oracle.Judgement(None, wrong + mismatches, answers, incomplete, judged, known)
    context.check(not shown.mismatches, f"{name}: {'; '.join(shown.mismatches)}", oracle.explained(shown))
    shutil.rmtree(folder, ignore_errors=True)
    return judged


def tree_programs(context: harness.Context):
    """Every program of the tree with its options: name, source, flags, options."""
    for folder in ("programs", "corpus/core", "corpus/detect", "corpus/heap"):
        for source in harness.sources_in(context.sources / folder):
            wanted = harness.expectation_of(source)
            if source.stem not in LONG and not any(word in REFUSED for word in wanted.options) and context.only in source.name:
                yield source, tuple(wanted.notes.get("flags", "").split()), wanted.options


def tree(context: harness.Context, names: tuple | None, counted: tuple) -> None:
    judged = total = 0
    for source, flags, options in tree_programs(context):
        if names is not None and source.stem not in names:
            continue
        program = context.build(source, flags=flags)
        if program is not None:
            total += 1
            judged += judged_alike(context, source.stem, program, (), options)
    program = context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))
    for words in counted if program is not None else ():
        total += 1
        judged += judged_alike(context, "-".join(map(str, words)), program, words, [])
    print(f"{total} programs, {judged} with a judge")
    context.check(names is None or total == len(names) + len(counted), f"only {total} programs of the sample are there")
    context.check(judged > 0, "nothing was judged")


def sample(context: harness.Context) -> None:
    tree(context, SAMPLE, COUNTED)


def whole(context: harness.Context) -> None:
    import exhaustive  # pylint: disable=import-outside-toplevel
    tree(context, None, tuple(words for words, traces in exhaustive.COUNTS if traces <= EXECUTIONS))
