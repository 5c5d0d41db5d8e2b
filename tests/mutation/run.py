#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Breaks each rule of rules.py once and runs the detectors' unit tests: they must turn red.

run.py --build BUILD --source SOURCE --scratch FOLDER [--only TEXT]. Compiles and links as the build folder does, with one object
replaced, so nothing outside the scratch folder changes.
"""
import argparse
import pathlib
import shlex
import subprocess
import sys

import rules

TARGET = "detect_unit_test"


def commands_of(build: pathlib.Path) -> list[str]:
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", TARGET], capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if " -o " in line]


def shell(command: str, build: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run(command, shell=True, cwd=build, capture_output=True, text=True, check=False)


def broken(build: pathlib.Path, source: pathlib.Path, scratch: pathlib.Path, commands: list[str], rule: tuple) -> str:
    """Empty if the tests noticed; else what is wrong."""
    name, old, new = rule
    path = source / "src" / "detect" / name
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        return f"`{old}' stands there {text.count(old)} times: rules.py must follow the code"
    mutant = scratch / name
    mutant.write_text(text.replace(old, new), encoding="utf-8")
    compiles = [line for line in commands if f" -c {path}" in line]
    if len(compiles) != 1:
        return f"{len(compiles)} commands compile it"
    words = shlex.split(compiles[0])
    original = words[words.index("-o") + 1]
    replaced = str(scratch / f"{name}.o")
    program = str(scratch / TARGET)
    compile_it = compiles[0].replace(str(path), str(mutant)).replace(original, replaced)
    done = shell(f"{compile_it} -Wno-error -w", build)
    if done.returncode != 0:
        return f"does not compile: {done.stderr[:500]}"
    link = next(line for line in commands if f"-o bin/{TARGET}" in line)
    link = link[:link.index(" && cd ")] if " && cd " in link else link
    done = shell(link.replace(original, replaced).replace(f"-o bin/{TARGET}", f"-o {program}"), build)
    if done.returncode != 0:
        return f"does not link: {done.stderr[:500]}"
    try:
        done = subprocess.run([program, "--gtest_brief=1", "--gtest_fail_fast", "--gtest_filter=-Agreement.*"], capture_output=True,
                              text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return ""
    return "" if done.returncode != 0 else "no test noticed"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--scratch", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="only files whose name contains this")
    arguments = parser.parse_args()
    scratch = arguments.scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    commands = commands_of(arguments.build.resolve())
    failures = 0
    for rule in rules.RULES:
        if arguments.only not in rule[0]:
            continue
        problem = broken(arguments.build.resolve(), arguments.source.resolve(), scratch, commands, rule)
        print(f"{'FAIL' if problem else 'ok  '} {rule[0]}: {rule[1]}{': ' + problem if problem else ''}", flush=True)
        failures += bool(problem)
    print(f"{failures} of {len(rules.RULES)} broken rules went unnoticed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
