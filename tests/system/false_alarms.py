# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Correct programs that are easily taken for wrong ones (tests/false_alarms): the plain command finds nothing in them."""
import harness

IN_FULL = 10_000
IN_SAMPLE = 100
ONE_OF = 4  # programs in the sample of the second compiler


def run(context: harness.Context, executions: int, one_of: int = 1) -> None:
    for number, source in enumerate(harness.sources_in(context.sources / "false_alarms")):
        if context.only not in source.name or number % one_of != 0:
            continue
        wanted = harness.expectation_of(source)
        context.check(wanted.clean, f"{source.stem}: all programs here are correct")
        program = context.build(source, libraries=tuple(wanted.notes.get("libraries", "").split()))
        if program is None:
            continue
        # A long program: fewer executions in both kinds of runs.
        longest = int(wanted.notes.get("executions", IN_FULL))
        times = max(executions * longest // IN_FULL, 3)
        done, report = context.run(program, "--iterations", times)
        context.check(done.code == harness.CLEAN and (report.get("executions") == times or report.get("complete")),
                      f"{source.stem}: exit code {done.code} after {report.get('executions')} executions", done)


def sample(context: harness.Context) -> None:
    run(context, IN_SAMPLE, 1 if context.compiler == "g++" else ONE_OF)


def full(context: harness.Context) -> None:
    run(context, IN_FULL)
