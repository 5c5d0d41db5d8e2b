# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Trials: one program, one engine, many seeds, each a process of its own; what they cost and what they found."""
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
ATTEMPTS = 5  # at a trial that the machine disturbs


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
    wall: float = 0  # seconds of the whole process, with starting and confirming
    analysis: float = 0.0  # seconds that the static facts took
    disturbed: bool = False  # no execution at all, or a defect that there was no time left to confirm: a busy machine, not the search


@dataclasses.dataclass(frozen=True)
class Engine:
    title: str
    strategy: str
    states: str  # what a state is
    guided: bool = False
    sliced: bool = False
    facts: bool = False  # goes by static facts
    options: tuple = ()


@dataclasses.dataclass(frozen=True)
class Limits:
    """Of one cell of a table: how many trials, seconds of each, seconds after which no further one begins (0: none), executions of each (0: any)."""
    trials: int
    each: float
    cell: float = 0
    executions: int = 0


class Ledger:
    """Trials that are done, one line of JSON each, written at once: a run that was stopped goes on where it was. Those of another build of the tool do not count."""

    def __init__(self, path: pathlib.Path | None, tool: pathlib.Path):
        self.path, self.known, self.lock = path, {}, threading.Lock()
        if path is None:
            return
        digest = hashlib.sha256()
        for part in (tool, tool.parent.parent / "lib" / "libravel_rt.so"):
            digest.update(part.read_bytes())
        self.tool = digest.hexdigest()[:16]
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if text and not text.endswith("\n"):
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")
        for line in text.splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue  # the line that the run was stopped at
            if row["tool"] == self.tool:
                self.known[row["key"]] = Trial(**row["trial"])

    def find(self, key: str) -> Trial | None:
        return self.known.get(key)

    def add(self, key: str, trial: Trial) -> None:
        if self.path is None:
            return
        with self.lock, self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tool": self.tool, "key": key, "trial": trial.__dict__}) + "\n")


class Laboratory:
    def __init__(self, ravel: pathlib.Path, folder: pathlib.Path, jobs: int, ledger: pathlib.Path | None = None):
        self.ravel, self.folder, self.jobs = ravel, folder, jobs
        self.ledger = Ledger(ledger, ravel)

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
                command += ["--past-goal", "--goal", ",".join(program.line(mark) for mark in program.places)]
            if engine.sliced:
                command += ["--target", program.line(program.target)]
            command += engine.options
            if not engine.guided and not engine.sliced and not engine.facts:
                del command[command.index("--facts"):command.index("--facts") + 2]
            (self.folder / ".ravel" / f"{binary.name}.pairs").unlink(missing_ok=True)  # what an earlier run has learned must not help
            began = time.monotonic()
            done = subprocess.Popen([str(word) for word in (*command, binary, *program.arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
            _, _, used = os.wait4(done.pid, 0)
            seconds = time.monotonic() - began
            trial = self.read(report, engine, seconds, used.ru_maxrss / 1024, cap)
            trial.wall = seconds
            return trial

    @staticmethod
    def read(report: pathlib.Path, engine: Engine, seconds: float, megabytes: float, cap: float) -> Trial:
        try:
            run = json.loads(report.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return Trial(False, False, 0, 0, seconds, megabytes, 0, True, disturbed=True)
        failures = [finding for finding in run.get("findings", []) if finding["kind"] != "data-race"]
        sliced = run.get("slice", {})
        capped = run["seconds"] >= cap * 0.98
        # Of a search that promises nothing: it ended by itself.
        complete = sliced["verdict"] == "no-error" if sliced else run["complete"] or not capped
        length = failures[0].get("events", 0) if failures else 0
        goals = run.get("values") or {}
        # Of a search by goals all counts: of searches that were started over, and of runs that were dropped on the way.
        done = goals.get("all")
        states = done["points"] if done else run["states"]
        executions = done["runs"] if done else run["executions"]
        events = done["events"] if done else run["steps"]
        found = bool(failures) or sliced.get("verdict") == "error"
        return Trial(found, complete, states, executions, run["seconds"], megabytes, length, capped, len(sliced.get("rounds", [])), events,
                     analysis=goals.get("seconds", {}).get("analysis", 0.0), disturbed=not found and (executions == 0 or bool(run["not_confirmed"])))

    def trials(self, program: Program, engine: Engine, limits: Limits) -> list:
        """Fewer than asked for if the time of the cell is over. Only the trials' own time counts, also that of earlier runs: the same ledger gives the same answer."""
        self.build(program)
        places = [program.line(mark) for mark in (*program.places, program.target) if mark]
        name = json.dumps([program.source, program.arguments, program.defines, places, engine.strategy, engine.options, float(limits.each), limits.executions])
        keys = {seed: f"{name} {seed}" for seed in range(1, limits.trials + 1)}
        walls = [known.wall for known in map(self.ledger.find, keys.values()) if known is not None]

        def one(seed: int) -> Trial | None:
            known = self.ledger.find(keys[seed])
            if known is not None or (limits.cell and sum(walls) / self.jobs >= limits.cell):
                return known
            for _ in range(ATTEMPTS):
                done = self.trial(program, engine, seed, limits.each, limits.executions)
                walls.append(done.wall)
                if not done.disturbed:
                    break
            self.ledger.add(keys[seed], done)
            return done

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return [done for done in pool.map(one, keys) if done is not None]


def spread(values: list, digits: int = 0) -> str:
    """min / avg / max; "-" of nothing."""
    if not values:
        return "-"
    return " / ".join(f"{value:,.{digits}f}".replace(",", " ") for value in (min(values), statistics.mean(values), max(values)))


def mean(values: list, digits: int = 0) -> str:
    return f"{statistics.mean(values):,.{digits}f}".replace(",", " ") if values else "-"
