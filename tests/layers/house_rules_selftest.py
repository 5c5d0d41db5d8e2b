#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Each rule of house_rules.py must be able to fail."""
import sys

import house_rules

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// SPDX-FileCopyrightText: The Ravel authors\n"
CASES = [
    ("src/a/x.cc", HEAD + "int x;\n", None),
    ("src/a/x.cc", "int x;\n", "SPDX"),
    ("src/a/x.cc", HEAD + "int x;\n" * 799, "801 lines"),
    ("tests/unit/x_test.cc", HEAD + "int x;\n" * 799, None),
    ("tests/unit/x_test.cc", HEAD + "int x;\n" * 999, "1001 lines"),
    ("src/a/x.cc", HEAD + "// TO" + "DO later\n", "unfinished"),
    ("docs/x.md", "see /ho" + "me/someone/x\n", "path of a machine"),
    ("docs/x.md", "fixes issue " + "#12\n", "number of a tracker"),
    ("docs/x.md", "from npm" + "js.org\n", "registry host"),
    ("src/a/x.cc", HEAD + "\tint x;\n", "tab"),
    ("src/a/README.md", "line\n" * 61, "one screen"),
]


def main() -> int:
    failures = 0
    for name, text, expected in CASES:
        wrong = house_rules.check_text(name, text)
        good = not wrong if expected is None else len(wrong) == 1 and expected in wrong[0]
        if not good:
            failures += 1
            print(f"{name}: wanted {expected}, got {wrong}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
