# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The replay suite on machines that allow less: no personality(2), no wrfsbase, inside a user namespace."""
import subprocess

import determinism
import harness
import replay

PERSONALITY = 135  # x86-64
IN_CI = "deadlock"  # programs of the corpus whose name has it; `full' takes all


def launcher(context: harness.Context) -> list:
    tool = context.folder / "deny"
    done = context.command(["gcc", "-O1", "-o", tool, context.sources / "system/deny.c"])
    context.check(done.code == 0, "the launcher does not compile", done)
    return [tool, PERSONALITY]


def suite(context: harness.Context) -> None:
    replay.passing(context)
    replay.elsewhere(context)
    if not context.only:
        replay.foreign(context)
        determinism.chance(context)


def no_personality(context: harness.Context, only: str = IN_CI) -> None:
    """Address randomisation stays on, as in a container with a strict filter. Refused calls must not change a trace."""
    context.launcher = launcher(context)
    context.only = context.only or only
    program = context.build(context.sources / "programs/mutex_kinds.cpp")
    done, report = context.run(program, "--iterations", 5)
    context.check(done.code == harness.CLEAN, f"without personality: exit code {done.code}", done)
    context.check(any("address randomisation" in note for note in report.get("notes", [])),
                  "the filter has no effect, or nobody says so", done)
    suite(context)


def no_fsgsbase(context: harness.Context, only: str = IN_CI) -> None:
    """The thread pointer is set by a system call, as on processors or kernels without FSGSBASE."""
    context.launcher = ["env", "RAVEL_NO_FSGSBASE=1"]
    context.only = context.only or only
    program = context.build(context.sources / "programs/mutex_kinds.cpp")
    done, report = context.run(program, "--iterations", 5)
    context.check(any("FSGSBASE" in note for note in report.get("notes", [])), "FSGSBASE is used all the same", done)
    suite(context)


def user_namespace(context: harness.Context, only: str = IN_CI) -> None:
    if subprocess.run(["unshare", "-Ur", "true"], capture_output=True, check=False).returncode != 0:
        print("user namespaces are not allowed on this machine: not tested")
        context.checks += 1
        return
    context.launcher = ["unshare", "-Ur"]
    context.only = context.only or only
    suite(context)


def full(context: harness.Context) -> None:
    for part in (no_personality, no_fsgsbase, user_namespace):
        print(part.__name__)
        context.only = ""
        part(context, "")
