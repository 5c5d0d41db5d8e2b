#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""layers.py must see a wrong include, and must not cry over a right one."""
import pathlib
import sys
import tempfile

import layers

RIGHT = [
    ("src/base/arena.h", "#include <cstddef>"),
    ("src/model/event.h", '#include "base/arena.h"'),
    ("src/model/text/trace_text.cc", '#include <fmt/format.h>\n#include "model/event.h"'),
    ("src/engine/loop.cc", '#include "model/event.h"'),
    ("src/runtime/schedule/point.cc", '#include "runtime/policy/policy.h"'),
    ("src/runtime/schedule/point.h", '#include "model/event.h"'),
    ("src/runtime/fiber/arch/x86_64/switch.S", '#include "runtime/state/state.h"'),
    ("src/runtime/state/state.h", ""),
    ("src/runtime/policy/policy.h", '#include "model/event.h"'),
    ("src/isolate/worker.cc", '#include "engine/loop.h"\n#include "runtime/policy/policy.h"'),
    ("src/engine/loop.h", ""),
    ("src/cli/run.cc", '#include <CLI/CLI.hpp>\n#include "model/text/trace_text.h"\n#include "driver/driver.h"'),
    ("src/model/text/trace_text.h", ""),
    ("src/driver/driver.h", '#include "model/event.h"'),
    ("include/ravel/gtest.h", "#include <gtest/gtest.h>"),
]
WRONG = [
    ("src/base/bad.h", '#include "model/event.h"', "base may not include"),
    ("src/model/bad.cc", '#include "model/text/trace_text.h"', "model may not include"),
    ("src/runtime/sync/bad.cc", '#include "engine/loop.h"', "runtime/sync may not include"),
    ("src/runtime/record/bad.cc", '#include "runtime/schedule/point.h"', "runtime/record may not include"),
    ("src/runtime/fiber/arch/bad.cc", '#include "runtime/schedule/point.h"', "runtime/fiber may not include"),
    ("src/runtime/policy/bad.cc", '#include "runtime/state/state.h"', "runtime/policy may not include"),
    ("src/runtime/attic/bad.cc", "", "not in the table of layers"),
    ("src/runtime/bad.cc", "", "not in the table of layers"),
    ("src/runtime/policy/bad.cc", '#include "isolate/worker.h"', "not a path from src/"),
    ("src/driver/bad.cc", '#include "engine/loop.h"', "driver may not include"),
    ("src/engine/bad.cc", "#include <fmt/format.h>", "third-party header"),
    ("include/ravel/bad.h", "#include <gtest/gtest.h>", "third-party header"),
    ("include/ravel/gtest.h", "#include <doctest/doctest.h>", "third-party header"),
    ("src/engine/bad.cc", '#  include "nlohmann/json.hpp"', "third-party header"),
    ("src/cli/bad.cc", '#include "isolate/worker.h"', "not a path from src/"),
    ("src/engine/bad.cc", '#include "loop.h"', "write the whole path"),
    ("src/attic/bad.cc", "", "not in the table of layers"),
]


def write(root: pathlib.Path, name: str, text: str) -> pathlib.Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def main() -> int:
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in RIGHT:
            write(root, name, text)
        failures += [f"unexpected: {line}" for line in layers.check(root)]
        for name, text, expected in WRONG:
            path = write(root, name, text)
            lines = layers.check(root)
            path.unlink()
            if len(lines) != 1 or expected not in lines[0]:
                failures.append(f"{name} with {text!r}: wanted '{expected}', got {lines}")
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
        upwards = ("src/runtime/state/bad.cc", "runtime/schedule/point.h")
        failures += [f"exception not seen to be unused: {upwards}"] if len(layers.check(root, {upwards})) != 1 else []
        write(root, upwards[0], f'#include "{upwards[1]}"')
        failures += [f"exception not taken: {line}" for line in layers.check(root, {upwards})]
    if layers.cycle({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"a"}}) != ["a", "b", "c", "e"]:
        failures.append("a cycle of rows is not seen")
    for line in failures:
        print(line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
