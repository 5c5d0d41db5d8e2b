# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Programs that the literature measures by: the plain command finds each within few schedules, however many threads there are, and covers
the repaired twin where that is small."""
import json
import pathlib

import harness

# Schedules within which the defect must be found, with the seed that is the default. Rare ones are in `everything'.
FEW = 100
DAILY = ("reorder", "twostage", "account", "work_stealing", "lru_cache", "bounded_buffer", "port_delete", "dump_restart")
RARE = {"safe_stack"}  # millions of schedules
EXECUTIONS = 20_000


def expected(context: harness.Context, folder: str = "classic"):
    for path in sorted((context.sources / "corpus" / folder).glob("*.expect.json")):
        name = path.name.removesuffix(".expect.json")
        if context.only in name:
            yield name, path.with_name(f"{name}.cpp"), json.loads(path.read_text(encoding="utf-8"))


def check_found(context: harness.Context, name: str, source: pathlib.Path, wanted: dict) -> None:
    program = context.build(source, name=name)
    if program is None:
        return
    for arguments in wanted["arguments"]:
        report = context.folder / "classic.json"
        done = context.tool("run", "--json", report, "--no-minimize", "--iterations", EXECUTIONS, "--", program, *arguments)
        facts = harness.read_json(report)
        kinds = {finding["kind"] for finding in facts.get("findings", [])}
        what = f"{name} {' '.join(arguments)}"
        context.check(done.code == harness.DEFECT and wanted["kind"] in kinds, f"{what}: exit code {done.code}, {kinds}", done)
        context.check(facts.get("executions", EXECUTIONS) <= FEW, f"{what}: {facts.get('executions')} schedules", done)


def check_twin(context: harness.Context, name: str, source: pathlib.Path, wanted: dict) -> None:
    program = context.build(source, name=f"{name}-fixed", defines=("FIXED",))
    if program is None:
        return
    done, report = context.run(program, "--iterations", EXECUTIONS)
    context.check(done.code == harness.CLEAN and not report.get("findings"), f"{name} (fixed): exit code {done.code}", done)
    alone, covered = context.run(program, "--strategy", "dpor", "--iterations", 1_001)
    if alone.code == harness.CLEAN and covered.get("complete"):
        context.check(report.get("complete") and report.get("behaviours") == covered.get("executions"),
                      f"{name} (fixed): {report.get('behaviours')} behaviours, dpor alone {covered.get('executions')}", done)


def twins(context: harness.Context) -> None:
    """Of programs that others measure by: small twins are covered by the plain command, with the number that dpor has alone."""
    for folder in ("values", "noise"):
        for name, source, wanted in expected(context, folder):
            check_twin(context, name, source, wanted)


def daily(context: harness.Context) -> None:
    for name, source, wanted in expected(context):
        if name in DAILY:
            check_found(context, name, source, wanted)
            check_twin(context, name, source, wanted)


def everything(context: harness.Context) -> None:
    for name, source, wanted in expected(context):
        if name not in RARE:
            check_found(context, name, source, wanted)
        check_twin(context, name, source, wanted)
