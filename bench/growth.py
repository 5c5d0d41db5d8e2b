#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What an execution costs as the program grows: bytes of heap written and freed, threads, events of a trace, traces of a search.

growth.py BUILD [--quick] [--json FILE]. plots.py draws what is in the file. Processor time of all processes of a campaign, the difference of a long and a short one, best of several. A cost
per MB or per thread that rises with the number is a cliff. Goals: 15 us per MB to put the heap back (the program's own writing and the
race check are in the figure), no jump from 32 to 128 threads, at 8 000 operations at most twice the cost per operation at 80.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import explore

HEAP = [0, 32_000, 65_536, 262_144, 1_000_000, 8_000_000]
THREADS = [2, 8, 16, 32, 48, 64, 96, 128]
READERS = [8, 10, 12, 14]  # 2 to that power traces


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def campaign(build: pathlib.Path, folder: str, words: list, executions: int) -> tuple[float, str]:
    report = pathlib.Path(folder) / "report.json"
    command = [build / "bin/ravel", "run", "--saved", "ignore", "--quiet", "--json", report, "--strategy", "random", "--keep-going",
               "--iterations", executions, "--", build / "bench/programs/growth", *words]
    before = processor_seconds()
    subprocess.run([str(word) for word in command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    done = json.loads(report.read_text(encoding="utf-8"))
    if done["executions"] != executions:
        sys.exit(f"growth.py: {done['executions']} executions of {words}, {executions} were asked for")
    return processor_seconds() - before, f"{done['isolation']} {done['isolation_reason']}"


def execution_us(build: pathlib.Path, words: list, few: int, many: int, times: int) -> tuple[float, str]:
    best, used = 1e9, ""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(times):
            short, _ = campaign(build, folder, words, few)
            long, used = campaign(build, folder, words, many)
            best = min(best, (long - short) * 1e6 / (many - few))
    return best, used


def lengths(quick: bool, cost: float) -> tuple[int, int]:
    """Executions of a short and a long campaign: starting the tool varies by some 20 ms, which has to vanish in the difference."""
    few = 5 if quick else 300
    return few, 2 * few if quick else few + max(1_000, int(40_000 / (1 + cost)))


def searches(build: pathlib.Path) -> dict:
    """Long traces, and a search that grows."""
    tool, here = build / "bin/ravel", pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        curves = {"events": explore.growth(tool, folder, here / "programs/long_traces.cpp")}
        program = folder / "counted"
        subprocess.run([tool, "c++", "-std=c++20", "-O1", here.parent / "tests/exhaustive/counted.cpp", "-o", program], check=True)
        curves["traces"] = [(2 ** n, explore.cost(tool, folder, program, ("readers", str(n)), "dpor", "auto", 2 ** n)[0]) for n in READERS]
    for (count, value), n in zip(curves["traces"], READERS):
        print(f"readers {n:3}  {count:6} traces  {value:7.1f} us a trace ({1e6 / value:.0f}/s), {value / (n + 2):.2f} us for each of its threads")
    return curves


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    quick = "--quick" in sys.argv
    times = 1 if quick else 3
    empty = 0.0
    curves: dict = {"heap": [], "threads": []}
    for size in HEAP[:2] if quick else HEAP:
        cost, used = execution_us(build, ["heap", size], *lengths(quick, size / 50_000), times)
        empty = cost if size == 0 else empty
        curves["heap"].append((size, cost))
        each = f"{(cost - empty) / (size / 1e6):8.1f} us per MB" if size else ""
        print(f"heap {size:9} bytes  {cost:9.1f} us  {each:20} {used}", flush=True)
    for count in THREADS[:1] if quick else THREADS:
        cost, used = execution_us(build, ["threads", count], *lengths(quick, count), times)
        curves["threads"].append((count, cost))
        print(f"threads {count:6}        {cost:9.1f} us  {cost / count:8.1f} us each      {used}", flush=True)
    if not quick:
        curves |= searches(build)
    if "--json" in sys.argv:
        pathlib.Path(sys.argv[sys.argv.index("--json") + 1]).write_text(json.dumps(curves, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
