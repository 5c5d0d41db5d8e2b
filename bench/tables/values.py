# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Value schedules: the shape of Chen's tables 4.2 and 6.2 to 6.5, on the programs of tests/corpus/values/suite.json."""
import json
import math
import time

import tables as frame
import trials
from trials import Engine, Program

POINTS = "backtracking points made"
VALUES = Engine("values", "values", POINTS, facts=True)
DFS = Engine("values, order=dfs", "values,order=dfs", POINTS, facts=True)
BASELINE = Engine("sharing, by=escape", "sharing,by=escape", frame.CHOICES, options=("--points", "shared"))
OTHERS = [Engine("dpor", "dpor", ""), Engine("random", "random", ""), Engine("default", "portfolio", "")]
EXCEPTIONAL = ("raxextend", "RW-deadlock", "account-subtype")
GROUPS = {"K": "kernel", "R": "real", "B": "benchmark"}


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
    return getattr(other, what) / max(getattr(mine, what), 0.001 if what == "seconds" else 1)


def ratio_text(mine, other, what: str) -> str:
    if not mine.found or getattr(mine, what) == 0:
        return "-"
    return f"{'' if other.found else '> '}{number(ratio(mine, other, what), 2)}"


def geometric(values: list) -> str:
    return number(math.exp(sum(math.log(value) for value in values) / len(values)), 2) if values else "-"


def compare(experiments, programs: list, cap: float) -> list:
    columns = ["program"]
    for what in ("states", "events", "seconds"):
        columns += [f"{what}, values", f"{what}, baseline", "ratio"]
    table = frame.Table("Value schedules against heap reachability", f"One run each until the first defect, at most {cap} s; TO: the cap came first, with what was done until then. States: of `values` "
                        f"{POINTS}, of the baseline (`sharing,by=escape --points shared`) {frame.CHOICES}. A search that starts over counts its points anew: 0 means that the defect came with something new, and has no ratio. Events of all executions that count. Seconds without analysis. Ratios baseline / values; "
                        "`>`: the baseline did not end. Chen's tables 6.2 to 6.5.", columns)
    ratios = {}
    for group, program in programs:
        mine = experiments.measure("values", program, VALUES, 1, cap)[0]
        other = experiments.measure("values", program, BASELINE, 1, cap)[0]
        row = [f"{program.name} ({group})"]
        for what, digits in (("states", 0), ("events", 0), ("seconds", 2)):
            row += [cell(mine, what, digits), cell(other, what, digits), ratio_text(mine, other, what)]
        table.rows.append(row)
        if mine.found and mine.states != 0 and program.name not in EXCEPTIONAL:
            ratios.setdefault(group, []).append([ratio(mine, other, what) for what in ("states", "events", "seconds")])
    for group, rows in [*ratios.items(), ("all", [row for rows in ratios.values() for row in rows])]:
        means = [geometric([max(row[i], 1e-6) for row in rows]) for i in range(3)]
        table.rows.append([f"geometric mean, {GROUPS.get(group, group)}", "", "", means[0], "", "", means[1], "", "", means[2]])
    return [table]


def first_defects(experiments, programs: list, cap: float) -> list:
    engines = [VALUES, DFS, *OTHERS]
    table = frame.Table("Executions until the first defect", f"One run each, at most {cap} s. Of `values` abandoned and repeated ones are counted too.",
                        ["program", *(engine.title for engine in engines)])
    for _, program in programs:
        table.rows.append([program.name, *(cell(experiments.measure("first", program, engine, 1, cap)[0], "executions") for engine in engines)])
    return [table]


def static_pairs(experiments, programs: list) -> list:
    table = frame.Table("Static pairs", "As `ravel analyze` finds them, operations by call site and class of threads; threads that one loop makes are one class. Chen's table 4.2.",
                        ["program", "RW", "MM", "WM", "WN", "seconds"])
    for _, program in programs:
        binary = experiments.laboratory.build(program)
        began = time.monotonic()
        experiments.laboratory.analyze(binary)
        seconds = time.monotonic() - began
        facts = json.loads((experiments.laboratory.folder / ".ravel" / f"{binary.name}.facts").read_text(encoding="utf-8"))
        kinds = [pair["kind"] for pair in facts["pairs"]]
        table.rows.append([program.name, *(kinds.count(kind) for kind in ("RW", "MM", "WM", "WN")), f"{seconds:.2f}"])
    return [table]


def tables(experiments) -> list:
    cap = 60 if experiments.long else 4
    programs = suite()
    return compare(experiments, programs, cap) + first_defects(experiments, programs, cap) + static_pairs(experiments, programs)
