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


def body(lines: int) -> str:
    return "  x();\n" * (lines - 2)


FUNCTIONS = [
    ("void f() {\n" + body(60) + "}\n", None),
    ("void f() {\n" + body(61) + "}\n", "f() has 61 lines, at most 60"),
    ("template <class T>\n__attribute__((noinline)) T f(int a,\n    int b) {\n" + body(59) + "}\n", "f() has 61 lines"),
    ("class A {\n  void f() {\n" + "    x();\n" * 59 + "  }\n};\n", "f() has 61 lines"),
    ("namespace a {\n" + body(90) + "}\n", None),
    ('void f() {\n  x(R"(g() {\n' + body(58) + '}\n)");\n}\n', "f() has 61 lines"),
    ("constexpr int k[] = {\n" + "    f(1),\n" * 90 + "};\n", None),
]

A_TYPE = "namespace a {\n\nclass X final : public Y {\n};\n\n}  // namespace a\n"
HIDDEN = "namespace a {\nnamespace {\n\nstruct X {\n};\n\n}  // namespace\n}  // namespace a\n"
ELSEWHERE = "namespace b {\n\nstruct X {\n};\n\n}  // namespace b\n"


def main() -> int:
    failures = 0
    for other, expected in ((A_TYPE.replace("class X final : public Y", "struct X"), ["src/1.h and src/2.h both define a::X"]), (HIDDEN, []), (ELSEWHERE, [])):
        wrong = house_rules.check_types({"src/1.h": A_TYPE, "src/2.h": other})
        if wrong != expected:
            failures += 1
            print(f"types: wanted {expected}, got {wrong}")
    for text, expected in FUNCTIONS:
        wrong = house_rules.check_functions("src/a.cc", text)
        if bool(wrong) != (expected is not None) or (expected is not None and expected not in wrong[0]):
            failures += 1
            print(f"function: wanted {expected}, got {wrong}")
    if house_rules.check_lengths([100] * 90 + [249] * 10) or not house_rules.check_lengths([100] * 89 + [250] * 11):
        failures += 1
        print("the length of nine files of ten is not checked")
    for name, text, expected in CASES:
        wrong = house_rules.check_text(name, text)
        good = not wrong if expected is None else len(wrong) == 1 and expected in wrong[0]
        if not good:
            failures += 1
            print(f"{name}: wanted {expected}, got {wrong}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
