# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What static facts are worth in a run: executions to the first defect with and without them, and the outcomes of a search that takes its
scheduling points from the pairs."""
import concurrent.futures
import os
import pathlib
import statistics
import sys

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random_programs"))
# pylint: disable=wrong-import-position
import generate
import model
import oracle

FOLDERS = ("core", "guided", "classic", "heap", "values", "noise")
MOST = 20_000  # executions
FEW = 10  # below it is chance which one is the first
OWN_COMMAND = ("slice_example", "marks", "handshake")  # no defect, or one that needs a definition
SAME_OUTCOMES = ("accounts", "wrong_lock", "two_stage", "deadlock_one")
SEARCHED = 4_000  # executions of a search
RANDOM = range(12_000_000, 12_000_200)
BATCH = 5


def first_defect(context: harness.Context, program, seed: int, facts: tuple) -> int:
    folder = context.folder / f"{program.name}.{seed}.{len(facts)}"
    folder.mkdir(exist_ok=True)
    report = folder / "run.json"
    context.tool("run", "--json", report, "--quiet", "--no-minimize", "--seed", seed, "--iterations", MOST, "--output", folder, *facts, program, cwd=folder)
    found = harness.read_json(report).get("findings", [])
    return min((finding["execution"] + 1 for finding in found), default=MOST)


def compared(context: harness.Context, source, seeds: int) -> tuple | None:
    program = context.build(source, flags=("-O1",))
    if program is None or context.tool("analyze", program).code != harness.CLEAN:
        return None
    known = context.folder / ".ravel" / f"{program.name}.facts"
    with_facts = [first_defect(context, program, seed, ("--facts", known)) for seed in range(1, seeds + 1)]
    without = [first_defect(context, program, seed, ("--facts", "none", "--strategy", "portfolio")) for seed in range(1, seeds + 1)]
    return source.stem, statistics.median(with_facts), statistics.median(without)


def judge(context: harness.Context, sources: list, seeds: int) -> None:
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        rows = [row for row in pool.map(lambda source: compared(context, source, seeds), sources) if row is not None]
    rows = [row for row in rows if min(row[1:]) < MOST]  # a defect that neither finds says nothing
    for name, with_facts, without in rows:
        print(f"{name}: {with_facts:g} with facts, {without:g} without")
        context.check(with_facts <= max(2 * without, FEW), f"{name}: {with_facts:g} executions with facts, {without:g} without")
    if rows:
        medians = [statistics.median(row[column] for row in rows) for column in (1, 2)]
        print(f"{len(rows)} programs, median {medians[0]:g} with facts, {medians[1]:g} without")
        context.check(medians[0] <= medians[1], f"median {medians[0]:g} with facts, {medians[1]:g} without")


def corpus_of(context: harness.Context) -> list:
    sources = []
    for folder in FOLDERS:
        sources += [path for path in harness.sources_in(context.sources / "corpus" / folder)
                    if context.only in path.name and path.suffix == ".cpp" and path.stem not in OWN_COMMAND]
    return sources


def sample(context: harness.Context) -> None:
    judge(context, [source for source in corpus_of(context) if source.parent.name == "core"][:6], 1)


def corpus(context: harness.Context) -> None:
    judge(context, corpus_of(context), 5)


def outcomes_of(context: harness.Context, program, words: tuple, points: str, options: tuple, folder) -> tuple:
    """How executions can end, with what they observed; and whether dpor saw all of it."""
    report = folder / f"{points}.json"
    report.unlink(missing_ok=True)
    done = context.tool("outcomes", "--json", report, "--quiet", "--allow-vacuous", "--strategy", "dpor", "--points", points, "--iterations", SEARCHED, "--no-plans",
                        "--output", folder, "--facts", context.folder / ".ravel" / f"{program.name}.facts" if points == "pairs" else "none", *options, "--", program,
                        *words, cwd=folder)
    read = harness.read_json(report)
    return {(row["kind"], tuple(sorted(row["observations"].items()))) for row in read.get("outcomes", [])}, read.get("complete") is True, done


def compare_outcomes(context: harness.Context, name: str, program, words: tuple = (), options: tuple = ()) -> bool:
    folder = context.folder / f"{name}.outcomes"
    folder.mkdir(exist_ok=True)
    pairs, pairs_whole, done = outcomes_of(context, program, words, "pairs", options, folder)
    shared, shared_whole, _ = outcomes_of(context, program, words, "shared", options, folder)
    if pairs_whole and shared_whole:
        context.check(pairs == shared and bool(pairs), f"{name}: outcomes differ, pairs {sorted(pairs - shared)}, shared {sorted(shared - pairs)}", done)
    return pairs_whole and shared_whole


def random_outcomes(context: harness.Context, seeds: range) -> None:
    judged = 0
    for begin in range(seeds.start, seeds.stop, BATCH):
        made = [generate.program(seed, sorted(generate.FAMILIES)) for seed in range(begin, min(begin + BATCH, seeds.stop))]
        source = context.folder / f"random{begin}.cpp"
        source.write_text(model.source_of(made), encoding="utf-8")
        program = context.build(source, flags=("-O0", "-w"))
        if program is None:
            continue
        done = context.tool("analyze", program)
        context.check(done.code == harness.CLEAN, f"random programs {begin}: no facts", done)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            judged += sum(pool.map(lambda index: compare_outcomes(context, f"seed{made[index].seed}", program, (index,), tuple(oracle.options_of(made[index]))),  # pylint: disable=cell-var-from-loop
                                   range(len(made))))
    print(f"{judged} of {len(seeds)} programs were searched whole with both")
    # Of a few programs all may be too large.
    context.check(len(seeds) < 2 * BATCH or judged * 2 >= len(seeds), f"only {judged} of {len(seeds)} programs were searched whole")


def same_outcomes(context: harness.Context) -> None:
    """dpor sees the same ends of executions whether its points are the pairs or everything that is shared."""
    for stem in SAME_OUTCOMES:
        program = context.build(context.sources / "statics" / f"{stem}.cpp", flags=("-O0",))
        if program is not None:
            context.tool("analyze", program)
            context.check(compare_outcomes(context, stem, program), f"{stem}: dpor was not complete")
    random_outcomes(context, RANDOM[:2 * BATCH])


def same_outcomes_many(context: harness.Context) -> None:
    """`--only 12000100-12000200': these seeds alone."""
    random_outcomes(context, harness.seeds_of(context.only, RANDOM))
