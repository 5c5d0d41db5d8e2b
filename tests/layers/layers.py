#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Folders are the architecture: includes may point downwards only.

Usage: layers.py ROOT. Reads every #include of ROOT/src and ROOT/include, prints one line per wrong one, and ends with 1
when there was any. LAYERS is the whole rule: a folder may include itself and what its row names. The longest
matching folder counts, so that model/text (tool) is told from model (runs inside the tested process). The rows may not
form a cycle.
"""
import pathlib
import re
import sys

CORE = {"base", "model", "wire", "semantics"}
ENGINE = CORE | {"causality", "explore", "detect", "cover"}
SEES_TRACES = {"base", "model", "semantics", "causality"}
TOOL = {"base", "model", "model/text", "wire"}


def below(*names: str) -> set[str]:
    """Folders of runtime/."""
    return {"runtime/" + name for name in names}


# Inside runtime/, bottom up. What a layer asks of those above it is declared in a header of its own that says who supplies it:
# platform/raw.h, memory/hooks.h, record/end_of_execution.h, schedule/upcalls.h, world/outside_signals.h.
RUNTIME = {
    "runtime/platform": set(),
    "runtime/memory": below("platform"),
    "runtime/state": CORE | below("platform"),
    "runtime/fiber": {"base"} | below("platform", "state"),
    "runtime/record": {"base", "model", "wire", "semantics"} | below("platform", "memory", "state", "fiber"),
    "runtime/policy": CORE,
    "runtime/schedule": CORE | below("platform", "memory", "state", "fiber", "record", "policy"),
    "runtime/sync": CORE | below("platform", "state", "fiber", "record", "schedule"),
    "runtime/access": CORE | below("platform", "memory", "state", "record", "schedule"),
    "runtime/world": CORE | below("platform", "state", "fiber", "record", "schedule", "sync"),
    "runtime/signals": CORE | below("platform", "state", "fiber", "record", "schedule", "sync", "world"),
    "runtime/ending": CORE | below("platform", "state", "fiber", "record", "schedule", "sync", "world", "signals"),
    "runtime/entry": CORE | below("platform", "state", "fiber", "record", "schedule", "sync", "world", "signals", "ending"),
    "runtime/callouts": CORE | below("platform", "state", "record", "schedule", "access"),
    "runtime/intercept": CORE | below("platform", "state", "fiber", "record", "schedule", "sync", "access", "world", "signals", "ending",
                                      "entry"),
}

LAYERS = {
    "base": set(),
    "model": {"base"},
    "wire": {"base", "model"},
    "semantics": {"base", "model"},
    "causality": {"base", "model", "semantics"},
    # A TraceView is all that they see of an execution, whoever owns the memory.
    "explore": SEES_TRACES,
    "detect": SEES_TRACES,
    # Metrics stand on what detectors compute: locks held, locksets.
    "cover": SEES_TRACES | {"detect"},
    "engine": ENGINE,
    **RUNTIME,
    "isolate": ENGINE | {"engine", *RUNTIME},
    "free": ENGINE | {"engine", *RUNTIME},
    "model/text": {"base", "model", "wire", "semantics"},
    "driver": TOOL,
    "tune": TOOL | ENGINE | {"driver"},
    "symbols": TOOL | {"driver"},
    "statics": TOOL | ENGINE | {"driver", "symbols"},
    "store": TOOL | ENGINE | {"driver"},
    "report": TOOL | ENGINE | {"driver", "symbols"},
    "investigate": TOOL | ENGINE | {"engine", "driver", "symbols", "statics", "report"},
    "cli": TOOL | ENGINE | {"engine", "driver", "tune", "symbols", "statics", "store", "report", "investigate", "runtime/policy"},
    "": {"model", "cli"},  # main.cc
    "ravel": set(),  # include/ravel: what a test author includes stands alone
}

# Includes that point upwards, as pairs of file and header. A pair that is not there any more has to leave the list.
EXCEPTIONS: set[tuple[str, str]] = set()

# Folders whose code also runs inside the tested process: standard and system headers only.
INNER = {"base", "model", "wire", "semantics", "causality", "explore", "detect", "cover", "engine", *RUNTIME,
         "isolate", "free", "ravel"}
THIRD_PARTY = re.compile(r"^(fmt|nlohmann|CLI|llvm|llvm-c|tl|gtest|gmock|rapidcheck|boost|absl|benchmark|catch2|doctest)/"
                         r"|^(sqlite3|zstd|xxhash|json)\.(h|hpp)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(folder: str) -> str | None:
    """The longest row of LAYERS that holds `folder`; None when the folder is not part of the plan."""
    parts = folder.split("/") if folder else []
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if name in LAYERS:
            return name
    return "" if not parts else None


def may_include(source: str, target: str) -> bool:
    return source == target or target in LAYERS[source]


def cycle(layers: dict[str, set[str]]) -> list[str]:
    """Layers that cannot be put into an order; empty when all can."""
    left = dict(layers)
    while True:
        lowest = [name for name, row in left.items() if not (row - {name}) & left.keys()]
        if not lowest:
            return sorted(left)
        for name in lowest:
            del left[name]


def check(root: pathlib.Path, exceptions: set[tuple[str, str]] = frozenset()) -> list[str]:
    wrong = [f"layers.py: the rows form a cycle: {' '.join(cycle(LAYERS))}"] if cycle(LAYERS) else []
    unused = set(exceptions)
    for top in ("src", "include"):
        base = root / top
        for path in sorted(base.rglob("*")):
            if path.suffix not in (".h", ".cc", ".S", ".inc") or not path.is_file():
                continue
            folder = path.parent.relative_to(base).as_posix()
            source = layer_of("" if folder == "." else folder)
            name = path.relative_to(root).as_posix()
            if source is None:
                wrong.append(f"{name}: folder '{folder}' is not in the table of layers")
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match and (name, match.group(2)) in exceptions:
                    unused.discard((name, match.group(2)))
                elif match:
                    wrong += [f"{name}:{number}: {text}" for text in check_include(root, path, source, *match.groups())]
    wrong += [f"layers.py: exception {name} -> {included} is not needed any more" for name, included in sorted(unused)]
    return wrong


def check_include(root: pathlib.Path, path: pathlib.Path, source: str, bracket: str, included: str) -> list[str]:
    if THIRD_PARTY.search(included):
        if source == "ravel" and included.startswith(path.stem + "/"):
            return []  # the header for users of that test framework
        return [f"third-party header {included} in {source}"] if source in INNER else []
    if bracket == "<" and not included.startswith("ravel/"):
        return []
    found = next((base for base in (root / "src", root / "include") if (base / included).is_file()), None)
    if found is None:
        beside = (path.parent / included).is_file()
        return [f'"{included}" is not a path from src/' + (" (write the whole path)" if beside else "")]
    target = layer_of(pathlib.PurePosixPath(included).parent.as_posix().removeprefix("."))
    if target == "ravel" or (target is not None and may_include(source, target)):
        return []
    return [f"{source or 'main'} may not include {included}"]


def main() -> int:
    wrong = check(pathlib.Path(sys.argv[1]), EXCEPTIONS)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
