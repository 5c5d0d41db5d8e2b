# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""All programs of this tree that exhaustive searches can be asked about, and the comparison of what the searches say of each.

Each program has about the same work in each search, whatever an execution of it costs: a search that does not end within it is no judge,
but nothing that it has seen may be unknown to one that calls itself complete.
"""
from __future__ import annotations

import dataclasses
import pathlib
import re
import resource
import shutil
import sys

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random_programs"))
# pylint: disable=wrong-import-position
import oracle

REFUSED = "--faults"  # by reduced searches
OTHER_SEARCH = {"--strategy", "--iterations", "--jobs", "--seed"}  # of a program's own options, with their values
# They wait in real time, or never end.
WAITING = {"hang", "hour_of_sleep", "counter_and_children", "child_processes", "spawned_children", "stack_overflow", "polite_livelock"}
# Executions of a search, in rounds: the next begins when this one took no more than SHORT seconds of processor time. A number alone is no bound of
# work, since a search may make a thread spin for long in some executions and in others not at all.
ROUNDS, SHORT = (6, 30, 120, 480, 1_920), 0.2
BUDGET, USED_UP = "the budget ended", 0.8  # the tool's word for it; a search that cannot cover everything says that instead
# What is known to be missed, and why. An entry that is no longer true is an error too.
KNOWN: dict[str, str] = {}
COMMENTED = ("programs", "corpus/core", "corpus/detect", "corpus/heap", "corpus/faults")  # what to expect stands in comments
DESCRIBED = ("corpus/classic", "corpus/noise", "corpus/values")  # in NAME.expect.json
PLAIN = ("corpus/guided",)


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    source: pathlib.Path
    words: tuple = ()
    flags: tuple = ()
    libraries: tuple = ()
    options: tuple = ()

    def reason_to_skip(self) -> str:
        if self.source.stem in WAITING:
            return "waits in real time"
        return f"has {REFUSED}" if REFUSED in self.options else ""


def without_search(options: list[str]) -> tuple:
    return tuple(word for at, word in enumerate(options) if word not in OTHER_SEARCH and (at == 0 or options[at - 1] not in OTHER_SEARCH))


def of_folders(sources: pathlib.Path):
    for folder in COMMENTED:
        for source in harness.sources_in(sources / folder):
            wanted = harness.expectation_of(source)
            yield Case(f"{folder}/{source.stem}", source, flags=tuple(wanted.notes.get("flags", "").split()), options=without_search(wanted.options))
    for folder in DESCRIBED:
        for source in harness.sources_in(sources / folder):
            rows = harness.read_json(source.with_suffix(".expect.json")).get("arguments") or [[]]
            yield Case(f"{folder}/{source.stem}", source, words=tuple(rows[0]))
    for folder in PLAIN:
        for source in harness.sources_in(sources / folder):
            yield Case(f"{folder}/{source.stem}", source)


def of_arguments(sources: pathlib.Path):
    """Programs of which the arguments say what they do."""
    import exhaustive  # pylint: disable=import-outside-toplevel
    folder = sources / "exhaustive"
    rows = [("counted", words) for words, traces in exhaustive.COUNTS if traces < ROUNDS[-1]]
    rows += [("structures", words) for words, _ in exhaustive.AWAITS]
    rows += [("spins", row[:2]) for row in exhaustive.SPINS] + [("phases", row[0]) for row in exhaustive.PHASES]
    for name, words in rows:
        yield Case(f"exhaustive/{name}-" + "-".join(map(str, words)), folder / f"{name}.cpp", words, flags=("-O1",), libraries=("-lpthread",))


def cases_of(context: harness.Context) -> list[Case]:
    """With `--only FIRST-LAST' those of these numbers, else those whose name contains its text."""
    cases = [*of_folders(context.sources), *of_arguments(context.sources)]
    if re.fullmatch(r"\d+-\d+", context.only):
        numbers = harness.seeds_of(context.only, range(0))
        return cases[numbers.start : numbers.stop]
    return [case for case in cases if context.only in case.name]


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask(context: harness.Context, case: Case, program: pathlib.Path, strategy: str, folder: pathlib.Path) -> oracle.Answer:
    """What a search says that has ended, or has had its share of work."""
    for executions in ROUNDS:
        begin = processor_time()
        answer = oracle.ask(context.ravel, program, list(case.words), strategy, folder, [*case.options, "--no-plans"], executions)
        ended = answer.complete or (BUDGET not in answer.reason and answer.executions < USED_UP * executions)
        if ended or processor_time() - begin > SHORT:
            break
    return answer


def ask_all(context: harness.Context, case: Case, program: pathlib.Path) -> list[oracle.Answer]:
    """dpor first: the others have no fewer executions, so that they need not begin when the work is too little for it."""
    folder = context.folder / "asked"
    folder.mkdir(exist_ok=True)
    answers = []
    for strategy in sorted(oracle.STRATEGIES, key=lambda name: name != "dpor"):
        answers.append(ask(context, case, program, strategy, folder))
        if BUDGET in answers[0].reason:
            break
    shutil.rmtree(folder, ignore_errors=True)
    return answers


@dataclasses.dataclass
class Tally:
    """How the programs were judged."""
    judged: list[str] = dataclasses.field(default_factory=list)  # dfs ended
    reduced: list[str] = dataclasses.field(default_factory=list)  # a reduced search ended, dfs did not
    open: list[str] = dataclasses.field(default_factory=list)  # no search ended
    skipped: list[str] = dataclasses.field(default_factory=list)

    def compared(self) -> int:
        return len(self.judged) + len(self.reduced)

    def text(self) -> str:
        total = self.compared() + len(self.open)
        lines = [f"{total} programs: {len(self.judged)} judged by dfs, {len(self.reduced)} by a reduced search alone, "
                 f"{len(self.open)} exceeded the budget in every search; "
                 f"{len(self.skipped)} are not for reduced searches"]
        for title, names in (("exceeded", self.open), ("skipped", self.skipped)):
            lines += [f"{title}: {', '.join(names)}"] if names else []
        return "\n".join(lines)


def compare(context: harness.Context, case: Case, program: pathlib.Path, tally: Tally) -> None:
    """All searches give the same ends."""
    answers = ask_all(context, case, program)
    wrong = [f"{answer.strategy} ended with {answer.code}" for answer in answers if answer.code not in (0, 1, 5)]
    wrong += [f"{answer.strategy} diverged" for answer in answers if any(kind == "diverged" for kind, _ in answer.outcomes)]
    mismatches, incomplete, judged, expected = oracle.compare([answer for answer in answers if answer.code in (0, 1, 5)], None, ends=None)
    shown = oracle.Judgement(None, wrong + mismatches, answers, incomplete, judged, expected)
    known = case.name in KNOWN
    context.check(bool(shown.mismatches) == known, f"{case.name}: {'; '.join(shown.mismatches) or 'no longer wrong'}", oracle.explained(shown))
    ended = any(answer.complete for answer in answers)
    (tally.judged if judged else tally.reduced if ended else tally.open).append(case.name)
    row = ", ".join(f"{answer.strategy} {answer.executions}{'' if answer.complete else '+'}" for answer in answers)
    print(f"{processor_time():6.0f} s  {case.name}: {row}; {len(answers[0].outcomes)} outcomes", flush=True)


def compare_all(context: harness.Context, cases: list[Case]) -> Tally:
    tally = Tally()
    built = {}
    for case in cases:
        if reason := case.reason_to_skip():
            tally.skipped.append(f"{case.name} ({reason})")
            continue
        what = (case.source, case.flags, case.libraries)
        if what not in built:
            built[what] = context.build(case.source, name=case.name.replace("/", "."), flags=case.flags, libraries=case.libraries)
        program = built[what]
        if program is not None:
            compare(context, case, program, tally)
    print(tally.text())
    return tally
