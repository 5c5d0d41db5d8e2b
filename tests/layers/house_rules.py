#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Rules of CONTRIBUTING that a machine can see: licence lines, length of files and functions, names that two types share, words that do
not belong in a tree.

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

LONGEST_FUNCTION = 60
COMMON_FILE = 250  # nine of ten files of src/ are shorter

# What begins a block with parentheses that is no function: control flow, types, rows of tables.
OTHER_BLOCK = re.compile(r'(namespace|class|struct|enum|union|extern "C"|if|for|while|switch|do|else|try|catch|case|default)\b|[{}]'
                         r"|template\s*<[^()]*>\s*(class|struct)\b")

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


def in_raw_string(found: re.Match) -> str:
    """As many lines, none of which begins or ends a block."""
    return '""' + "\n ;" * found.group().count("\n")


def functions(text: str):
    """(name, lines) of every function with a body; relies on clang-format's layout."""
    lines = re.sub(r'R"(\w*)\(.*?\)\1"', in_raw_string, text, flags=re.DOTALL).splitlines()
    for number, line in enumerate(lines):
        if not line.endswith("{") or line.lstrip().startswith(("//", "#")):
            continue
        first = number
        while first > 0 and (before := lines[first - 1].strip()) and not before.endswith((";", "{", "}", ":")) \
                and not before.startswith(("//", "#")):
            first -= 1
        head = " ".join(part.strip() for part in lines[first : number + 1])
        head = re.sub(r"__attribute__\(\(.*?\)\)\s*|\[\[.*?\]\]\s*|^template <[^()]*> ", "", head)
        name = re.search(r"(\w+)\(", head)
        if name is None or OTHER_BLOCK.match(head) or " = {" in head:
            continue
        closing = lines[first][: len(lines[first]) - len(lines[first].lstrip())] + "}"
        last = next((at for at in range(number + 1, len(lines)) if lines[at].startswith(closing)), number)
        yield name.group(1), last - first + 1


def check_functions(name: str, text: str) -> list[str]:
    return [f"{name}: {function}() has {lines} lines, at most {LONGEST_FUNCTION}" for function, lines in functions(text) if lines > LONGEST_FUNCTION]


def types(text: str):
    """Names, with their namespaces, of the types that a file defines for the whole program; relies on clang-format's layout."""
    spaces = []
    for line in text.splitlines():
        if opened := re.match(r"(?:inline )?namespace(?: ([\w:]+))? \{", line):
            spaces.append(opened.group(1) or "")
        elif line.startswith("}  // namespace") and spaces:
            spaces.pop()
        elif "" not in spaces and (found := re.match(r"(?:struct|class|enum class|enum|union) (?:alignas\(.*?\) )?(\w+)(?: final)?(?: : [^;]*)? \{", line)):
            yield "::".join((*spaces, found.group(1)))


def check_types(texts: dict[str, str]) -> list[str]:
    """The linker takes one of two types' functions for both, without a word."""
    places = {}
    for name, text in texts.items():
        for found in set(types(text)):
            places.setdefault(found, []).append(name)
    return [f"{' and '.join(names)} both define {found}" for found, names in sorted(places.items()) if len(names) > 1]


def check_lengths(sizes: list[int]) -> list[str]:
    if not sizes:
        return []
    common = sorted(sizes)[len(sizes) * 9 // 10]
    return [f"src: one of ten files has {common} lines or more, fewer than {COMMON_FILE} are wanted"] if common >= COMMON_FILE else []


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
    sources = {}
    for path in files(root):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        wrong += check_text(name, text)
        if name.startswith("src/") and path.suffix in (".h", ".cc", ".c", ".inc"):
            wrong += check_functions(name, text)
            sources[name] = text
    wrong += check_lengths([len(text.splitlines()) for text in sources.values()])
    wrong += check_types(sources)
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
