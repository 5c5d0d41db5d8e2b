#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What an execution costs as the program grows: bytes of heap written and freed, threads.

growth.py BUILD [--quick]. Processor time of all processes of a campaign, the difference of a long and a short one, best of several. A cost
per MB or per thread that rises with the number is a cliff. Goals: 15 us per MB to put the heap back (the program's own writing and the
race check are in the figure), no jump from 32 to 128 threads.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

HEAP = [0, 32_000, 65_536, 262_144, 1_000_000, 8_000_000]
THREADS = [2, 8, 32, 64, 128]


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


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    quick = "--quick" in sys.argv
    times = 1 if quick else 3
    empty = 0.0
    for size in HEAP[:2] if quick else HEAP:
        cost, used = execution_us(build, ["heap", size], *lengths(quick, size / 50_000), times)
        empty = cost if size == 0 else empty
        each = f"{(cost - empty) / (size / 1e6):8.1f} us per MB" if size else ""
        print(f"heap {size:9} bytes  {cost:9.1f} us  {each:20} {used}", flush=True)
    for count in THREADS[:1] if quick else THREADS:
        cost, used = execution_us(build, ["threads", count], *lengths(quick, count), times)
        print(f"threads {count:6}        {cost:9.1f} us  {cost / count:8.1f} us each      {used}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
