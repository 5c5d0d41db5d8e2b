#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The harness must be able to fail: reports that are wrong in one way each."""
import contextlib
import copy
import io
import pathlib
import sys
import tempfile

import harness
import source_lines

SOURCE = """// What it is.
//
// expect: kind=deadlock|step-limit threads=T1|T2,T0 lines=first,second preemptions=1 also=data-race message=cycle
// operations: lock,unlock
first.lock();   // here: first
second.lock();  // here: second
"""
GOOD = {"findings": [{
    "kind": "deadlock", "message": "a cycle of two", "location": {"file": "a/two.cpp", "line": 5, "text": "two.cpp:5"},
    "threads": [{"index": 0}, {"index": 2}], "preemptions": 1, "plan": "two.plan",
    "details": ["T2 waits for first, held by T1 since two.cpp:6"], "related": [{"kind": "data-race"}]}]}


def spoilt():
    """Name and report, each with one thing wrong."""
    def change(name, edit, code=harness.DEFECT):
        report = copy.deepcopy(GOOD)
        edit(report["findings"])
        return name, report, code
    yield change("exit code", lambda findings: None, code=0)
    yield change("nothing found", lambda findings: findings.clear())
    yield change("kind", lambda findings: findings[0].update(kind="assertion"))
    yield change("further kind", lambda findings: findings.append({"kind": "misuse"}))
    yield change("further related kind", lambda findings: findings[0].update(related=[{"kind": "signal"}]))
    yield change("line", lambda findings: findings[0].update(details=["two.cpp:60"]))
    yield change("file", lambda findings: findings[0].update(location={"file": "other.cpp", "line": 5}))
    yield change("thread", lambda findings: findings[0].update(threads=[{"index": 0}, {"index": 3}]))
    yield change("preemptions", lambda findings: findings[0].update(preemptions=0))
    yield change("message", lambda findings: findings[0].update(message="something"))
    yield change("plan", lambda findings: findings[0].update(plan="absent.plan"))


LINES = """struct A {
  int x = 0;  // 2 }
};
int main() {
  std::thread c([&] {
    ++v;
    w = "};";
  });
  f(1'000,
    2);
  for (int i = 0; i < 3; ++i) {
    g();
  }
}
"""


def wrong_lines() -> list:
    """Lines that another compiler may give to an operation: of these, where something is known."""
    source, known = source_lines.SourceLines(LINES), {2, 5, 6, 7, 9, 12}
    expected = {(1, True): [2], (2, True): [2], (5, True): [5, 6, 7], (5, False): [5], (6, True): [6], (8, True): [5], (10, True): [9], (11, True): [],
                (13, True): [], (14, True): []}
    found = {(line, memory): source.near(line, known, memory) for line, memory in expected}
    return [f"line {key[0]}: {found[key]}, not {expected[key]}" for key in expected if found[key] != expected[key]]


def verdict(folder: pathlib.Path, report: dict, code: int) -> bool:
    context = harness.Context(pathlib.Path("ravel"), folder, folder / "scratch", "g++")
    done = harness.Finished(["ravel", "run", str(folder / "two")], code, "", "", 0.1)
    with contextlib.redirect_stdout(io.StringIO()):
        harness.check_finding(context, "two", harness.expectation_of(folder / "two.cpp"), done, report)
        return context.end() == 0


def main() -> int:
    wrong = wrong_lines()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "two.cpp").write_text(SOURCE)
        (folder / "two.plan").write_text("")
        if not verdict(folder, GOOD, harness.DEFECT):
            wrong.append("the good report is refused")
        wrong += [f"not noticed: {what}" for what, report, code in spoilt() if verdict(folder, report, code)]
        context = harness.Context(pathlib.Path("ravel"), folder, folder / "scratch", "g++")
        with contextlib.redirect_stdout(io.StringIO()):
            if context.end() == 0:
                wrong.append("a test without a check passes")
            context.ravel = folder / "two.plan"  # some file: it is not called
            kept = harness.built_before.place_of(context, folder / "two.cpp", context.words_of(folder / "two.cpp"))
            kept.parent.mkdir(exist_ok=True)
            kept.write_text("")
            if context.build(folder / "two.cpp") is None or context.end() == 0:
                wrong.append("a test that only builds passes")
            done = context.command(["sleep", "5"], timeout=0.1)
            (kept.parent / "renamed").symlink_to("by another group since the folder was listed")
            harness.built_before.keep(folder / "two.plan", kept)
            if not kept.exists() or harness.built_before.take(kept.parent / "renamed", folder / "two"):
                wrong.append("programs that are built before: what another group does in the folder counts")
        if done.code == 0:
            wrong.append("a command that hangs passes")
        try:
            (folder / "bad.cpp").write_text(SOURCE.replace("lines=first", "lines=third"))
            harness.expectation_of(folder / "bad.cpp")
            wrong.append("an unknown marker passes")
        except ValueError:
            pass
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
