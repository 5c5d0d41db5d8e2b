#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Breaks each rule of rules.py (detectors) and cover_rules.py (metrics of coverage) once and runs their unit tests: they must turn red. The same
with statics_rules.py (static analysis) and the comparison of static pairs with executions, tests/system/sound.py.

run.py --build BUILD --source SOURCE --scratch FOLDER [--only TEXT]. Compiles and links as the build folder does, with one object
replaced, so nothing outside the scratch folder changes.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

import cover_rules
import rules
import statics_rules

# Folder of src, its rules, and the tests that must notice.
GROUPS = (("detect", rules.RULES, "detect_unit_test"), ("cover", cover_rules.RULES, "coverage_unit_test"),
          ("statics/llvm", statics_rules.RULES, "ravel"))


def unit_test(program: str, *_) -> bool:
    """Whether it turned red."""
    try:
        done = subprocess.run([program, "--gtest_brief=1", "--gtest_fail_fast", "--gtest_filter=-Agreement.*"], capture_output=True,
                              text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def comparison(program: str, source: pathlib.Path, only: str, group: str = "sound.sample", says: str = "conflicts that are no pairs") -> bool:
    """Whether a conflict that executions show is no pair any more, or another test says what it must."""
    scratch = pathlib.Path(program).parent.parent
    words = [sys.executable, "-B", source / "tests/system/run_group.py", group, "--ravel", program, "--sources", source / "tests", "--folder",
             scratch / "sound", "--only", only]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=600, cwd=source / "tests/system")
    return done.returncode != 0 and says in done.stdout


def commands_of(build: pathlib.Path, target: str) -> list[str]:
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if " -o " in line]


def shell(command: str, build: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run(command, shell=True, cwd=build, capture_output=True, text=True, check=False)


def compiled_in(path: pathlib.Path, commands: list[str]) -> tuple[str, str] | None:
    """The command that compiles `path', and the file it is given: that one, or one that includes a few of them."""
    found = []
    for line in commands:
        given = re.search(r" -c (\S+)", line)
        if given is None:
            continue
        if given.group(1) == str(path):
            found.append((line, given.group(1)))
        elif "/Unity/" in given.group(1) and f'"{path}"' in pathlib.Path(given.group(1)).read_text(encoding="utf-8"):
            found.append((line, given.group(1)))
    return found[0] if len(found) == 1 else None


def broken(build: pathlib.Path, source: pathlib.Path, scratch: pathlib.Path, commands: list[str], group: tuple, rule: tuple) -> str:
    """Empty if the tests noticed; else what is wrong."""
    folder, _, target = group
    name, old, new, *more = rule
    path = source / "src" / folder / name
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        return f"`{old}' stands there {text.count(old)} times: rules.py must follow the code"
    mutant = scratch / name
    mutant.write_text(text.replace(old, new), encoding="utf-8")
    compiled = compiled_in(path, commands)
    if compiled is None:
        return "not one command compiles it"
    command, given = compiled
    if given != str(path):
        together = scratch / f"with_{name}"
        together.write_text(pathlib.Path(given).read_text(encoding="utf-8").replace(f'"{path}"', f'"{mutant}"'), encoding="utf-8")
        mutant = together
    words = shlex.split(command)
    original = words[words.index("-o") + 1]
    replaced = str(scratch / f"{name}.o")
    (scratch / "bin").mkdir(exist_ok=True)
    for part in (build / "lib", build / "share", build / "include"):
        if not (scratch / part.name).exists():
            (scratch / part.name).symlink_to(part)
    program = str(scratch / "bin" / target)
    compile_it = command.replace(f" -c {given}", f" -x c++ -c {mutant}").replace(original, replaced)
    done = shell(f"{compile_it} -Wno-error -w", build)
    if done.returncode != 0:
        return f"does not compile: {done.stderr[:500]}"
    link = next(line for line in commands if f"-o bin/{target}" in line)
    link = link[:link.index(" && cd ")] if " && cd " in link else link
    # In a library the broken object comes first, so that the other one is not taken.
    link = link.replace(original, replaced) if original in link else link.replace(f"-o bin/{target}", f"{replaced} -o bin/{target}")
    done = shell(link.replace(f"-o bin/{target}", f"-o {program}"), build)
    if done.returncode != 0:
        return f"does not link: {done.stderr[:500]}"
    noticed = comparison(program, source, *more) if target == "ravel" else unit_test(program)
    return "" if noticed else "no test noticed"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--scratch", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="only files whose name contains this")
    arguments = parser.parse_args()
    scratch = arguments.scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    build = arguments.build.resolve()
    failures = count = 0
    for group in GROUPS:
        commands = commands_of(build, group[2])
        for rule in group[1]:
            if arguments.only not in f"{group[0]}/{rule[0]}":
                continue
            problem = broken(build, arguments.source.resolve(), scratch, commands, group, rule)
            print(f"{'FAIL' if problem else 'ok  '} {group[0]}/{rule[0]}: {rule[1].strip()}{': ' + problem if problem else ''}", flush=True)
            failures += bool(problem)
            count += 1
    print(f"{failures} of {count} broken rules went unnoticed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
