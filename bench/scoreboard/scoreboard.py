#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Programs x strategies: how often, how soon and at what price the defect is found, beside what one would do instead.

Every row of the corpus tests/corpus/classic with its arguments is one program. Of Ravel: schedules and processor seconds to the
first finding over several seeds. Of the others (stress loop, stress under ThreadSanitizer, Helgrind, DRD, rr --chaos where they are
installed and work): runs and processor seconds until the program failed, or the tool reported something, with a cap on the processor
seconds of a trial. A trial that ends at its cap found nothing: what it took is a lower bound.
"""
import argparse
import concurrent.futures
import csv
import datetime
import html
import json
import math
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus" / "classic"
MOST_BEFORE = 100  # executions of a search before it knows its points
STRATEGIES = ["portfolio", "pos", "rf", "surw", "dpor", "park", "preempt", "period", "pct", "random"]
RIVALS = ["pos", "rf", "surw", "dpor"]  # strategies that the default is held against in each family
QUICK_WAYS = 5
ABLATED = ["pos", "park", "directed", "dpor", "shared"]  # `static' needs facts
OTHERS = ["stress", "tsan", "helgrind", "drd", "rr"]
LEFT_OUT = {"safe_stack"}  # minutes for one finding: measured by itself
LONGEST_RUN = 3.0  # seconds of one run of a program without Ravel: a deadlock
# Programs whose figures decided on shares and first turns of the default; all others are printed apart.
TUNED_ON = {"account", "async_logger", "bounded_buffer", "channel_close", "circular_buffer", "double_checked", "lru_cache", "pool_shutdown",
            "rax_extend", "readers_writers", "reorder", "string_buffer", "timer_cancel", "token_ring", "treiber_aba", "twostage",
            "work_stealing", "wrong_lock"}


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command: list[str], seconds: float, folder: pathlib.Path) -> tuple[int | None, str]:
    """Exit code, None when it was ended; and what it said."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, errors="replace")
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, ""


class Bench:
    def __init__(self, ravel: str, folder: pathlib.Path, arguments):
        self.ravel, self.folder = ravel, folder
        self.seconds, self.cap, self.schedules = arguments.seconds, arguments.cap, arguments.schedules

    def build(self, name: str, flavour: str) -> pathlib.Path | None:
        out = self.folder / f"{name}-{flavour}"
        if out.exists():
            return out
        source = str(CORPUS / f"{name}.cpp")
        flags = ["-std=c++20", "-O1", "-g", "-pthread", source, "-o", str(out)]
        compiler = {"ravel": [self.ravel, "c++"], "plain": ["g++"], "tsan": ["g++", "-fsanitize=thread"]}[flavour]
        code, said = run(compiler + flags, 300, self.folder)
        if code != 0:
            print(f"{name} ({flavour}) does not build:\n{said}", file=sys.stderr)
            return None
        return out

    def with_ravel(self, name: str, arguments: list[str], strategy: str, seed: int) -> dict | None:
        """One trial. A search that started over says only what it ran since: the least budget that is enough tells all."""
        trial = self.run_ravel(name, arguments, strategy, seed)
        if trial is None or not trial["found"] or not strategy.startswith("dpor"):
            return trial
        for runs in range(trial["runs"], trial["runs"] + MOST_BEFORE):
            again = self.run_ravel(name, arguments, strategy, seed, ["--iterations", str(runs)])
            if again is not None and again["found"]:
                return {**trial, "runs": runs}
        return trial

    def run_ravel(self, name: str, arguments: list[str], strategy: str, seed: int, more: list[str] = []) -> dict | None:
        program = self.build(name, "ravel")
        if program is None:
            return None
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        before = processor_seconds()
        limit = [] if more or self.schedules == 0 else ["--iterations", str(self.schedules)]
        run([self.ravel, "run", "--strategy", strategy, "--seed", str(seed), "--time", f"{int(self.seconds * 1000)}ms", "--saved", "ignore", *limit,
             "--no-minimize", "--quiet", "--output", str(self.folder / "plans"), "--json", str(report), *more, "--", str(program)] + arguments,
            self.seconds + 30, self.folder)
        used = processor_seconds() - before
        try:
            said = json.loads(report.read_text())
        except (OSError, ValueError):
            return None
        found = any(finding["kind"] != "data-race" for finding in said.get("findings", []))
        rate = said["executions"] / said["seconds"] if said.get("seconds") else 0
        return {"found": found, "runs": said["executions"], "cpu": used, "rate": rate}

    def instead(self, name: str, arguments: list[str], tool: str) -> dict | None:
        """One trial: the program again and again until it fails, hangs, or the tool says something."""
        program = self.build(name, "tsan" if tool == "tsan" else "plain")
        if program is None:
            return None
        before_it = {"helgrind": ["valgrind", "--tool=helgrind", "--error-exitcode=99", "-q"],
                     "drd": ["valgrind", "--tool=drd", "--error-exitcode=99", "-q"],
                     "rr": ["rr", "record", "--chaos"]}.get(tool, [])
        before, runs, left = processor_seconds(), 0, 10 * self.cap  # seconds by the clock, on a busy machine
        while left > 0 and processor_seconds() - before < self.cap:
            start = os.times().elapsed
            code, _ = run(before_it + [str(program)] + arguments, LONGEST_RUN, self.folder)
            left -= os.times().elapsed - start
            runs += 1
            if code != 0:
                return {"found": True, "runs": runs, "cpu": processor_seconds() - before, "rate": 0}
        return {"found": False, "runs": runs, "cpu": max(self.cap, processor_seconds() - before), "rate": 0}


def usable_tools(folder: pathlib.Path) -> list[str]:
    tools = ["stress", "tsan"]
    if shutil.which("valgrind"):
        tools += ["helgrind", "drd"]
    if shutil.which("rr") and run(["rr", "record", "true"], 20, folder)[0] == 0:
        tools.append("rr")
    return tools


def interval(values: list[float]) -> float:
    """Half of the 95 % interval of the mean, by the normal approximation."""
    return 1.96 * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def row_of(program: str, way: str, trials: list[dict]) -> dict:
    runs, cpu = [t["runs"] for t in trials], [t["cpu"] for t in trials]
    return {"program": program, "way": way, "trials": len(trials), "found": sum(t["found"] for t in trials),
            "runs_mean": statistics.mean(runs), "runs_median": statistics.median(runs), "runs_interval": interval(runs),
            "cpu_mean": statistics.mean(cpu), "cpu_median": statistics.median(cpu),
            "rate": statistics.mean(t["rate"] for t in trials)}


def cell(row: dict | None) -> str:
    if row is None:
        return ""
    text = f"{row['runs_mean']:.0f}" if row["runs_mean"] >= 100 else f"{row['runs_mean']:.1f}"
    if row["runs_interval"] >= 0.05:
        text += f" ±{row['runs_interval']:.1f}" if row["runs_interval"] < 100 else f" ±{row['runs_interval']:.0f}"
    return text if row["found"] == row["trials"] else f"{text} ({row['found']}/{row['trials']})"


def table(rows: list[dict], ways: list[str], text) -> str:
    by = {(r["program"], r["way"]): r for r in rows}
    programs = list(dict.fromkeys(r["program"] for r in rows))
    lines = ["| program | " + " | ".join(ways) + " |", "|---" * (len(ways) + 1) + "|"]
    for program in programs:
        lines.append(f"| {program} | " + " | ".join(text(by.get((program, way))) for way in ways) + " |")
    return "\n".join(lines)


def beside(rows: list[dict], tools: list[str]) -> str:
    """Geometric mean of what another tool took, as a multiple of the default, over the rows that both were measured on."""
    lines = ["| instead | rows | found | times the default's processor seconds |", "|---|---|---|---|"]
    mine = {r["program"]: r for r in rows if r["way"] == "portfolio"}
    for tool in tools:
        theirs = [r for r in rows if r["way"] == tool and r["program"] in mine]
        if not theirs:
            continue
        ratio = math.exp(statistics.mean(math.log(r["cpu_mean"] / mine[r["program"]]["cpu_mean"]) for r in theirs))
        found = sum(r["found"] == r["trials"] for r in theirs)
        lines.append(f"| {tool} | {len(theirs)} | {found} | {'' if found == len(theirs) else 'at least '}{ratio:.1f} |")
    return "\n".join(lines)


def held_out(rows: list[dict]) -> str:
    mine = [r for r in rows if r["way"] == "portfolio" and r["program"].split("(")[0] not in TUNED_ON]
    return f"{sum(r['found'] == r['trials'] for r in mine)} of {len(mine)} of these rows were found in every trial."


def version(ravel: str) -> str:
    said = subprocess.run([ravel, "--version"], capture_output=True, text=True).stdout.splitlines()
    return said[0] if said else "ravel"


def machine() -> str:
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return f"{os.cpu_count()} x {model}, {compiler}, load {os.getloadavg()[0]:.0f}"


def families() -> dict[str, str]:
    return {path.name.removesuffix(".expect.json"): json.loads(path.read_text())["family"] for path in CORPUS.glob("*.expect.json")}


def by_family(rows: list[dict]) -> str:
    """The default beside the best single strategy, mean schedules over the programs of each family."""
    family, means = families(), {}
    for row in rows:
        means.setdefault(family[row["program"].split("(")[0]], {}).setdefault(row["way"], []).append(row["runs_mean"])
    lines = ["| family | default | best single strategy | ratio |", "|---|---|---|---|"]
    for name, ways in sorted(means.items()):
        rivals = {way: statistics.mean(ways[way]) for way in RIVALS if way in ways}
        if not rivals or "portfolio" not in ways:
            continue
        best, default = min(rivals, key=rivals.get), statistics.mean(ways["portfolio"])
        lines.append(f"| {name} | {default:.1f} | {best} {rivals[best]:.1f} | {default / rivals[best]:.2f} |")
    return "\n".join(lines)


def side_by_side(arguments) -> str:
    if arguments.render:
        return f" Rows were measured in {len(arguments.render)} shares side by side (`--share`, `--render`)."
    return f" {arguments.jobs} programs were measured at a time." if arguments.jobs > 1 else ""


def markdown(rows: list[dict], ways: list[str], tools: list[str], arguments) -> str:
    tuned = [r for r in rows if r["program"].split("(")[0] in TUNED_ON]
    others = [r for r in rows if r["program"].split("(")[0] not in TUNED_ON]
    seconds = lambda row: "" if row is None else f"{row['cpu_mean']:.2f}" + ("" if row["found"] == row["trials"] else f" ({row['found']}/{row['trials']})")
    text = f"""# Scoreboard
Written by `make scoreboard{'-quick' if arguments.quick else ''}`: how many schedules and processor seconds it takes to find the defects of
`tests/corpus/classic`, with the argument (threads or items) in brackets. {datetime.date.today()}, {version(arguments.ravel)}, {machine()}.
Seeds 1 to {arguments.seeds} for the default (`portfolio`), 1 to {arguments.part_seeds} for other strategies, at most
{arguments.schedules or 'as many schedules as fit'} schedules and {arguments.seconds:g} s for one trial; `dpor` has no seed. The same as CSV, JSON and a page with bars: `{arguments.output}/`.{side_by_side(arguments)}

## Schedules to the first finding
Mean ± half of the 95 % interval. In brackets: trials that found it, where not all did; the schedules of the others count.

{table(tuned, ways, cell)}

Programs that were not used when the default was tuned:

{table(others, ways, cell)}

{held_out(rows)}

## The default beside the best single strategy
Mean over the programs of each family.

{by_family(rows)}
"""
    if arguments.ablation:
        left = ["portfolio"] + [f"portfolio,without={part}" for part in ABLATED]
        measured = {r["program"] for r in rows if r["way"] in left[1:]}
        text += f"""
## What each part is worth
`--strategy portfolio,without=PART`, the same seeds.

{table([r for r in rows if r["program"] in measured], left, cell)}
"""
    if tools:
        text += f"""
## Processor seconds to the first finding
{arguments.cap:g} processor seconds at most for each of the others; in brackets where nothing was found within them, which makes the figure a lower bound.
For ThreadSanitizer, Helgrind and DRD any report counts as a finding.

{beside(rows, tools)}

{table([r for r in rows if r["way"] in ["portfolio"] + tools], ["portfolio"] + tools, seconds)}
"""
    notes = ROOT / "bench" / "scoreboard" / "notes.md"
    return text + "\n" + notes.read_text()


def page(rows: list[dict]) -> str:
    """One offline page: a bar for each way, on a logarithmic scale."""
    most = max((r["runs_mean"] for r in rows), default=1)
    out = ["<!doctype html><meta charset=utf-8><title>Scoreboard</title><style>body{font:14px sans-serif;margin:2em}",
           "div.bar{background:#4a7;height:12px;display:inline-block}div.miss{background:#c55}td{padding:0 .6em}</style><h1>Scoreboard</h1>",
           "<p>Schedules (or runs) to the first finding, logarithmic. Red: not found in every trial.</p><table>"]
    for r in rows:
        width = int(400 * math.log(1 + r["runs_mean"]) / math.log(1 + most)) + 1
        miss = "" if r["found"] == r["trials"] else " miss"
        out.append(f"<tr><td>{html.escape(r['program'])}<td>{html.escape(r['way'])}<td><div class='bar{miss}' style='width:{width}px'></div> "
                   f"{r['runs_mean']:.1f} ({r['found']}/{r['trials']})")
    return "\n".join(out) + "</table>\n"


def write(rows: list[dict], arguments, ways, tools) -> None:
    out = pathlib.Path(arguments.output)
    out.mkdir(parents=True, exist_ok=True)
    (out / "scoreboard.json").write_text(json.dumps({"machine": machine(), "seeds": arguments.seeds, "seconds": arguments.seconds, "rows": rows}, indent=1))
    with open(out / "scoreboard.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    text = markdown(rows, ways, tools, arguments)
    (out / "scoreboard.md").write_text(text)
    if arguments.docs:
        pathlib.Path(arguments.docs).write_text(text)
    (out / "scoreboard.html").write_text(page(rows))


def chosen_programs(arguments) -> list[tuple[str, list[str]]]:
    programs = []
    for path in sorted(CORPUS.glob("*.expect.json")):
        name = path.name.removesuffix(".expect.json")
        if name not in LEFT_OUT:
            programs += [(name, list(values)) for values in json.loads(path.read_text())["arguments"]]
    first, step = (int(number) for number in arguments.share.split("/"))
    return [(name, values) for name, values in programs if not arguments.only or arguments.only in name][first::step]


def measure(task: tuple) -> list[dict]:
    """All rows of one program, in a folder of its own."""
    name, lists, ways, tools, arguments = task
    rows = []
    with tempfile.TemporaryDirectory(prefix="scoreboard-") as folder:
        bench = Bench(arguments.ravel, pathlib.Path(folder), arguments)
        for values in lists:
            shown = name + (f"({','.join(values)})" if values else "")
            for way in ways + ([f"portfolio,without={part}" for part in ABLATED] if arguments.ablation else []):
                seeds = 1 if way == "dpor" else arguments.seeds if way.startswith("portfolio") else arguments.part_seeds
                trials = [bench.with_ravel(name, values, way, seed + 1) for seed in range(seeds)]
                rows.append(row_of(shown, way, [t for t in trials if t]))
            for tool in tools:
                trials = [bench.instead(name, values, tool) for _ in range(1 if arguments.quick else 3)]
                rows.append(row_of(shown, tool, [t for t in trials if t]))
    return rows


def by_program(programs: list[tuple[str, list[str]]]) -> dict[str, list[list[str]]]:
    lists: dict[str, list[list[str]]] = {}
    for name, values in programs:
        lists.setdefault(name, []).append(values)
    return lists


def render(arguments, ways: list[str]) -> int:
    files = [json.loads(pathlib.Path(file).read_text()) for file in arguments.render]
    rows = sorted((row for file in files for row in file["rows"]), key=lambda row: row["program"])
    tools = [tool for tool in OTHERS if any(row["way"] == tool for row in rows)]
    write(rows, arguments, ways, tools)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ravel", default=str(ROOT / "build" / "bin" / "ravel"))
    parser.add_argument("--quick", action="store_true", help="fewer strategies, seeds and schedules")
    parser.add_argument("--seeds", type=int, default=0, help="of the default")
    parser.add_argument("--part-seeds", type=int, default=0, help="of other strategies")
    parser.add_argument("--seconds", type=float, default=0, help="of one trial of Ravel")
    parser.add_argument("--schedules", type=int, default=-1, help="the most in one trial; 0: no limit")
    parser.add_argument("--cap", type=float, default=0, help="processor seconds of one trial of another tool")
    parser.add_argument("--strategies", default="")
    parser.add_argument("--only", default="", help="programs whose name has this in it")
    parser.add_argument("--ablation", action="store_true", help="also the default without each of its parts")
    parser.add_argument("--without-others", action="store_true", help="no stress loop, TSan, Helgrind, DRD, rr")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="programs that are measured at a time")
    parser.add_argument("--share", default="0/1", help="I/N: every N-th row from the I-th on, for several machines")
    parser.add_argument("--render", nargs="+", default=[], help="measure nothing: tables from these scoreboard.json")
    parser.add_argument("--output", default="scoreboard-out")
    parser.add_argument("--docs", default="", help="also write the Markdown here")
    arguments = parser.parse_args()
    quick = arguments.quick
    arguments.ravel = os.path.abspath(arguments.ravel)
    arguments.seeds = arguments.seeds or 20
    arguments.part_seeds = arguments.part_seeds or (3 if quick else 20)
    arguments.seconds = arguments.seconds or 60  # schedules end a trial; this ends what hangs
    arguments.schedules = arguments.schedules if arguments.schedules >= 0 else (300 if quick else 3000)
    arguments.cap = arguments.cap or (1 if quick else 10)
    ways = arguments.strategies.split(",") if arguments.strategies else STRATEGIES[:QUICK_WAYS] if quick else STRATEGIES
    if arguments.render:
        return render(arguments, ways)
    programs = chosen_programs(arguments)
    if not programs:
        print(f"scoreboard: no program has `{arguments.only}' in its name", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="scoreboard-") as folder:
        tools = [] if arguments.without_others else usable_tools(pathlib.Path(folder))
    tools = tools[:2] if quick else tools
    tasks = [(name, lists, ways, tools, arguments) for name, lists in by_program(programs).items()]
    rows = []
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for done in pool.map(measure, tasks):
            rows += done
            write(rows, arguments, ways, tools)
            for shown in dict.fromkeys(row["program"] for row in done):
                print(shown, " | ".join(f"{r['way']} {cell(r)}" for r in done if r["program"] == shown), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
