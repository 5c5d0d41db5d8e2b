#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Every source of every target through clang++-14, warnings as errors. Nothing is generated or linked: warnings come while
# parsing, and that takes half the time of a build. With --recent N only the sources that the last N commits or the work
# tree have changed, and those that include a header they changed.
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = root / "build" / "clang"


def run(entry, more):
    words = shlex.split(entry["command"]) + more
    done = subprocess.run(words, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return entry["file"], done.returncode, done.stdout


def git(*words):
    done = subprocess.run(["git", *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.split("\n") if done.returncode == 0 else None


def changed_in(commits):
    """Names of files, or None where there is no history to ask."""
    logged, edited = git("log", f"-{commits}", "--name-only", "--format="), git("diff", "--name-only", "HEAD")
    return None if logged is None or edited is None else {name for name in logged + edited if name}


def is_recent(source, changed):
    if source.relative_to(root).as_posix() in changed:
        return True
    included = re.findall(r'^#include "(.+)"', source.read_text(encoding="utf-8"), re.MULTILINE)
    return any(f"{folder}{name}" in changed for name in included for folder in ("src/", "include/", "tests/unit/", "bench/"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recent", type=int, metavar="N")
    recent = parser.parse_args().recent
    subprocess.run(["cmake", "--preset", "clang", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], cwd=root, check=True,
                   stdout=subprocess.DEVNULL)
    entries = json.loads((build / "compile_commands.json").read_text())
    headers = [entry for entry in entries if entry["file"].endswith("cmake_pch.hxx.cxx")]
    # What a build makes is not here.
    sources = [entry for entry in entries
               if entry["file"].endswith((".cc", ".cpp", ".c")) and not pathlib.Path(entry["file"]).is_relative_to(build)]
    if not sources:
        sys.exit("check_with_clang: no sources in " + str(build / "compile_commands.json"))
    changed = changed_in(recent) if recent else None
    if changed is not None:
        everything = len(sources)
        sources = [entry for entry in sources if is_recent(pathlib.Path(entry["file"]), changed)]
        print(f"{len(sources)} of {everything} sources have changed lately")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Precompiled headers are used by what follows.
        for batch, more in ((headers, []), (sources, ["-fsyntax-only"])):
            for file, status, text in pool.map(lambda entry: run(entry, more), batch):
                if status != 0 or text:
                    failed += 1
                    print(f"{file}\n{text}", flush=True)
    print(f"{len(sources)} sources, {failed} with warnings or errors")
    sys.exit(1 if failed else 0)


main()
