#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Sequences: what reachability testing costs against dpor where both run every order once, and what the constructs cost on real
threads against what a person would write by hand.

sequences.py BUILD [--quick]. Goals: reachability at most twice the processor time of dpor per execution on the notify-all buffer; an uncontended
enter() at most 1.5 times a std::mutex; a port at least 0.8 times as fast as a queue of mutex and condition variable. Ratios are of the best of several
rounds that take turns, so a busy machine disturbs both alike.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def campaign(tool, folder, program, strategy: str) -> tuple[float, dict]:
    report = folder / "report.json"
    before = processor_seconds()
    subprocess.run([str(word) for word in (tool, "run", "--saved", "ignore", "--quiet", "--json", report, "--strategy", strategy, "--iterations", 100_000, program)],
                   check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    return processor_seconds() - before, json.loads(report.read_text(encoding="utf-8"))


def searches(tool, folder, quick: bool) -> bool:
    good = True
    size = ("-DP=2", "-DC=2") if quick else ("-DP=3", "-DC=3")
    program = folder / "buffer"
    subprocess.run([tool, "c++", "-std=c++20", "-O1", *size, "-DSLOTS=2", "-DALL", ROOT / "tests" / "syn" / "monitor_buffer.cpp", "-o", program], check=True)
    best = {}
    wanted = 60 if quick else 12096
    for _ in range(1 if quick else 5):
        for strategy in ("dpor", "reachability"):
            seconds, report = campaign(tool, folder, program, strategy)
            good = good and report["executions"] == report["sequences"] == wanted and report["complete"]
            best[strategy] = min(best.get(strategy, seconds), seconds)
    each = {strategy: 1e6 * seconds / wanted for strategy, seconds in best.items()}
    print(f"notify-all buffer, {wanted} orders: dpor {each['dpor']:.1f}, reachability {each['reachability']:.1f} us of processor time each, "
          f"ratio {each['reachability'] / each['dpor']:.2f} (at most 2)")
    return good


def constructs(folder, quick: bool) -> None:
    program = folder / "constructs"
    subprocess.run(["g++", "-std=c++20", "-O2", "-pthread", "-I", ROOT / "include", ROOT / "bench" / "programs" / "constructs.cpp", "-o", program], check=True)
    done = subprocess.run([program, *(("10000", "1") if quick else ())], check=True, capture_output=True, text=True)
    ns = {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}
    for name in ("enter-sc", "enter-su"):
        print(f"{name}: {ns[name]:.1f} ns, std::mutex {ns['mutex']:.1f}, ratio {ns[name] / ns['mutex']:.2f} (at most 1.5)")
    for name, queue in (("port", "queue"), ("port-2", "queue-2")):
        print(f"{name}: {ns[name]:.1f} ns, by hand {ns[queue]:.1f}, speed {ns[queue] / ns[name]:.2f} (at least 0.8)")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        constructs(folder, arguments.quick)
        return 0 if searches(arguments.build.resolve() / "bin" / "ravel", folder, arguments.quick) else 1


if __name__ == "__main__":
    sys.exit(main())
