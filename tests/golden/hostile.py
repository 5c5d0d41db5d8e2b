#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""hostile.py SAMPLES XMLLINT: reports of a program whose every text tries to break them. What a browser does with them is in
tests/browser."""
import json
import pathlib
import re
import subprocess
import sys

# Those of the page, and the data.
SCRIPTS = len(list((pathlib.Path(__file__).parents[2] / "share/html").glob("*.js"))) + 1
failures = []


def check(good: bool, message: str) -> None:
    if not good:
        failures.append(message)
        print("FAIL:", message)


def main() -> int:
    samples, xmllint = pathlib.Path(sys.argv[1]), sys.argv[2]
    files = sorted(samples.glob("*"))
    check(len([path for path in files if path.stem.startswith("hostile")]) >= 12, "hostile samples of every format")
    for path in files:
        data = path.read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            check(False, f"{path.name}: not UTF-8: {error}")
            continue
        controls = re.findall(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
        allowed = path.suffix in (".json", ".sarif", ".perfetto", ".html") and set(controls) <= {"\x7f"}  # JSON escapes the others
        check(not controls or allowed, f"{path.name}: control characters {set(controls)}")
        if path.suffix in (".json", ".sarif", ".perfetto"):
            json.loads(text)
        if path.suffix == ".junit":
            done = subprocess.run([xmllint, "--noout", "--nonet", path], capture_output=True, text=True, check=False)
            check(done.returncode == 0, f"{path.name}: {done.stderr[:500]}")
            check(len(data) < 1 << 20, f"{path.name}: {len(data)} bytes")
        if path.suffix == ".github":
            check(all(line.startswith("::error ") for line in text.split("\n")[:-1]), f"{path.name}: a line that is no annotation")
            check("\n::error::injected" not in text, f"{path.name}: a command of the program got through")
            check(all(len(line) < 20000 for line in text.splitlines()), f"{path.name}: a line too long")
        if path.suffix == ".html":
            hole = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
            check(hole is not None and "<" not in hole.group(1), f"{path.name}: markup in the data")
            json.loads(hole.group(1))
            check(text.count("<script") == text.count("</script>") == SCRIPTS, f"{path.name}: {text.count('<script')} scripts")
            check(not re.search(r"(src|href)=[\"']?https?:", text), f"{path.name}: refers to the network")
        if path.suffix == ".console":
            check(all(len(line) < 20000 for line in text.splitlines()) or "hostile" not in path.name, f"{path.name}: a line too long")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
