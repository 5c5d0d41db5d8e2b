#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Every source of every target through clang++-14, warnings as errors. Nothing is generated or linked: what is looked for
# is found while parsing, and that takes half the time of a build.
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = root / "build" / "clang"


def run(entry, more):
    words = shlex.split(entry["command"]) + more
    done = subprocess.run(words, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return entry["file"], done.returncode, done.stdout


def main():
    subprocess.run(["cmake", "--preset", "clang", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], cwd=root, check=True,
                   stdout=subprocess.DEVNULL)
    entries = json.loads((build / "compile_commands.json").read_text())
    headers = [entry for entry in entries if entry["file"].endswith("cmake_pch.hxx.cxx")]
    # What a build makes is not here.
    sources = [entry for entry in entries
               if entry["file"].endswith((".cc", ".cpp", ".c")) and not pathlib.Path(entry["file"]).is_relative_to(build)]
    if not sources:
        sys.exit("check_with_clang: no sources in " + str(build / "compile_commands.json"))
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
