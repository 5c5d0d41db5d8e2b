# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Exhaustive searches agree: on random programs of every intercepted family, and on all programs of this tree.

`outcomes(dpor) == outcomes(dfs) == outcomes(clock-vector)`, `bounded` shows nothing else, and of simple families an interpreter that
shares no code with the tool says the same. tests/random_programs/README.md has the rules and how to run more of them.
"""
import pathlib
import sys

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random_programs"))
# pylint: disable=wrong-import-position
import interpreter
import model
import oracle
import run
import tree_programs

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


# Of the tree's programs: what CI takes.
SAMPLE = ("call_once", "condition_variables", "mutex_kinds", "posix_semaphores", "reader_writer_locks",
          "static_local_guard", "thread_locals", "two_stage", "lost_update", "ab_ba_deadlock", "lost_wakeup", "rwlock_upgrade",
          *(f"counted-{words}" for words in ("SB", "MP", "readers-3", "cas-2", "lockinc-2-1", "trylock", "choosers-1-1")), "spins-queued-2")
SAMPLE_SHARE, WHOLE_SHARE = 0.75, 0.6  # of the programs that must have been compared with a complete search


def sample(context: harness.Context) -> None:
    cases = [case for case in tree_programs.cases_of(context) if case.name.rpartition("/")[2] in SAMPLE and "guided" not in case.name]
    context.check(len(cases) == len(SAMPLE), f"{len(cases)} programs of a sample of {len(SAMPLE)} are there")
    tally = tree_programs.compare_all(context, cases)
    context.check(tally.compared() >= SAMPLE_SHARE * len(cases), f"only {tally.compared()} of {len(cases)} programs were compared")


def whole(context: harness.Context) -> None:
    cases = tree_programs.cases_of(context)
    tally = tree_programs.compare_all(context, cases)
    context.check(context.only != "" or tally.compared() >= WHOLE_SHARE * len(cases), f"only {tally.compared()} of {len(cases)} programs were compared")
