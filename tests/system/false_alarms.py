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
        if executions == IN_FULL and "red" not in wanted.notes:
            times = context.times_within_work(program, times)
            print(f"{source.stem}: {times} executions", flush=True)
        if red := wanted.notes.get("red"):
            known_red(context, program, times, red)
            continue
        done, report = context.run(program, "--iterations", times)
        context.check(done.code == harness.CLEAN and (report.get("executions") == times or report.get("complete")),
                      f"{source.stem}: exit code {done.code} after {report.get('executions')} executions", done)


def known_red(context: harness.Context, program, times: int, red: str) -> None:
    """A false alarm that is not mended yet: nothing beyond it may be found, and it is named in the output."""
    done, report = context.run(program, "--iterations", times, "--keep-going", "--no-minimize")
    kinds = {finding["kind"] for finding in report.get("findings", [])}
    context.check(done.code in (harness.CLEAN, harness.DEFECT) and kinds <= {red.split()[0]}, f"{program.name}: {kinds}, known is {red}", done)
    print(f"known false alarm: {program.name}: {red}" if kinds else f"{program.name} is clean now: take its `// red:' away")


def sample(context: harness.Context) -> None:
    run(context, IN_SAMPLE, 1 if context.compiler == "g++" else ONE_OF)


def full(context: harness.Context) -> None:
    run(context, IN_FULL)
