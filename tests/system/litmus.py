# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Small programs (tests/litmus) whose outcomes are the same for every search that calls itself complete: dpor, clock-vector, dfs.

dfs runs every schedule and knows nothing of dependence, so it is the oracle. "Not deterministic" is wrong for all of them.
"""
import pathlib
import re

import harness

INCONCLUSIVE = 5
STRATEGIES = ("dfs", "clock-vector", "dpor")
BUDGET = 20_000


def notes_of(source: pathlib.Path) -> dict[str, str]:
    return dict(re.findall(r"^// ([a-z-]+): (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE))


def outcomes(context: harness.Context, program: pathlib.Path, strategy: str, options: list[str]):
    report = context.folder / "outcomes.json"
    report.unlink(missing_ok=True)
    done = context.tool("outcomes", "--json", report, "--color", "never", "--strategy", strategy, "--iterations", BUDGET, *options, "--",
                        program, timeout=600)
    found = harness.read_json(report)
    seen = {(row["kind"], *sorted(row["observations"].items())) for row in found.get("outcomes", [])}
    return done, found, seen


def says_not_deterministic(done: harness.Finished) -> bool:
    return "not deterministic" in done.out + done.err or "nondeterminis" in done.out + done.err


def check_program(context: harness.Context, source: pathlib.Path) -> None:
    notes = notes_of(source)
    program = context.build(source, flags=("-O1",), libraries=("-lpthread",))
    if program is None:
        return
    name = source.stem
    options = notes.get("options", "").split()
    expected = notes.get("expect", "").split()
    incomplete = {"not-complete": {"dpor"}, "incomplete-by-all": set(STRATEGIES)}[expected[0]] if expected else set()
    known = None
    for strategy in notes.get("strategies", " ".join(STRATEGIES)).split():
        done, report, seen = outcomes(context, program, strategy, options)
        context.check(not says_not_deterministic(done), f"{name}, {strategy}: called not deterministic", done)
        complete = report.get("complete")
        if strategy in incomplete:
            context.check(complete is False and done.code != harness.CLEAN, f"{name}, {strategy}: complete: {complete}", done)
            for word in expected[1:]:
                context.check(word in done.out + done.err, f"{name}, {strategy}: '{word}' is not named", done)
            continue
        context.check(complete is True, f"{name}, {strategy}: complete: {complete}", done)
        if known is None:
            known = seen
            if "outcomes" in notes:
                context.check(len(seen) == int(notes["outcomes"]), f"{name}: {len(seen)} outcomes, expected {notes['outcomes']}", done)
        else:
            context.check(seen == known, f"{name}, {strategy}: missing {sorted(known - seen)}, invented {sorted(seen - known)}", done)


def group(context: harness.Context) -> None:
    for source in context.taken(sorted((context.sources / "litmus").glob("*.cpp"))):
        check_program(context, source)
