# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What the system tests share: building with the wrapper, running the tool, expectations in comments, and a list of failures.

A test is a function `test(context)`; every wrong thing becomes one line (`context.check`), so one run shows all of them. There are
no retries anywhere: the tool promises determinism, and a test that passes the second time is a defect.
"""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

import built_before

CLEAN, DEFECT, USAGE, CANNOT_TEST = 0, 1, 2, 3
WATCHDOG = 1200  # seconds: ends what hangs, and nothing else on a machine that is busy
EXECUTIONS = 10_000  # of a run that does not say: the tool's own default ends by time too
# A long test's share of one program, in steps; what an execution costs beside its own.
WORK_STEPS, FORK_STEPS, ROLLBACK_STEPS = 400_000_000, 40_000, 400
MINIMISING = "60s"  # a limit no minimisation of a test program comes near


@dataclasses.dataclass
class Finished:
    """A command that ended."""
    command: list[str]
    code: int
    out: str
    err: str
    seconds: float

    def __str__(self) -> str:
        text = f"$ {' '.join(self.command)}\n(exit code {self.code}, {self.seconds:.1f} s)\n{self.out}{self.err}"
        return text if len(text) < 6000 else text[:3000] + "\n...\n" + text[-3000:]


class Context:
    """One test: where the tool is, a folder of its own, and what went wrong so far."""

    def __init__(self, ravel: pathlib.Path, sources: pathlib.Path, folder: pathlib.Path, compiler: str):
        self.ravel = ravel
        self.sources = sources
        self.folder = folder
        self.compiler = compiler
        self.launcher: list = []  # put before every call of the tool
        self.only = ""
        self.all = False  # also with the second compiler
        self.failures: list[str] = []
        self.checks = 0
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def taken(self, sources) -> list[pathlib.Path]:
        """Those whose name contains `--only'; with the second compiler every third of them, unless `--all' asks for each."""
        wanted = [source for source in sources if self.only in source.name]
        one_of = 1 if self.all or self.only or self.compiler == "g++" else 3
        return wanted[::one_of]

    def check(self, good: bool, message: str, evidence: object = "") -> bool:
        self.checks += 1
        if not good:
            self.failures.append(message)
            print(f"FAIL: {message}")
            for line in str(evidence).splitlines()[:60]:
                print(f"    {line}")
            sys.stdout.flush()
        return bool(good)

    def command(self, words: list, cwd: pathlib.Path | None = None, env: dict | None = None,
                timeout: float = WATCHDOG) -> Finished:
        words = [str(word) for word in words]
        begin = time.monotonic()
        try:
            done = subprocess.run(words, cwd=cwd or self.folder, env=env, stdin=subprocess.DEVNULL, timeout=timeout,
                                  capture_output=True, check=False)
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            code, out, err = -1000, late.stdout or b"", (late.stderr or b"") + b"\n(timed out)\n"
        return Finished(words, code, out.decode(errors="replace"), err.decode(errors="replace"), time.monotonic() - begin)

    def tool(self, *words, **options) -> Finished:
        """Each run begins anew, unless the test is about plans of an earlier one."""
        if words[:1] == ("run",) and "--saved" not in words:
            words = ("run", "--saved", "ignore", *words[1:])
        return self.command([*self.launcher, self.ravel, *words], **options)

    def words_of(self, source: pathlib.Path, defines: tuple = (), compiler: str = "", flags: tuple = (), libraries: tuple = ()) -> list:
        """The command that compiles a program, without its target."""
        is_c = source.suffix == ".c"
        compiler = compiler or self.compiler
        if is_c:
            compiler = compiler.replace("clang++", "clang").replace("g++", "gcc")
        return ["cc" if is_c else "c++", "--compiler", compiler, "-std=c11" if is_c else "-std=c++20", *flags,
                *(f"-D{define}" for define in defines), source, *libraries]

    def precompiled(self, words: list) -> list:
        """The standard headers that most programs include, precompiled once: three quarters of a small program's compilation. Only where
        nothing asks for other flags, and a program whose headers cannot be taken from there is compiled as ever."""
        if words[:4] != ["c++", "--compiler", "g++", "-std=c++20"] or any(str(word).startswith("-") and not str(word).startswith("-D") for word in words[4:]):
            return words
        source = self.sources / "system" / "standard_headers.h"
        header = built_before.place_of(self, source, words[:4]).with_suffix(".h")
        if not header.with_suffix(".h.gch").exists():
            header.parent.mkdir(exist_ok=True)
            part = header.with_name(f"{header.name}.{os.getpid()}")
            done = self.command([self.ravel, *words[:4], "-x", "c++-header", source, "-o", part])
            if not self.check(done.code == 0, "the standard headers are not precompiled", done):
                return words
            shutil.copy(source, header)
            os.replace(part, header.with_suffix(".h.gch"))
        return [*words[:4], "-Winvalid-pch", "-include", header, *words[4:]]

    def build(self, source: pathlib.Path, name: str = "", defines: tuple = (), compiler: str = "", flags: tuple = (),
              libraries: tuple = (), folder: pathlib.Path | None = None) -> pathlib.Path | None:
        """Compiles with the wrapper; None (and a failure) when that went wrong. A program that compiles is no check yet."""
        target = (folder or self.folder) / (name or source.stem)
        words = self.words_of(source, defines, compiler, flags, libraries)
        kept = built_before.place_of(self, source, words)
        if built_before.take(kept, target):
            return target
        done = self.tool(*self.precompiled(words), "-o", target)
        if done.code != 0 or not target.exists():
            self.check(False, f"build of {target.name}", done)
            return None
        built_before.keep(target, kept)
        return target

    def run(self, program: pathlib.Path, *options, timeout: float = WATCHDOG, cwd=None, env=None,
            arguments: tuple = ()) -> tuple[Finished, dict]:
        """`ravel run` with JSON, bounded by work: by executions, never by seconds unless the test says so."""
        given = {str(option) for option in options}
        if not given & {"--iterations", "--time"}:
            options = ("--iterations", EXECUTIONS, *options)
        if not given & {"--minimize", "--no-minimize"}:
            options = ("--minimize", MINIMISING, *options)
        report = program.parent / f"{program.name}.json"
        report.unlink(missing_ok=True)
        done = self.tool("run", "--json", report, "--color", "never", *options, program, *arguments,
                         timeout=timeout, cwd=cwd or program.parent, env=env)
        return done, read_json(report)

    def times_within_work(self, program: pathlib.Path, most: int) -> int:
        """Executions of a long test, so that each program gets about the same work: an execution is its steps and what it costs to begin
        one. A few are run to see; a test that is bounded by work ends on a busy machine too, later."""
        _, report = self.run(program, "--iterations", 20, "--no-minimize", "--keep-going")
        done = max(report.get("executions", 0), 1)
        each = report.get("steps", 0) / done + (FORK_STEPS if report.get("isolation") == "fork" else ROLLBACK_STEPS)
        return min(most, max(300, int(WORK_STEPS / each)))

    def replay(self, plan, *options, timeout: float = WATCHDOG, cwd=None, env=None,
               program: tuple = ()) -> tuple[Finished, dict]:
        report = self.folder / "replay.json"
        report.unlink(missing_ok=True)
        words = ["replay", "--json", report, "--color", "never", *options, plan]
        if program:
            words += ["--", *program]
        done = self.tool(*words, timeout=timeout, cwd=cwd, env=env)
        return done, read_json(report)

    def end(self) -> int:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{self.checks} checks, {len(self.failures)} failed; {used.ru_utime + used.ru_stime:.0f} s of processor time")
        return 1 if self.failures or self.checks == 0 else 0


def read_json(path: pathlib.Path) -> dict:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


@dataclasses.dataclass
class Expectation:
    """The comments at the top of a program."""
    source: pathlib.Path
    kinds: set[str]
    threads: list[set[int]]  # one of each set must be named
    lines: dict[str, int]  # marker -> line
    preemptions: int | None  # none: not said
    also: set[str]
    message: str
    clean: bool
    vacuous: bool
    operations: list[str]
    options: list[str]
    iterations: int | None
    notes: dict[str, str]


def expectation_of(source: pathlib.Path, key: str = "expect") -> Expectation:
    text = source.read_text(encoding="utf-8")
    notes = dict(re.findall(r"^// ([a-z-]+): (.*)$", text, re.MULTILINE))
    markers: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.search(r"// here: ([\w-]+)", line):
            markers[match.group(1)] = number
    words = notes.get(key, "").split()
    fields = dict(word.split("=", 1) for word in words if "=" in word)
    wanted = [name for name in fields.get("lines", "").split(",") if name]
    unknown = [name for name in wanted if name not in markers]
    if not words or unknown:
        raise ValueError(f"{source.name}: no expectation '{key}', or markers that are not there: {unknown}")
    return Expectation(
        source=source,
        kinds=set(fields["kind"].split("|")) if "kind" in fields else set(),
        threads=[{int(name.removeprefix("T")) for name in item.split("|")}
                 for item in fields.get("threads", "").split(",") if item],
        lines={name: markers[name] for name in wanted},
        preemptions=int(fields["preemptions"]) if "preemptions" in fields else None,
        also=set(fields.get("also", "").split("|")) - {""},
        message=fields.get("message", ""),
        clean="clean" in words,
        vacuous="vacuous" in words,
        operations=[name for name in notes.get("operations", "").split(",") if name],
        options=notes.get("options", "").split(),
        iterations=int(notes["iterations"]) if "iterations" in notes else None,
        notes=notes,
    )


def marked_line(source: pathlib.Path, mark: str) -> int:
    """The line with `// here: MARK`; 0: there is none."""
    lines = source.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if re.search(rf"// here: {mark}\b", line)), 0)


def lines_in(value: object, file_name: str) -> set[int]:
    """All lines of `file_name` that a part of the report names, however deep."""
    found: set[int] = set()
    if isinstance(value, dict):
        name = value.get("file")
        if isinstance(name, str) and pathlib.PurePosixPath(name).name == file_name and isinstance(value.get("line"), int):
            found.add(value["line"])
        for part in value.values():
            found |= lines_in(part, file_name)
    elif isinstance(value, list):
        for part in value:
            found |= lines_in(part, file_name)
    elif isinstance(value, str):
        found |= {int(line) for line in re.findall(re.escape(file_name) + r":(\d+)", value)}
    return found


def threads_in(finding: dict) -> set[int]:
    """Indices of the threads that a finding names."""
    found: set[int] = set()
    for thread in finding.get("threads", []):
        if isinstance(thread, int):
            found.add(thread)
        elif isinstance(thread, dict) and isinstance(thread.get("index"), int):
            found.add(thread["index"])
        elif isinstance(thread, str) and (match := re.match(r"T(\d+)", thread)):
            found.add(int(match.group(1)))
    return found


def check_finding(context: Context, name: str, wanted: Expectation, done: Finished, report: dict) -> dict | None:
    """The run must have found what the program's comments say; gives the finding back."""
    if not context.check(done.code == DEFECT, f"{name}: exit code {done.code}, expected {DEFECT}", done):
        return None
    findings = report.get("findings", [])
    findings = findings + [race for finding in findings for race in finding.get("related", [])]
    kinds = [finding.get("kind") for finding in findings]
    matching = [finding for finding in findings if finding.get("kind") in wanted.kinds]
    if not context.check(bool(matching), f"{name}: kinds {kinds}, expected {sorted(wanted.kinds)}", done):
        return None
    allowed = wanted.kinds | wanted.also
    context.check(set(kinds) <= allowed, f"{name}: kinds {kinds}, only {sorted(allowed)} are right", done)
    finding = next((f for f in matching if not missing_in(f, wanted)), matching[0])
    context.check(not missing_in(finding, wanted), f"{name}: the finding lacks {missing_in(finding, wanted)}",
                  json.dumps(finding, indent=1))
    plan = pathlib.Path(done.command[-1]).parent / str(finding.get("plan", ""))
    return finding if context.check(plan.is_file(), f"{name}: no plan was saved", json.dumps(finding, indent=1)) else None


def missing_in(finding: dict, wanted: Expectation) -> list[str]:
    missing = []
    seen = lines_in(finding, wanted.source.name)
    missing += [f"line {line} ({marker})" for marker, line in wanted.lines.items() if line not in seen]
    threads = threads_in(finding)
    missing += [f"thread {sorted(choice)}" for choice in wanted.threads if not choice & threads]
    if wanted.message and not re.search(wanted.message, str(finding.get("message", ""))):
        missing.append(f"message with '{wanted.message}'")
    preemptions = finding.get("preemptions", wanted.preemptions)
    if wanted.preemptions is None:
        pass
    elif preemptions < wanted.preemptions:
        missing.append(f"preemptions: {preemptions}, fewer than {wanted.preemptions} cannot fail")
    elif finding.get("minimised", {}).get("fewest_preemptions") and preemptions != wanted.preemptions:
        missing.append(f"preemptions: {preemptions} called the fewest, {wanted.preemptions} are enough")
    return missing


def check_fewest(context: Context, name: str, wanted: Expectation, program: pathlib.Path, finding: dict) -> None:
    """The minimised schedule has the known fewest preemptions; that one less is not enough, bounded search says."""
    if wanted.preemptions is None:
        return
    proved = finding.get("minimised", {}).get("fewest_preemptions")
    context.check(proved and finding["preemptions"] == wanted.preemptions,
                  f"{name}: {finding['preemptions']} preemptions, proved: {proved}; known: {wanted.preemptions}", finding.get("minimised"))
    if wanted.preemptions == 0 or context.compiler != "g++":
        return
    bound = wanted.preemptions - 1
    # Detectors that predict would drive executions beyond the bound.
    named = wanted.kinds & {"atomicity-violation", "order-violation", "lost-signal", "misuse"}
    detectors = () if named else ("--detect", "data-race")
    done, report = context.run(program, *wanted.options, *detectors, "--strategy", f"bounded,preemptions={bound}",
                               "--iterations", 50_000, "--keep-going", "--no-minimize")
    kinds = {finding.get("kind") for finding in report.get("findings", [])}
    context.check(not kinds & wanted.kinds and report.get("bounds_covered") == bound + 1, f"{name}: {kinds} with {bound} preemptions", done)


def sources_in(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in (".c", ".cpp"))


def pairs_of(facts: dict) -> list[tuple]:
    """(kind, site, site) of facts, whose file groups them: each site of one list with each of another."""
    pairs = {(group["kind"], *sorted((a, b))) for group in facts.get("pairs", []) for a in group["first"] for b in group["second"]}
    return sorted(pairs)


def seeds_of(only: str, whole: range) -> range:
    """A long test in parts: `FIRST-LAST' of --only, without the last."""
    first, dash, last = only.partition("-")
    return range(int(first), int(last)) if dash else whole


def environment(**changes: str) -> dict:
    return {**os.environ, **changes}
