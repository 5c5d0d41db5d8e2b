# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Static pairs against what executions show: every conflict of two unordered threads, in random executions with a scheduling point at every
operation, is a pair. The conflicts are metric `conflict' of coverage, which knows nothing of the analysis. What is opaque is named.

Conflicts and pairs are compared by line. Where the program is built by g++ and the facts come from clang, an operation may have another line
there: source_lines.py says which. Programs built by clang have no such allowance.
"""
import concurrent.futures
import os
import pathlib
import re
import sys

import harness
import source_lines

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random_programs"))
# pylint: disable=wrong-import-position
import generate
import model

EXECUTIONS = 1_000
FEW = 100
BATCH = 5  # random programs in one binary: one analysis
LARGE_BATCH = 20
RANDOM = range(11_000_000, 11_000_500)
# A filter, or a rule about callbacks, made wrong loses a pair of one of these (tests/mutation/statics_rules.py).
EASILY_MISSED = ("unresolved_lock", "joined_other", "shared_lock", "callbacks", "published", "own_lock", "accounts_heap", "lost_notify",
                 "timer_thread", "files", "odd_calls", "exit_in_thread", "coroutine", "hidden_ways", "copied_arrays")
CORPUS = ("core", "classic", "detect", "heap", "guided", "values", "noise")
STEPS = 200_000  # of an execution
# What an analysis may take, clang's part for itself: seconds of processor time, bytes of address space.
LIMITS = ("prlimit", "--cpu=30", f"--as={2 << 30}")

# Kinds of sites that take part in a pair of a kind.
MEMORY = {"read", "write", "atomic read", "atomic write"}
LOCKS = {"lock", "read lock"}
OPERATIONS = {"RW": MEMORY, "MM": LOCKS, "WM": LOCKS | {"wait"}, "WN": {"wait", "notify"}}

TASK = re.compile(r"^(?:conflict )?(\S+):(\d+)(?:#\d+)? (\S+):(\d+)(?:#\d+)? (RW|MM|WM|WN)$", re.MULTILINE)


class Pairs:
    """The pairs of facts, by file's name and line."""

    def __init__(self, facts: dict, source: pathlib.Path, same_compiler: bool):
        self.source = source.name
        self.lines = None if same_compiler else source_lines.SourceLines(source.read_text(encoding="utf-8"))

        def at(site: int) -> tuple:
            place = facts["sites"][site]["place"]
            return pathlib.Path(place["file"]).name, place["line"]

        self.partial, self.opaque = facts.get("partial", True), facts.get("opaque", [])
        self.kinds: dict = {}  # of operations, by place
        for number, site in enumerate(facts.get("sites", [])):
            self.kinds.setdefault(at(number), set()).add(site["kind"])
        self.known = {at(number) for number in range(len(facts.get("sites", [])))}
        self.pairs = {(kind, *sorted((at(first), at(second)))) for kind, first, second in harness.pairs_of(facts)}

    def near(self, kind: str, place: tuple) -> list:
        """Lines that the compiler of the facts may have given to what stands at `place'."""
        if self.lines is None or place[0] != self.source:
            return [place] if place in self.known else []
        lines = {line for name, line in self.known if name == self.source}
        return [(self.source, line) for line in self.lines.near(place[1], lines, kind == "RW")]

    def analysed(self, kind: str, place: tuple) -> bool:
        """Whether the facts have such an operation there. Where they are partial and have none, code without sources that is called there
        did it: synchronize_rcu takes locks of its library, and the line that calls it has accesses of its own."""
        found = set().union(*(self.kinds[near] for near in self.near(kind, place)))
        return bool(found & OPERATIONS[kind])

    def has(self, kind: str, first: tuple, second: tuple) -> bool:
        return any((kind, *sorted((a, b))) in self.pairs for a in self.near(kind, first) for b in self.near(kind, second))


def conflicts_in(context: harness.Context, program: pathlib.Path, words: tuple, executions: int, folder: pathlib.Path) -> tuple:
    """{(kind, place, place)}, and the run that showed them."""
    folder.mkdir(exist_ok=True)
    cover = folder / "conflicts.cov"
    cover.unlink(missing_ok=True)
    done = context.tool("run", "--strategy", "random", "--points", "all", "--facts", "none", "--iterations", executions, "--keep-going", "--no-minimize", "--quiet",
                        "--detect", "none", "--max-steps", STEPS, "--allow-vacuous", "--output", folder, "--coverage", "conflict", "--coverage-file", cover,
                        program, *words, cwd=folder)
    context.check(cover.exists(), f"{program.name}: no executions", done)
    listed = context.tool("coverage", "tasks", "conflict", cover)
    found = set()
    for one, line, other, second, kind in TASK.findall(listed.out):
        places = sorted(((pathlib.Path(one).name, int(line)), (pathlib.Path(other).name, int(second))))
        found.add((kind, *places))
    return found, done


def facts_of(context: harness.Context, program: pathlib.Path) -> dict:
    out = program.parent / f"{program.name}.facts.json"
    done = context.command([*LIMITS, context.ravel, "analyze", "--json", out, program])
    facts = harness.read_json(out)
    context.check(done.code == harness.CLEAN and bool(facts), f"{program.name}: no facts", done)
    return facts


class Tally:
    def __init__(self):
        self.programs = self.conflicts = 0
        self.opaque: list = []
        self.without: list = []  # programs without a conflict

    def judge(self, context: harness.Context, name: str, pairs: Pairs, conflicts: set, done) -> None:
        self.programs += 1
        self.conflicts += len(conflicts)
        self.without += [] if conflicts else [name]
        missing = [one for one in sorted(conflicts) if not pairs.has(*one)]
        if pairs.partial:
            unseen = [one for one in missing if not (pairs.analysed(one[0], one[1]) and pairs.analysed(one[0], one[2]))]
            missing = [one for one in missing if one not in unseen]
            self.opaque += [(name, pairs.opaque[:2])] if unseen else []
        context.check(not missing, f"{name}: conflicts that are no pairs: {missing[:5]}", done)

    def text(self) -> str:
        return f"{self.programs} programs, {self.conflicts} conflicts seen, opaque code in {self.opaque or 'none'}"


def programs(context: harness.Context, sources: list, executions: int, flags: tuple = ()) -> Tally:
    """At -O0, where lines are those of the sources."""
    tally = Tally()

    def judged(source: pathlib.Path) -> tuple | None:
        named = re.search(r"^// libraries: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
        program = context.build(source, flags=("-O0", *flags) if source.suffix == ".cpp" else ("-O0",), libraries=tuple(named.group(1).split()) if named else ())
        if program is None:
            return None
        facts = facts_of(context, program)
        return source.stem, Pairs(facts, source, "clang" in context.compiler), *conflicts_in(context, program, (), executions, context.folder / f"{source.stem}.runs")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for result in pool.map(judged, sources):
            if result is not None:
                tally.judge(context, *result)
    print(tally.text())
    return tally


def random_programs(context: harness.Context, seeds: range, executions: int, batch: int = BATCH) -> Tally:
    tally = Tally()
    for begin in range(seeds.start, seeds.stop, batch):
        made = [generate.program(seed, sorted(generate.FAMILIES)) for seed in range(begin, min(begin + batch, seeds.stop))]
        source = context.folder / f"random{begin}.cpp"
        source.write_text(model.source_of(made), encoding="utf-8")
        program = context.build(source, flags=("-O0", "-w"))
        if program is None:
            continue
        pairs = Pairs(facts_of(context, program), source, "clang" in context.compiler)

        def judged(index: int) -> tuple:
            folder = context.folder / f"random{index}.runs"
            return conflicts_in(context, program, (index,), executions, folder)  # pylint: disable=cell-var-from-loop

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for one, result in zip(made, pool.map(judged, range(len(made)))):
                tally.judge(context, f"seed {one.seed} ({', '.join(one.chosen)})", pairs, *result)
        print(f"up to seed {made[-1].seed}: {tally.text()}", flush=True)
    print(tally.text())
    return tally


def of(context: harness.Context, folder: str) -> list:
    return [path for path in harness.sources_in(context.sources / folder) if context.only in path.name]


def sample(context: harness.Context) -> None:
    """What is easily missed, and a few random programs."""
    sources = [path for path in of(context, "statics") if context.only or path.stem in EASILY_MISSED]
    tally = programs(context, sources, FEW)
    context.check(context.only != "" or tally.conflicts >= 12, f"only {tally.conflicts} conflicts were seen")
    if not context.only:
        random_programs(context, RANDOM[:2 * BATCH], FEW)


def corpus(context: harness.Context) -> None:
    sources = of(context, "statics")
    for folder in CORPUS:
        sources += of(context, f"corpus/{folder}")
    tally = programs(context, sources, EXECUTIONS)
    context.check(context.only != "" or tally.conflicts >= 500, f"only {tally.conflicts} conflicts were seen")


def libraries(context: harness.Context) -> None:
    """Clients of libraries as Debian ships them. Each must show a conflict, or the comparison says nothing of it."""
    tally = programs(context, of(context, "real"), EXECUTIONS, flags=("-std=c++17",))
    context.check(not tally.without, f"no conflict was seen in {', '.join(tally.without)}")


def random(context: harness.Context) -> None:
    """`--only 11000100-11000200': these seeds alone."""
    seeds = harness.seeds_of(context.only, RANDOM)
    tally = random_programs(context, seeds, EXECUTIONS, LARGE_BATCH)
    # Of a few programs all may have none.
    context.check(len(seeds) < LARGE_BATCH or tally.conflicts >= len(seeds), f"only {tally.conflicts} conflicts were seen")
