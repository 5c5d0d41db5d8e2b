#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What free-running mode costs: processor time of a program under `ravel run --free` against the same program with g++'s thread
sanitizer, for 1, 2 and 4 threads.

Usage: free.py RAVEL [FACTOR]. FACTOR multiplies the work (default 1: about a second per run). The tool's own time is part of what is
measured; times are the best of three."""
import pathlib
import resource
import subprocess
import sys
import tempfile

COMMON = """
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
static void work(int number, long count);
int main(int, char** argv) {
  const int threads = std::atoi(argv[1]);
  const long count = std::atol(argv[2]) / threads;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back([=] { work(i, count); });
  for (auto& one : all) one.join();
}
"""
PROGRAMS = {
    "accesses": ("int cells[4][4096];\nstatic void work(int n, long count) { for (long i = 0; i < count; ++i) cells[n][i * 7 % 4096] += i; }", 40_000_000, 0.6),
    "allocation": ("static void work(int, long count) { std::map<long, std::string> m; for (long i = 0; i < count; ++i) { m[i % 512] = "
                   "std::string(40, 'x'); if (i % 3 == 0) m.erase(i % 512); } }", 1_500_000, 0.6),
    "locks": ("std::mutex lock; long total;\nstatic void work(int, long count) { for (long i = 0; i < count; ++i) { const std::lock_guard "
              "hold(lock); ++total; } }", 3_000_000, 0.2),
    "atomics": ("std::atomic<long> total;\nstatic void work(int, long count) { for (long i = 0; i < count; ++i) total.fetch_add(1); }", 10_000_000, 0.6),
}


# Ratios of runs that detectors and metrics look at.
LOOKED = {"data-race": ("--detect", "data-race"), "avio* hbpair*": ("--coverage", "avio*,hbpair*"), "default set": ("--coverage", "default")}


def cost(words: list, codes: tuple = (0,)) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode not in codes:
        raise SystemExit(f"{words}: {done.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    ravel = pathlib.Path(sys.argv[1]).resolve()
    factor = float(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'program':12} {'threads':>7} {'TSan s':>8} {'free s':>8} {'ratio':>6} {'goal':>5}" + "".join(f" {name:>{max(6, len(name))}}" for name in LOOKED))
        for name, (text, count, goal) in PROGRAMS.items():
            source = pathlib.Path(folder) / f"{name}.cpp"
            source.write_text(COMMON + text + "\n")
            ours, theirs = source.with_suffix(".ravel"), source.with_suffix(".tsan")
            subprocess.run([ravel, "c++", "-O2", "-g", "-std=c++20", source, "-o", ours], check=True)
            subprocess.run(["g++", "-O2", "-g", "-std=c++20", "-fsanitize=thread", source, "-o", theirs], check=True)
            for threads in (1, 2, 4):
                work = int(count * factor)
                tsan = min(cost([theirs, threads, work]) for _ in range(3))
                free = min(cost([ravel, "run", "--free", "--runs", 1, "--quiet", ours, threads, work]) for _ in range(3))
                row = f"{name:12} {threads:>7} {tsan:8.2f} {free:8.2f} {free / tsan:6.2f} {goal:5.1f}"
                for column, options in LOOKED.items():
                    looked = cost([ravel, "run", "--free", "--runs", 1, "--quiet", *options, ours, threads, work], (0, 1))
                    row += f" {looked / tsan:>{max(6, len(column))}.2f}"
                print(row, flush=True)


main()
