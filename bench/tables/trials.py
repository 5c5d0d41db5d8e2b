# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Trials: one program, one engine, many seeds, each a process of its own; what they cost and what they found."""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"


@dataclasses.dataclass(frozen=True)
class Program:
    """A program of the corpus with its arguments; `places` are the marks of a sequence, `target` that of a failing place."""
    source: str
    arguments: tuple = ()
    places: tuple = ()
    target: str = ""
    defines: tuple = ()
    title: str = ""

    @property
    def name(self) -> str:
        return self.title or f"{pathlib.Path(self.source).stem}({','.join(str(word) for word in self.arguments)})"

    def line(self, mark: str) -> str:
        path = CORPUS / self.source
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.endswith(f"// here: {mark}"):
                return f"{path.name}:{number}"
        raise ValueError(f"{self.source} has no place `{mark}'")


@dataclasses.dataclass
class Trial:
    found: bool
    complete: bool
    states: int
    executions: int
    seconds: float
    megabytes: float
    length: int  # events of the failing execution
    capped: bool
    rounds: int = 0
    events: int = 0  # of all executions


@dataclasses.dataclass(frozen=True)
class Engine:
    title: str
    strategy: str
    states: str  # what a state is
    guided: bool = False
    sliced: bool = False
    facts: bool = False  # goes by static facts
    options: tuple = ()


class Laboratory:
    def __init__(self, ravel: pathlib.Path, folder: pathlib.Path, jobs: int):
        self.ravel, self.folder, self.jobs = ravel, folder, jobs

    def build(self, program: Program) -> pathlib.Path:
        name = "_".join((*pathlib.Path(program.source).with_suffix("").parts, *program.defines)).lower()
        out = self.folder / name
        if not out.exists():
            subprocess.run([self.ravel, "c++", "-std=c++20", "-O1", "-g", *(f"-D{one}" for one in program.defines), f"-I{ROOT / 'include'}",
                            str(CORPUS / program.source), "-o", str(out)], check=True, cwd=self.folder)
            self.analyze(out)
        return out

    def analyze(self, program: pathlib.Path) -> None:
        subprocess.run([self.ravel, "analyze", str(program)], check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def trial(self, program: Program, engine: Engine, seed: int, cap: float, executions: int) -> Trial:
        binary = self.build(program)
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            report = pathlib.Path(scratch) / "report.json"
            command = [self.ravel, "run", "--json", report, "--quiet", "--no-minimize", "--saved", "ignore", "--output", scratch, "--facts",
                       self.folder / ".ravel" / f"{binary.name}.facts", "--strategy", engine.strategy, "--seed", seed, "--time", f"{int(cap * 1000)}ms"]
            if executions:
                command += ["--iterations", executions]
            if engine.guided:
                command += ["--goal", ",".join(program.line(mark) for mark in program.places)]
            if engine.sliced:
                command += ["--target", program.line(program.target)]
            command += engine.options
            if not engine.guided and not engine.sliced and not engine.facts:
                del command[command.index("--facts"):command.index("--facts") + 2]
            began = time.monotonic()
            done = subprocess.Popen([str(word) for word in (*command, binary, *program.arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
            _, _, used = os.wait4(done.pid, 0)
            seconds = time.monotonic() - began
            return self.read(report, engine, seconds, used.ru_maxrss / 1024, cap)

    @staticmethod
    def read(report: pathlib.Path, engine: Engine, seconds: float, megabytes: float, cap: float) -> Trial:
        try:
            run = json.loads(report.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return Trial(False, False, 0, 0, seconds, megabytes, 0, True)
        failures = [finding for finding in run.get("findings", []) if finding["kind"] != "data-race"]
        sliced = run.get("slice", {})
        capped = run["seconds"] >= cap * 0.98
        # Of a search that promises nothing: it ended by itself.
        complete = sliced["verdict"] == "no-error" if sliced else run["complete"] or not capped
        length = failures[0].get("events", 0) if failures else 0
        goals = run.get("values") or {}
        states = goals["points"] if goals else run["states"]
        executions = run["executions"] + (run["abandoned"] + run["blocked"] if goals else 0)
        return Trial(bool(failures) or sliced.get("verdict") == "error", complete, states, executions, run["seconds"], megabytes, length,
                     capped, len(sliced.get("rounds", [])), run["steps"])

    def trials(self, program: Program, engine: Engine, count: int, cap: float, executions: int = 0) -> list:
        self.build(program)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(lambda seed: self.trial(program, engine, seed, cap, executions), range(1, count + 1)))


def spread(values: list, digits: int = 0) -> str:
    """min / avg / max; "-" of nothing."""
    if not values:
        return "-"
    return " / ".join(f"{value:,.{digits}f}".replace(",", " ") for value in (min(values), statistics.mean(values), max(values)))


def mean(values: list, digits: int = 0) -> str:
    return f"{statistics.mean(values):,.{digits}f}".replace(",", " ") if values else "-"
