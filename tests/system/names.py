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
