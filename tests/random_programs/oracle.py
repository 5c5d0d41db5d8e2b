# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Runs one program under several searches and judges what they say: all exhaustive searches see the same outcomes."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import subprocess

import interpreter
import model

EXECUTIONS = 4_000  # of one search; a search that does not end within it is no judge, but all it has seen must be known to the others
BOUNDED = 1_000  # of bounded, which is no judge
WATCHDOG = 900  # seconds, for a tool that hangs
STRATEGIES = ("dfs", "dpor", "clock-vector", "bounded")
ENDS = {"completed", "deadlock"}  # of a correct program
CLEAN, DEFECT, INCOMPLETE = 0, 1, 5
# Running each outcome again in a fresh process costs more than the searches: every so many programs, and only what dpor has found.
REPLAYED = 4


@dataclasses.dataclass(frozen=True)
class Answer:
    """What one search says of one program."""
    strategy: str
    code: int
    complete: bool
    executions: int
    outcomes: frozenset
    reason: str
    text: str

    def wrong(self, ends: set | None = None) -> str:
        """A verdict that no correct program deserves; `ends`: how it may end."""
        if self.code not in (CLEAN, DEFECT, INCOMPLETE):
            return f"{self.strategy} ended with {self.code}"
        if "not deterministic" in self.reason:
            return f"{self.strategy} calls it not deterministic"
        strange = {kind for kind, _ in self.outcomes} - (ends or set())
        if strange and ends is not None:
            return f"{self.strategy} invents {', '.join(sorted(strange))}"
        if self.code == INCOMPLETE and not self.reason:
            return f"{self.strategy} is incomplete without a reason"
        return ""


def outcomes_of(report: dict) -> frozenset:
    return frozenset((row["kind"], tuple(sorted(row["observations"].items()))) for row in report.get("outcomes", []))


def ask(ravel: pathlib.Path, binary: pathlib.Path, words: list, strategy: str, folder: pathlib.Path, options: list,
        executions: int = EXECUTIONS) -> Answer:
    report = folder / f"{strategy}.json"
    report.unlink(missing_ok=True)
    command = [ravel, "outcomes", "--json", report, "--color", "never", "--quiet", "--allow-vacuous", "--strategy", strategy, "--points", "shared",
               "--iterations", executions, "--output", folder / "plans", *options, "--", binary, *words]
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=WATCHDOG, check=False)
        code, text = done.returncode, (done.stdout + done.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired:
        code, text = -1000, "(the watchdog ended it)"
    try:
        read = json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        read = {}
    return Answer(strategy, code, read.get("complete") is True, read.get("executions", 0), outcomes_of(read),
                  read.get("reason", "") or read.get("strategy_note", ""), text)


@dataclasses.dataclass
class Judgement:
    program: model.Program | None
    mismatches: list[str]
    answers: list[Answer]
    incomplete: list[str]  # strategies that say themselves that something is missing, with their reasons
    judged: bool  # dfs or the interpreter knows everything
    expected: frozenset = frozenset()


def compare(answers: list[Answer], expected: frozenset | None, ends: set | None = ENDS) -> tuple[list[str], list[str], bool, frozenset]:
    """Mismatches, incomplete searches, whether there was a judge, and what the judge says."""
    wrong = [answer.wrong(ends) for answer in answers if answer.wrong(ends)]
    incomplete = []
    complete = [answer for answer in answers if answer.complete and not answer.wrong(ends)]
    judge = expected if expected is not None else next((answer.outcomes for answer in complete if answer.strategy == "dfs"), None)
    named = "the interpreter" if expected is not None else "dfs"
    for answer in answers:
        if answer.wrong(ends):
            continue
        if not answer.complete:
            incomplete.append(f"{answer.strategy}: {answer.reason}")
        if judge is not None and answer.outcomes - judge:
            wrong.append(f"{answer.strategy} shows {len(answer.outcomes - judge)} outcomes that {named} does not know")
        if judge is not None and answer.complete and judge - answer.outcomes:
            wrong.append(f"{answer.strategy} calls itself complete and misses {len(judge - answer.outcomes)} outcomes of {named}")
    for answer in complete:  # without a judge: whoever is complete has seen what anybody has
        for other in answers:
            if judge is None and not other.wrong(ends) and other.outcomes - answer.outcomes:
                wrong.append(f"{answer.strategy} calls itself complete and misses {len(other.outcomes - answer.outcomes)} outcomes of {other.strategy}")
    # Both run each trace exactly once.
    counts = {answer.strategy: answer.executions for answer in complete if answer.strategy in ("dpor", "values")}
    if len(set(counts.values())) > 1:
        wrong.append(f"dpor and values have different numbers of schedules: {counts}")
    return wrong, incomplete, judge is not None, judge or frozenset()


def options_of(program: model.Program) -> list[str]:
    options = ["--timeouts", "adversarial"] if program.adversarial else []
    return options if program.lifecycle else [*options, "--points-exclude", "lifecycle"]


def judge(ravel: pathlib.Path, binary: pathlib.Path, index: int, program: model.Program, folder: pathlib.Path,
          strategies=STRATEGIES) -> Judgement:
    folder.mkdir(parents=True, exist_ok=True)
    bare = ["--no-plans"]
    plans = {"dpor": [] if program.seed % REPLAYED == 0 else bare}
    budget = {"bounded": BOUNDED}
    answers = [ask(ravel, binary, [index], strategy, folder, options_of(program) + plans.get(strategy, bare), budget.get(strategy, EXECUTIONS))
               for strategy in strategies]
    expected = None
    if interpreter.knows(program):
        try:
            expected = frozenset(interpreter.outcomes(program))
        except interpreter.TooLarge:
            pass
    wrong, incomplete, judged, known = compare(answers, expected)
    return Judgement(program, wrong, answers, incomplete, judged, known)


def shown(outcome: tuple) -> str:
    kind, observations = outcome
    return f"{kind}  " + " ".join(f"{name}={value}" for name, value in observations)


def explained(judgement: Judgement, limit: int = 12) -> str:
    """What each search says, as text."""
    lines = [f"  {line}" for line in judgement.mismatches]
    everything = frozenset().union(judgement.expected, *(answer.outcomes for answer in judgement.answers))
    for answer in judgement.answers:
        state = "complete" if answer.complete else f"incomplete ({answer.reason})"
        lines.append(f"  {answer.strategy}: {len(answer.outcomes)} outcomes, {answer.executions} executions, exit code {answer.code}, {state}")
        missing = sorted(shown(outcome) for outcome in everything - answer.outcomes)
        lines += [f"    not seen: {line}" for line in missing[:limit]]
        if answer.wrong(ENDS):
            lines += [f"    {line}" for line in answer.text.splitlines()[:25]]
    return "\n".join(lines)
