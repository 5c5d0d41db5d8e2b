#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The layers of runtime/ as the linker sees them: a symbol comes from the layer itself or from one below it.

Usage: links.py ROOT BUILD. Reads the symbols of the runtime's object files (those of sources that are there). UPCALLS are the functions that a layer declares and one above
it supplies; a function that is not on the list, or is on it in vain, is named, and the script ends with 1.
"""
import collections
import pathlib
import re
import subprocess
import sys

import layers

UPCALLS = {
    # platform/raw.h
    "note_internal_error": "runtime/state",
    # record/end_of_execution.h
    "finish_cut": "runtime/ending",
    "finish_deadlock": "runtime/ending",
    "finish_diverged": "runtime/ending",
    "finish_failure": "runtime/ending",
    "finish_step_limit": "runtime/ending",
    "finish_held": "runtime/ending",
    "finish_abandoned": "runtime/ending",
    "near_step_limit": "runtime/ending",
    "note_exit": "runtime/ending",
    "note_failure": "runtime/ending",
    "stop_for_debugger": "runtime/ending",
    # schedule/upcalls.h
    "act_on_cancellation": "runtime/signals",
    "fire_timers": "runtime/signals",
    "refresh_waiting_io": "runtime/world",
    "run_handlers": "runtime/signals",
    "show_threads_to_debugger": "runtime/ending",
    "wait_for_foreign": "runtime/world",
    "wait_for_outside": "runtime/world",
    # world/outside_signals.h
    "somebody_waits_for_signals": "runtime/signals",
    "take_outside_signals": "runtime/signals",
}
OBJECTS = ("ravel_runtime.dir", "ravel_policy.dir")


def symbols(root: pathlib.Path, build: pathlib.Path):
    """(layer, 'U' or 'T', symbol) of every object of the runtime."""
    for folder in OBJECTS:
        base = build / "src/CMakeFiles" / folder
        for path in sorted((base / "runtime").rglob("*.o")):
            if not (root / "src" / path.relative_to(base).with_suffix("")).is_file():
                continue  # left over from a file that was moved
            layer = layers.layer_of(path.parent.relative_to(base).as_posix())
            listed = subprocess.run(["nm", "-C", str(path)], capture_output=True, text=True, check=True).stdout
            for match in re.finditer(r"^\s*[0-9a-f]* ([UTBDRVW]) (.*ravel.*)$", listed, re.MULTILINE):
                yield layer, "U" if match.group(1) == "U" else "T", match.group(2)


def check(found) -> list[str]:
    supplied = collections.defaultdict(set)
    wanted = collections.defaultdict(set)
    for layer, kind, symbol in found:
        (wanted if kind == "U" else supplied)[symbol].add(layer)
    upwards = {}
    wrong = []
    for symbol, users in sorted(wanted.items()):
        name = re.sub(r"\(.*", "", symbol).split("::")[-1]
        for user in sorted(users):
            above = {layer for layer in supplied[symbol] if not layers.may_include(user, layer)}
            if not above or above != supplied[symbol]:
                continue
            upwards[name] = above
            if above != {UPCALLS.get(name)}:
                wrong.append(f"{user} uses {symbol} of {', '.join(sorted(above))}")
    return wrong + [f"links.py: {name} is no call upwards any more" for name in UPCALLS if name not in upwards]


def main() -> int:
    found = list(symbols(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
    wrong = check(found) if found else ["links.py: no object files found"]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
