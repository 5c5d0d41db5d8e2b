# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Value schedules: the shape of Chen's tables 4.2 and 6.2 to 6.5, on the programs of tests/corpus/values/suite.json."""
import json
import math
import time

import tables as frame
import trials
from trials import Engine, Limits, Program

POINTS = "backtracking points made"
VALUES = Engine("values", "values", POINTS, facts=True)
DFS = Engine("values, order=dfs", "values,order=dfs", POINTS, facts=True)
BASELINE = Engine("sharing, by=escape", "sharing,by=escape", frame.CHOICES, options=("--points", "shared"))
OTHERS = [Engine("dpor", "dpor", ""), Engine("random", "random", ""), Engine("default", "portfolio", "")]
EXCEPTIONAL = ("raxextend", "RW-deadlock", "account-subtype")
# Of a trial, the column's title, decimals.
WHAT = (("states", "states", 0), ("events", "events", 0), ("total", "seconds with analysis", 2), ("seconds", "seconds without", 2))
GROUPS = {"K": "kernel", "R": "real", "B": "benchmark"}


KINDS = ("RW", "MM", "WM", "WN")
LOOP = "threads that one loop makes are one class here, and are unrolled there"
LIBRARY = "std::thread and std::vector are code like any other here"
TABLE_4_2 = {
    "twostage": ((0, 2, 0, 0), LOOP), "wronglock": ((5, 0, 0, 0), LOOP), "producerconsumer": ((41, 44, 54, 54), LOOP),
    "blockbarrier": ((0, 6, 12, 12), LOOP), "reorder": ((20, 0, 0, 0), LOOP), "deadlock.d1": ((0, 2, 0, 0), LIBRARY),
    "deadlock.d2": ((0, 4, 0, 0), "the analysis distinguishes the two locks"), "diningphilosopher": ((0, 40, 0, 0), LOOP),
    "losenotify": ((0, 1, 1, 1), LIBRARY), "clean": ((7, 2, 2, 2), "counters are atomic here: a raise is one access"),
    "nestedmonitor": ((0, 2, 2, 2), "inner semaphores are locks and conditions of their own here"), "alarmclock": ((16, 6, 4, 2), LOOP),
    "raxextend": ((10, 35, 0, 0), LOOP), "daisy": ((1, 45, 12, 2), "a file system of another size"), "RW-deadlock": ((51, 52, 36, 12), LOOP),
    "RW-exception": ((51, 52, 36, 12), LOOP), "replicatedworker": ((545, 1100, 640, 295), "a program of another size, and " + LOOP),
    "boundedbuffer": ((0, 28, 56, 56), LOOP), "linkedlist": ((144, 0, 0, 0), LOOP), "piper": ((0, 496, 992, 992), LOOP),
    "account-race": ((1890, 1210, 0, 0), LOOP), "account-deadlock": ((0, 1210, 0, 0), LOOP), "account-subtype": ((2040, 490, 0, 0), LOOP),
}


def suite() -> list:
    rows = json.loads((trials.CORPUS / "values" / "suite.json").read_text(encoding="utf-8"))
    return [(row["group"], Program(row["source"], tuple(row["arguments"]), title=row["name"])) for row in rows]


def number(value: float, digits: int = 0) -> str:
    return f"{value:,.{digits}f}".replace(",", " ")


def cell(one, what: str, digits: int = 0) -> str:
    """TO: the cap came first."""
    value = number(getattr(one, what), digits)
    return value if one.found else f"TO ({value})"


def ratio(mine, other, what: str) -> float:
    return getattr(other, what) / max(getattr(mine, what), 0.001 if what in ("seconds", "total") else 1)


def ratio_text(mine, other, what: str) -> str:
    if not mine.found:
        return "-"
    return f"{'' if other.found else '> '}{number(ratio(mine, other, what), 2)}"


def geometric(values: list) -> str:
    return number(math.exp(sum(math.log(value) for value in values) / len(values)), 2) if values else "-"


def arithmetic(values: list) -> str:
    return number(sum(values) / len(values), 2) if values else "-"


def sums(table, ratios: dict) -> None:
    """Rows below the programs: means of the ratios, without the exceptional ones."""
    everything = [row for rows in ratios.values() for row in rows]
    for mean, text in ((arithmetic, "mean"), (geometric, "geometric mean")):
        for group, rows in [*ratios.items(), ("all", everything)]:
            means = [mean([max(row[i], 1e-6) for row in rows]) for i in range(len(WHAT))]
            row = [f"{text}, {GROUPS.get(group, 'all')} ({len(rows)})"]
            for one in means:
                row += ["", "", one]
            table.rows.append(row)


def compare(experiments, programs: list, cap: float) -> list:
    columns = ["program"]
    for _, title, _ in WHAT:
        columns += [f"{title}, values", f"{title}, baseline", "ratio"]
    table = frame.Table("Value schedules against heap reachability", f"One run each until the first defect, at most {cap} s; TO: the cap came first, with what was done until then. States: of `values` "
                        f"{POINTS}, of the baseline (`sharing,by=escape --points shared`) {frame.CHOICES}. Of `values` all searches and dropped goals are counted; a point that is made again after "
                        f"starting over is one state, and the failing execution has none. No state (the first execution fails) counts as one. Ratios baseline / values; `>`: the baseline did not end. Means without {', '.join(EXCEPTIONAL)}. Chen's tables 6.2 to 6.5. `RW-exception` runs two rounds instead of 100, with which neither search ends.", columns)
    ratios = {}
    for group, program in programs:
        mine = experiments.measure("values", program, VALUES, Limits(1, cap))[0]
        other = experiments.measure("values", program, BASELINE, Limits(1, cap))[0]
        for one in (mine, other):
            one.total = one.seconds + (one.analysis if one is mine else 0.0)
        row = [f"{program.name} ({group})"]
        for what, _, digits in WHAT:
            row += [cell(mine, what, digits), cell(other, what, digits), ratio_text(mine, other, what)]
        table.rows.append(row)
        if mine.found and program.name not in EXCEPTIONAL:
            ratios.setdefault(group, []).append([ratio(mine, other, what) for what, _, _ in WHAT])
    sums(table, ratios)
    return [table]


def first_defects(experiments, programs: list, cap: float) -> list:
    engines = [VALUES, DFS, *OTHERS]
    table = frame.Table("Executions until the first defect", f"One run each, at most {cap} s. Of `values` abandoned and repeated ones are counted too.",
                        ["program", *(engine.title for engine in engines)])
    for _, program in programs:
        table.rows.append([program.name, *(cell(experiments.measure("first", program, engine, Limits(1, cap))[0], "executions") for engine in engines)])
    return [table]


def static_pairs(experiments, programs: list) -> list:
    table = frame.Table("Static pairs", "As `ravel analyze` finds them, operations by call site and class of threads, beside Chen's table 4.2 (TO: his analysis did not end; of these table 4.3).",
                        ["program", *(f"{kind}{of}" for kind in KINDS for of in ("", ", Chen")), "seconds", "why they differ"])
    for _, program in programs:
        binary = experiments.laboratory.build(program)
        began = time.monotonic()
        experiments.laboratory.analyze(binary)
        seconds = time.monotonic() - began
        facts = json.loads((experiments.laboratory.folder / ".ravel" / f"{binary.name}.facts").read_text(encoding="utf-8"))
        pairs = {(group["kind"], *sorted((a, b))) for group in facts["pairs"] for a in group["first"] for b in group["second"]}
        found = [kind for kind, _, _ in pairs]
        theirs, why = TABLE_4_2[program.name]
        mine = tuple(found.count(kind) for kind in KINDS)
        row = [program.name]
        for pair in zip(mine, theirs):
            row += pair
        table.rows.append([*row, f"{seconds:.2f}", "" if mine == theirs else why])
    return [table]


def tables(experiments) -> list:
    cap = 60 if experiments.long else 20
    programs = suite()
    return compare(experiments, programs, cap) + first_defects(experiments, programs, cap) + static_pairs(experiments, programs)
