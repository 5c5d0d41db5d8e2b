# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What a report calls the variable of a race: members of globals, local variables, by the debug information."""
import json
import re

import harness

GLOBALS = {"member": "bank::account.balance", "inherited": "bank::savings.owner.born", "union": "bank::savings.rate",
           "element": "bank::accounts[2].number", "matrix": "bank::matrix[1][4]", "library": "bank::fees+4", "plain": "bank::plain",
           "static": "main::kept.children[1]"}
LOCALS = {"stack": "counter", "object": "local.owner.children[2]", "argument": "owner.born"}
LEVELS = ("-O0", "-O2 -fno-pie -no-pie")


def told(context: harness.Context) -> None:
    source = context.sources / "programs/names/variables.cpp"
    lines = {match.group(1): number for number, line in enumerate(source.read_text().splitlines(), 1)
             if (match := re.search(r"// here: (\w+)", line))}
    for level in LEVELS:
        program = context.build(source, name=f"variables{level.split()[0]}", flags=tuple(level.split()))
        if program is None:
            continue
        for what, name in {**GLOBALS, **LOCALS}.items():
            if what == "argument" and "clang" in context.compiler:
                continue  # it has room for arguments in the caller's frame: nobody's variable there
            report = context.folder / "names.json"
            report.unlink(missing_ok=True)
            done = context.tool("run", "--iterations", 20, "--json", report, "--color", "never", program, what)
            races = [finding for finding in harness.read_json(report).get("findings", []) if finding["kind"] == "data-race"]
            if not context.check(done.code == harness.DEFECT and bool(races), f"{what} {level}: no race was found", done):
                continue
            wanted = name
            if what in LOCALS:
                wanted = f"local '{name}' of T0 ({source.parent}/variables.cpp:{lines[name.split('.')[0]]})"
            text = json.dumps(races)
            context.check(wanted in text and wanted in done.out, f"{what} {level}: no `{wanted}'", done)
            again, _ = context.replay(context.folder / races[0]["plan"], program=(program, what))
            context.check(again.code == harness.DEFECT, f"{what} {level}: the plan does not replay: {again.code}", again)


HEAP = {"new": "Cache::hits_: ", "unique": "Cache::hits_: ", "shared": "Cache::hits_: ", "second": "Cache::hits_ #2: ",
        "pointer": "Record::uses: ", "buffer": "heap+48 (56 bytes from ", "around": "heap+40 (48 bytes from ", "scopes": "local 'later' of T0 "}


def heap(context: harness.Context) -> None:
    """Members of heap objects by the class that the code has a pointer to; a variable by its scope where two share a slot."""
    source = context.sources / "programs/names/heap.cpp"
    for level in LEVELS:
        program = context.build(source, name=f"heap{level.split()[0]}", flags=tuple(level.split()))
        if program is None:
            continue
        for what, name in HEAP.items():
            report = context.folder / "heap.json"
            report.unlink(missing_ok=True)
            done = context.tool("run", "--saved", "ignore", "--iterations", 20, "--no-minimize", "--json", report, "--color", "never",
                                program, what)
            races = [finding for finding in harness.read_json(report).get("findings", []) if finding["kind"] == "data-race"]
            if context.check(done.code == harness.DEFECT and bool(races), f"{what} {level}: no race was found", done):
                context.check(all(race["message"].startswith(name) for race in races), f"{what} {level}: not `{name}'", done)


def in_library(context: harness.Context) -> None:
    """A fault inside the C library is reported where the program called it, and no pointer that was not passed is its cause."""
    source = context.sources / "programs/names/null_argument.cpp"
    program = context.build(source)
    if program is None:
        return
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "no fault", done):
        return
    finding = report["findings"][0]
    wanted = next(number for number, line in enumerate(source.read_text().splitlines(), 1) if "// here: copy" in line)
    context.check(finding["kind"] == "signal" and finding["location"].get("line") == wanted, f"not at line {wanted}", done)
    context.check(finding["location"].get("file", "").endswith(source.name), "not in the program's file", done)
    context.check(not any("next_target" in cause["message"] for cause in finding["causes"]), "a wrong cause", done)
