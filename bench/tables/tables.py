#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The experiments of the guided searches' papers, on the C++ versions of their programs: programs x engines, several trials each.

tables.py [--long] [--only WORD] [--out FOLDER] [--docs FILE]. Writes Markdown, CSV and JSON. Without --long: few trials and a small cap of
time, some minutes in all. "-": no trial found it (or, of whole spaces, none was complete).
"""
import argparse
import csv
import json
import os
import pathlib
import platform
import sys
import tempfile

import trials
from trials import Engine, Program

CHOICES = "choices between threads, seen for the first time"
RANKED = "pairs of a choice and a thread that were ranked"
RANDOM_DFS = Engine("random DFS", "dfs,order=random,match=states", CHOICES)
META = [Engine("meta, distance", "meta", RANKED, guided=True), Engine("meta, random", "meta,by=random", RANKED, guided=True),
        Engine("meta, prefer", "meta,by=prefer", RANKED, guided=True)]
CLOCKS = Engine("clock-vector", "clock-vector", CHOICES)
SHARING = Engine("sharing", "sharing", CHOICES)
BOUNDED = Engine("bounded, 5 preemptions", "bounded,preemptions=5", CHOICES)
BEST_FIRST = Engine("best-first", "best-first", CHOICES)
SLICE = Engine("slice", "slice", CHOICES, sliced=True)
SLICE_SMALL = Engine("slice, small", "slice,start=decisive,grain=both,symmetry=on", CHOICES, sliced=True)

TWO_STAGE, REORDER, WRONG_LOCK = ("first stage done", "second stage read"), ("a set", "b read"), ("update", "other update", "checked")
ABS_LIST, RING, ARY_LIST = ("flag set", "iterator made", "has next", "added", "next"), ("vector", "table", "table", "vector"), ("iterator made", "added", "next")


def guided(source: str, arguments: tuple, places: tuple, title: str) -> Program:
    shown = arguments if len(arguments) == 2 else (1, *arguments)
    return Program(f"guided/{source}.cpp", arguments, places, title=f"{title}({','.join(str(one) for one in shown)})")


TABLE_1 = [guided("two_stage", (n, 1), TWO_STAGE, "TwoStage") for n in (7, 8, 10)] + \
          [guided("reorder", (n, 1), REORDER, "Reorder") for n in (9, 10)] + [guided("wrong_lock", (1, 20), WRONG_LOCK, "Wronglock")] + \
          [guided("abs_list", (n,), ABS_LIST, "AbsList") for n in (7, 8)] + [guided("containment", (n,), RING, "Deadlock") for n in (9, 10)] + \
          [guided("ary_list", (n,), ARY_LIST, "AryList") for n in (5, 8, 9, 10)]
TABLE_2_ALSO = [guided("wrong_lock", (1, 10), WRONG_LOCK, "Wronglock"), guided("reorder", (5, 1), REORDER, "Reorder"),
                guided("reorder", (8, 1), REORDER, "Reorder"), guided("abs_list", (10,), ABS_LIST, "AbsList")]
FIGURE_6 = ("locked", "iterator made", "has next", "added", "next")


def airline(tickets: int, cushion: int) -> Program:
    return Program("guided/airline.cpp", (tickets, cushion), target="check", title=f"Airline({tickets},{cushion})")


def reorder(setters: int, checkers: int) -> Program:
    return Program("guided/reorder.cpp", (setters, checkers), target="check", title=f"Reorder({setters},{checkers})")


def account(business: int, personal: int, define: tuple = ()) -> Program:
    name = f"Account{' fixed' if define else ''}({business},{personal})"
    return Program("guided/account_subtype.cpp", (business, personal), target="check", defines=define, title=name)


class Table:
    def __init__(self, title: str, note: str, columns: list):
        self.title, self.note, self.columns, self.rows = title, note, columns, []

    def markdown(self) -> str:
        lines = [f"## {self.title}", "", self.note, "", "| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in self.rows]) + "\n"


class Experiments:
    def __init__(self, laboratory: trials.Laboratory, long: bool):
        self.laboratory, self.long, self.records = laboratory, long, []

    def measure(self, table: str, program: Program, engine: Engine, count: int, cap: float, executions: int = 0) -> list:
        done = self.laboratory.trials(program, engine, count, cap, executions)
        for number, one in enumerate(done, 1):
            self.records.append({"table": table, "program": program.name, "engine": engine.title, "seed": number, **one.__dict__})
        print(f"{table}: {program.name} {engine.title}: {sum(one.found for one in done)} of {count}", file=sys.stderr, flush=True)
        return done

    def meta(self) -> list:
        """Tables 1 and 2."""
        count, cap = (100, 60) if self.long else (4, 1.5)
        engines = [RANDOM_DFS, *META]
        density = Table("Error density", f"Trials that find the defect, of {count}, each of at most {cap} s. Rungta and Mercer's table 1.",
                        ["program", *(engine.title for engine in engines)])
        states = Table("States until the defect is found", "min / avg / max over the trials that found it; `random DFS` counts "
                       f"{CHOICES}, the others {RANKED}. Rungta and Mercer's table 2.", ["program", *(engine.title for engine in engines)])
        cost = Table("What a trial of `meta, distance` costs", "min / avg / max over the trials that found it; memory is that of the largest process.",
                     ["program", "executions", "seconds", "memory (MB)", "events of the failing execution"])
        for program in TABLE_1 + (TABLE_2_ALSO if self.long else []):
            results = [self.measure("meta", program, engine, count, cap) for engine in engines]
            found = [[one for one in done if one.found] for done in results]
            if program in TABLE_1:
                density.rows.append([program.name, *(f"{len(one) / count:.2f}" for one in found)])
            states.rows.append([program.name, *(trials.spread([one.states for one in done]) for done in found)])
            best = found[1]
            cost.rows.append([program.name, trials.spread([one.executions for one in best]), trials.spread([one.seconds for one in best], 2),
                              trials.spread([one.megabytes for one in best]), trials.spread([one.length for one in best])])
        return [density, states, cost]

    def figure(self) -> list:
        """Figure 6: states by the length of the sequence."""
        count, cap = (100, 60) if self.long else (5, 3)
        size = 10
        table = Table("States by the length of the sequence", f"AryList(1,{size}), `meta, distance`, the last places of {', '.join(FIGURE_6)}; {count} trials of "
                      f"at most {cap} s. Rungta and Mercer's figure 6.", ["places", "density", "states: min / avg / max", "executions: min / avg / max"])
        for length in range(1, len(FIGURE_6) + 1):
            program = guided("ary_list", (size,), FIGURE_6[len(FIGURE_6) - length:], "AryList")
            found = [one for one in self.measure(f"length {length}", program, META[0], count, cap) if one.found]
            table.rows.append([length, f"{len(found) / count:.2f}", trials.spread([one.states for one in found]),
                               trials.spread([one.executions for one in found])])
        return [table]

    def spaces(self) -> list:
        """Table 2.1: whole spaces, sharing against clock vectors."""
        count, cap = (3, 300) if self.long else (1, 5)
        programs = [airline(2, 0), airline(3, 0), *(reorder(n, 0) for n in (1, 2, 3))] + ([airline(4, 0), reorder(4, 0)] if self.long else [])
        engines = [SHARING, CLOCKS]
        table = Table("Whole spaces: sharing against clock vectors", f"Mean of {count}, each of at most {cap} s: seconds / states / % complete. Programs without a "
                      "defect: Ravel ends an execution at its failure. Noonan's table 2.1.", ["program", *(engine.title for engine in engines)])
        for program in programs:
            table.rows.append([program.name, *(self.cell("spaces", program, engine, count, cap, False) for engine in engines)])
        return [table]

    def cell(self, name: str, program: Program, engine: Engine, count: int, cap: float, errors: bool) -> str:
        done = self.measure(name, program, engine, count, cap)
        ended = [one for one in done if (one.found if errors else one.complete and not one.found)]
        if not ended:
            return "- / - / 0"
        return (f"{trials.mean([one.seconds for one in ended], 2)} / {trials.mean([one.states for one in ended])} / "
                f"{100 * len(ended) // count}")

    def slices(self) -> list:
        """Tables 3.2 to 3.5."""
        count, cap = (5, 300) if self.long else (2, 5)
        engines = [CLOCKS, SHARING, BOUNDED, BEST_FIRST, SLICE, SLICE_SMALL]
        columns = ["program", *(engine.title for engine in engines)]
        note = (f"Mean of {count} trials, each of at most {cap} s: seconds / states / % of the trials that ended by themselves. `slice, small` is "
                f"`{SLICE_SMALL.strategy}`.")
        errors = Table("Programs with a defect", note + " Noonan's tables 3.2 to 3.4.", columns)
        clean = Table("Programs without a defect", note + " Noonan's table 3.5. sharing and best-first end without a promise.", columns)
        for program in [account(1, 1), account(4, 1), account(9, 1), airline(1, 1), airline(5, 3), airline(10, 3), reorder(1, 1), reorder(5, 1), reorder(10, 1)]:
            errors.rows.append([program.name, *(self.cell("slice", program, engine, count, cap, True) for engine in engines)])
        for program in [airline(4, 0), reorder(4, 0), account(3, 1, ("FIXED",))]:
            clean.rows.append([program.name, *(self.cell("no error", program, engine, count, cap, False) for engine in engines)])
        return [errors, clean]

    def pairs(self) -> list:
        """The tables of the pairs belong to strategy `values'."""
        listed = os.popen(f"'{self.laboratory.ravel}' list").read()
        if not any(line.split()[:1] == ["values"] for line in listed.splitlines()):
            return []
        import values  # bench/tables/values.py, beside the strategy
        return values.tables(self)


def write(tables: list, experiments: Experiments, out: pathlib.Path, docs: pathlib.Path | None) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "tables.json").write_text(json.dumps(experiments.records, indent=1), encoding="utf-8")
    with (out / "tables.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, experiments.records[0].keys() if experiments.records else ["table"])
        writer.writeheader()
        writer.writerows(experiments.records)
    command = "make tables-long" if experiments.long else "make tables"
    text = ("# Guided searches: the tables of their papers\n\n"
            f"As `{command}` measured them on {os.cpu_count()} cores of {platform.machine()}, {experiments.laboratory.jobs} trials at a time. The programs are C++ versions of "
            "those of Rungta and Mercer (HVC 2008) and of Noonan (BYU 2014), in `tests/corpus/guided`; sizes in brackets are theirs. One definition of a state per engine: "
            f"`meta` counts {RANKED}, all others {CHOICES}. \"-\": no trial.\n\n" + "\n".join(table.markdown() for table in tables))
    (out / "tables.md").write_text(text, encoding="utf-8")
    if docs is not None:
        docs.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ravel", type=pathlib.Path, default=trials.ROOT / "build" / "bin" / "ravel")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="", help="meta, figure, spaces, slices or pairs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=pathlib.Path, default=trials.ROOT / "build" / "tables")
    parser.add_argument("--docs", type=pathlib.Path, help="also as this page")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        experiments = Experiments(trials.Laboratory(arguments.ravel.resolve(), pathlib.Path(folder), arguments.jobs), arguments.long)
        parts = {"meta": experiments.meta, "figure": experiments.figure, "spaces": experiments.spaces, "slices": experiments.slices,
                 "pairs": experiments.pairs}
        tables = [table for name, part in parts.items() if arguments.only in ("", name) for table in part()]
        write(tables, experiments, arguments.out, arguments.docs)
    print((arguments.out / "tables.md").read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
