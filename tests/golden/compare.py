#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""compare.py SAMPLES APPROVED [--approve]: the reports that `samples` wrote against the approved ones, byte by byte.

Of the HTML report only its data is compared: the page around it is tested in a browser. JSON on one line is spread out, so
that a difference can be read.
"""
import difflib
import json
import pathlib
import re
import sys

NAMES = ("run", "replay")


def comparable(path: pathlib.Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL).group(1)
    if path.suffix in (".html", ".perfetto"):
        text = "\n".join(compact(json.loads(text))) + "\n"
    return text


def compact(value, depth: int = 0) -> list[str]:
    """Lists and objects that hold no others stay on one line."""
    pad = " " * depth
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if parts is None or not any(isinstance(part, (dict, list)) for _, part in parts):
        return [pad + json.dumps(value, ensure_ascii=False)]
    lines = [pad + ("{" if isinstance(value, dict) else "[")]
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        inner = compact(part, depth + 1)
        if isinstance(value, dict):
            inner[0] = " " * (depth + 1) + json.dumps(key) + ": " + inner[0].lstrip()
        lines += inner
    return lines + [pad + ("}" if isinstance(value, dict) else "]")]


def main() -> int:
    samples, approved = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    made = {path.name: comparable(path) for path in sorted(samples.iterdir()) if path.stem in NAMES}
    if "--approve" in sys.argv:
        approved.mkdir(exist_ok=True)
        for path in approved.iterdir():
            path.unlink()
        for name, text in made.items():
            (approved / name).write_text(text, encoding="utf-8")
        return 0
    wrong = 0
    known = {path.name for path in approved.iterdir()}
    for name in sorted(known | set(made)):
        old = (approved / name).read_text(encoding="utf-8") if name in known else ""
        new = made.get(name, "")
        if old == new and name in known and name in made:
            continue
        wrong += 1
        print(f"FAIL: {name} differs from tests/golden/approved; if that is meant: scripts/approve_golden.sh")
        for line in list(difflib.unified_diff(old.splitlines(), new.splitlines(), "approved", "made", lineterm="", n=2))[:60]:
            print("   ", line[:240])
    print(f"{len(made)} reports compared, {wrong} differ")
    return 1 if wrong or len(made) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
