#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Rules of CONTRIBUTING that a machine can see: licence lines, file length, words that do not belong in a tree.

Usage: house_rules.py ROOT. One line a breach; ends with 1 when there was any.
"""
import pathlib
import re
import sys

SKIPPED = {".git", "build", ".ravel", "node_modules", "__pycache__", ".cache"}
TEXT = {".h", ".cc", ".cpp", ".c", ".S", ".inc", ".py", ".sh", ".md", ".cmake", ".txt", ".json", ".yml", ".gdb", ".plan", ".trace",
        ".js", ".mjs", ".css", ".html"}
LICENSED = {".h", ".cc", ".cpp", ".c", ".S", ".inc", ".py", ".sh", ".js", ".mjs", ".css"}
LINES = ("SPDX-License-Identifier: Apache-2.0", "SPDX-FileCopyrightText: The Ravel authors")
SHORT_README = 60  # one screen of a folder's README

# The parts are joined here so that this file does not break its own rule.
WORDS = [
    (re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b"), "unfinished work"),
    (re.compile(r"(?<![\w.])/(" + "|".join(("ho" + "me", "ro" + "ot", "wo" + "rk", "Us" + "ers")) + r")/\w"), "path of a machine"),
    (re.compile(r"\b(issue|ticket|pr|pull request)\s*#?\d+\b", re.IGNORECASE), "number of a tracker"),
    (re.compile(r"(?i)\b(pypi\.org|npmjs\.(org|com)|deb\.debian\.org|registry\.\w+\.\w+|crates\.io)\b"), "registry host"),
]


def limit_of(name: str) -> int:
    return 1000 if name.startswith("tests/") else 800


def check_text(name: str, text: str) -> list[str]:
    wrong = []
    lines = text.splitlines()
    suffix = pathlib.PurePosixPath(name).suffix
    if suffix in LICENSED and not all(any(wanted in line for line in lines[:3]) for wanted in LINES):
        wrong.append(f"{name}: the two SPDX lines are missing at the top")
    if suffix in LICENSED and len(lines) > limit_of(name):
        wrong.append(f"{name}: {len(lines)} lines, at most {limit_of(name)}")
    if re.fullmatch(r"src/.+/README\.md", name) and len(lines) > SHORT_README:
        wrong.append(f"{name}: {len(lines)} lines are more than one screen")
    for number, line in enumerate(lines, 1):
        if "\t" in line and suffix in LICENSED - {".S"}:
            wrong.append(f"{name}:{number}: tab")
        for pattern, what in WORDS:
            if pattern.search(line):
                wrong.append(f"{name}:{number}: {what}: {line.strip()[:80]}")
    return wrong


def files(root: pathlib.Path):
    for path in sorted(root.iterdir()):
        if path.name in SKIPPED or path.is_symlink():
            continue
        if path.is_dir():
            yield from files(path)
        elif path.suffix in TEXT or path.name in ("Makefile", "run"):
            yield path


def check(root: pathlib.Path) -> list[str]:
    wrong = []
    for path in files(root):
        wrong += check_text(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    for folder in sorted((*(root / "src").glob("*/"), *(root / "src/runtime").glob("*/"))):
        if any(folder.rglob("*.cc")) and not (folder / "README.md").is_file():
            wrong.append(f"{folder.relative_to(root).as_posix()}: no README.md")
    return wrong


def main() -> int:
    wrong = check(pathlib.Path(sys.argv[1]))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
