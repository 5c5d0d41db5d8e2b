#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The experiments of the guided searches' papers, on the C++ versions of their programs: programs x engines, several trials each.

tables.py [--long] [--only WORDS] [--out FOLDER] [--docs FILE]. Writes Markdown, CSV and JSON. Without --long: few trials and a small cap of
time, some minutes in all. "-": no trial found it (or, of whole spaces, none was complete). With --long every trial is kept in FOLDER/trials.jsonl: a run that was
stopped goes on with what is missing, and a cell that reaches its cap of time has fewer trials, whose number it shows.
"""
import argparse
import csv
import dataclasses
import json
import os
import pathlib
import platform
import sys
import tempfile

import trials
from trials import Engine, Limits, Program

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
FIGURE_6 = [("added",), ("has next", "added"), ("has next", "added", "next"), ("iterator made", "has next", "added", "next"),
            ("locked", "iterator made", "has next", "added", "next"), ("locked", "iterator made", "has next", "add locked", "added", "next")]


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

    def markdown(self, measured: str) -> str:
        lines = [f"## {self.title}", "", f"{self.note} {measured}", "", "| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in self.rows]) + "\n"


class Experiments:
    def __init__(self, laboratory: trials.Laboratory, long: bool, number: int, trial_cap: float, cell_cap: float):
        self.laboratory, self.long, self.trials, self.trial_cap, self.cell_cap, self.records = laboratory, long, number, trial_cap, cell_cap, []

    def measure(self, table: str, program: Program, engine: Engine, limits: Limits) -> list:
        done = self.laboratory.trials(program, engine, limits)
        for number, one in enumerate(done, 1):
            self.records.append({"table": table, "program": program.name, "engine": engine.title, "seed": number, **one.__dict__})
        print(f"{table}: {program.name} {engine.title}: {sum(one.found for one in done)} of {len(done)}", file=sys.stderr, flush=True)
        return done

    def meta(self) -> list:
        """Tables 1 and 2."""
        limits = Limits(self.trials, self.trial_cap, self.cell_cap) if self.long else Limits(4, 1.5)
        engines = [RANDOM_DFS, *META]
        density = Table("Error density", f"Trials that find the defect, of {limits.trials}, each of at most {limits.each} s{self.cell_note()}{', the column of distances has them all' if self.long else ''}. "
                        "Rungta and Mercer's table 1.", ["program", *(engine.title for engine in engines)])
        states = Table("States until the defect is found", "min / avg / max over the trials that found it; if none did, the fewest states of a trial after > . `random DFS` "
                       f"counts {CHOICES}, the others {RANKED}. Rungta and Mercer's table 2.", ["program", *(engine.title for engine in engines)])
        cost = Table("What a trial of `meta, distance` costs", "min / avg / max over the trials that found it; memory is that of the largest process.",
                     ["program", "executions", "seconds", "memory (MB)", "events of the failing execution"])
        for program in TABLE_1 + (TABLE_2_ALSO if self.long else []):
            results = [self.measure("meta", program, engine, self.whole(limits) if engine is META[0] else limits) for engine in engines]
            if program in TABLE_1:
                density.rows.append([program.name, *(self.density(done, limits) for done in results)])
            states.rows.append([program.name, *(self.states(done) for done in results)])
            best = [one for one in results[1] if one.found]
            cost.rows.append([program.name, trials.spread([one.executions for one in best]), trials.spread([one.seconds for one in best], 2),
                              trials.spread([one.megabytes for one in best]), trials.spread([one.length for one in best])])
        return [density, states, cost]

    @staticmethod
    def density(done: list, limits: Limits) -> str:
        if not done:
            return "-"
        share = f"{sum(one.found for one in done) / len(done):.2f}"
        return share if len(done) == limits.trials else f"{share} (of {len(done)})"

    @staticmethod
    def states(done: list) -> str:
        found = [one.states for one in done if one.found]
        return trials.spread(found) if found or not done else "> " + trials.mean([min(one.states for one in done)])

    @staticmethod
    def whole(limits: Limits) -> Limits:
        """Of the engine that the table is about: all trials, which are short."""
        return dataclasses.replace(limits, cell=0)

    def cell_note(self) -> str:
        return f"; after {self.cell_cap:g} s no further trial of a cell begins, the number is then in brackets" if self.long else ""

    def figure(self) -> list:
        """Figure 6: states by the length of the sequence."""
        limits = Limits(self.trials, self.trial_cap) if self.long else Limits(5, 3)
        size = 10
        table = Table("States by the length of the sequence", f"AryList(1,{size}), `meta, distance`, {limits.trials} trials of at most {limits.each} s. Rungta and "
                      "Mercer's figure 6. Which places of the program come first in the sequence was chosen after seeing several; with others the states fall later or less.", ["places", "sequence", "density", "states: min / avg / max", "executions: min / avg / max"])
        for length, places in enumerate(FIGURE_6, 1):
            done = self.measure(f"length {length}", guided("ary_list", (size,), places, "AryList"), META[0], limits)
            table.rows.append([length, ", ".join(places), self.density(done, limits), self.states(done), trials.spread([one.executions for one in done if one.found])])
        return [table]

    def spaces(self) -> list:
        """Table 2.1: whole spaces, sharing against clock vectors."""
        limits = Limits(3, 60, self.cell_cap) if self.long else Limits(1, 5)
        programs = [airline(2, 0), airline(3, 0), *(reorder(n, 0) for n in (1, 2, 3))] + ([airline(4, 0), reorder(4, 0)] if self.long else [])
        engines = [SHARING, CLOCKS]
        table = Table("Whole spaces: sharing against clock vectors", f"Mean of {limits.trials}, each of at most {limits.each} s: seconds / states / % complete{self.cell_note()}. Programs without a "
                      "defect: Ravel ends an execution at its failure. Noonan's table 2.1.", ["program", *(engine.title for engine in engines)])
        for program in programs:
            table.rows.append([program.name, *(self.cell("spaces", program, engine, limits, False) for engine in engines)])
        return [table]

    def cell(self, name: str, program: Program, engine: Engine, limits: Limits, errors: bool) -> str:
        done = self.measure(name, program, engine, limits)
        number = "" if len(done) == limits.trials else f" (of {len(done)})"
        ended = [one for one in done if (one.found if errors else one.complete and not one.found)]
        if not ended:
            return f"- / - / 0{number}" if done else "-"
        return (f"{trials.mean([one.seconds for one in ended], 2)} / {trials.mean([one.states for one in ended])} / "
                f"{100 * len(ended) // len(done)}{number}")

    def slices(self) -> list:
        """Tables 3.2 to 3.5."""
        limits = Limits(5, 60, self.cell_cap) if self.long else Limits(2, 5)
        engines = [CLOCKS, SHARING, BOUNDED, BEST_FIRST, SLICE, SLICE_SMALL]
        columns = ["program", *(engine.title for engine in engines)]
        note = (f"Mean of {limits.trials} trials, each of at most {limits.each} s: seconds / states / % of the trials that ended by themselves{self.cell_note()}. `slice, small` is "
                f"`{SLICE_SMALL.strategy}`.")
        errors = Table("Programs with a defect", note + " Noonan's tables 3.2 to 3.4.", columns)
        clean = Table("Programs without a defect", note + " Noonan's table 3.5. sharing and best-first end without a promise.", columns)
        for program in [account(1, 1), account(4, 1), account(9, 1), airline(1, 1), airline(5, 3), airline(10, 3), reorder(1, 1), reorder(5, 1), reorder(10, 1)]:
            errors.rows.append([program.name, *(self.cell("slice", program, engine, limits, True) for engine in engines)])
        for program in [airline(4, 0), reorder(4, 0), account(3, 1, ("FIXED",))]:
            clean.rows.append([program.name, *(self.cell("no error", program, engine, limits, False) for engine in engines)])
        return [errors, clean]

    def pairs(self) -> list:
        """The tables of the pairs belong to strategy `values'."""
        listed = os.popen(f"'{self.laboratory.ravel}' list").read()
        if not any(line.split()[:1] == ["values"] for line in listed.splitlines()):
            return []
        import values  # bench/tables/values.py, beside the strategy
        return values.tables(self)


HEAD = ("# Guided searches: the tables of their papers\n\n"
        "The programs are C++ versions of those of Rungta and Mercer (HVC 2008), of Noonan (BYU 2014) and of Chen's, in `tests/corpus`; sizes in brackets are theirs. One definition of a state per "
        f"engine: `meta` counts {RANKED}, `values` backtracking points made, all others {CHOICES}. \"-\": no trial. Each table says with which command and where it was measured; "
        "one run replaces the tables that it measures.\n")


def page(tables: list, before: str, measured: str) -> str:
    """The tables of a run in place of those with the same titles; the others stay."""
    sections = dict((text.split("\n", 1)[0], "## " + text.rstrip() + "\n") for text in before.split("\n## ")[1:])
    for table in tables:
        sections[table.title] = table.markdown(measured)
    return "\n".join([HEAD, *sections.values()])


def write(tables: list, experiments: Experiments, out: pathlib.Path, docs: pathlib.Path | None, remark: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "tables.json").write_text(json.dumps(experiments.records, indent=1), encoding="utf-8")
    with (out / "tables.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, experiments.records[0].keys() if experiments.records else ["table"])
        writer.writeheader()
        writer.writerows(experiments.records)
    measured = (f"Measured by `make tables{'-long' if experiments.long else ''}` on {os.cpu_count()} cores of {platform.machine()}, {experiments.laboratory.jobs} trials at a "
                f"time{', ' + remark if remark else ''}.")
    (out / "tables.md").write_text(page(tables, "", measured), encoding="utf-8")
    if docs is not None:
        docs.write_text(page(tables, docs.read_text(encoding="utf-8") if docs.exists() else "", measured), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ravel", type=pathlib.Path, default=trials.ROOT / "build" / "bin" / "ravel")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="", help="of meta, figure, spaces, slices, pairs those in this list, separated by commas")
    parser.add_argument("--trials", type=int, default=100, help="of a cell of tables 1 and 2 and figure 6, with --long")
    parser.add_argument("--trial-cap", type=float, default=10, help="seconds of a trial of tables 1 and 2 and figure 6, with --long")
    parser.add_argument("--cell-cap", type=float, default=120, help="seconds of a cell after which no further trial of it begins, with --long")
    parser.add_argument("--remark", default="", help="to be said of the machine")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=pathlib.Path, default=trials.ROOT / "build" / "tables")
    parser.add_argument("--docs", type=pathlib.Path, help="also as this page")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ledger = arguments.out / "trials.jsonl" if arguments.long else None
        experiments = Experiments(trials.Laboratory(arguments.ravel.resolve(), pathlib.Path(folder), arguments.jobs, ledger), arguments.long, arguments.trials, arguments.trial_cap,
                                  arguments.cell_cap)
        parts = {"meta": experiments.meta, "figure": experiments.figure, "spaces": experiments.spaces, "slices": experiments.slices,
                 "pairs": experiments.pairs}
        tables = [table for name, part in parts.items() if not arguments.only or name in arguments.only.split(",") for table in part()]
        write(tables, experiments, arguments.out, arguments.docs, arguments.remark)
    print((arguments.out / "tables.md").read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
