# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Nothing is lost: what was found is reported whatever the machine refuses, and what was started is cleaned up."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import time

import harness

INTERRUPTED = 130
INCONCLUSIVE = 5


def program_of(context: harness.Context, name: str, **options) -> pathlib.Path | None:
    return context.build(context.sources / "programs" / "lost" / f"{name}.cpp", **options)


@contextlib.contextmanager
def small_disk(context: harness.Context, megabytes: int):
    """A file system of that size; None where nobody may mount one."""
    folder = context.folder / f"disk{megabytes}"
    folder.mkdir(exist_ok=True)
    made = context.command(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder])
    try:
        yield folder if made.code == 0 else None
    finally:
        if made.code == 0:
            context.command(["umount", "--lazy", folder])


def one_line(done: harness.Finished) -> bool:
    return len([line for line in done.err.splitlines() if line.startswith("ravel: ")]) == 1


def finding_is_there(context: harness.Context, what: str, done: harness.Finished, program: pathlib.Path) -> None:
    """On the console, with a seed string that shows the defect again, and in the exit code."""
    context.check(done.code == harness.DEFECT, f"{what}: exit code {done.code}", done)
    context.check("FAILED" in done.out and "cannot" in done.err, f"{what}: the finding is not printed", done)
    seed = re.search(r"^seed: +(rv1:\S+)$", done.out, re.MULTILINE)
    if context.check(seed is not None, f"{what}: no seed string", done):
        again = context.tool("replay", seed.group(1), "--", program)
        context.check(again.code == harness.DEFECT, f"{what}: the seed string ends with {again.code}", again)


def plans(context: harness.Context) -> None:
    """A folder for plans that cannot be written, and a disk that is full."""
    program = program_of(context, "lost_update")
    if program is None:
        return
    (context.folder / "taken").write_text("not a folder\n")
    done = context.tool("run", "--saved", "ignore", "--output", "taken", "--", program)
    finding_is_there(context, "no folder", done, program)
    done = context.tool("run", "--saved", "ignore", "--json", "/dev/full", "--", program)
    finding_is_there(context, "no room for the JSON", done, program)
    done = context.tool("outcomes", "--output", "taken", "--", program)
    context.check(done.code == harness.DEFECT and "cannot" in done.err and "assertion" in done.out, f"outcomes: {done.code}", done)
    with small_disk(context, 1) as disk:
        if disk is not None:
            (disk / "filler").write_bytes(bytes(1 << 20))
            done = context.tool("run", "--saved", "ignore", "--output", disk / "plans", "--", program)
            finding_is_there(context, "full disk", done, program)


def confirmation(context: harness.Context) -> None:
    """The process that confirms the failure is killed: what else was found is still reported, and the failure named."""
    program = program_of(context, "lost_update", defines=("KILLED", "ALWAYS"))
    if program is None:
        return
    done, report = context.run(program, "--isolation", "fork", "--iterations", 1, "--strategy", "random", "--no-minimize")
    kinds = {finding["kind"] for finding in report.get("findings", [])}
    context.check(done.code == harness.DEFECT and kinds == {"data-race"}, f"exit code {done.code}, findings {kinds}", done)
    lost = report.get("not_confirmed", [])
    context.check(len(lost) == 1 and "gave no result" in lost[0] and "rv1:" in lost[0], f"not confirmed: {lost}", done)
    (context.folder / "runs.txt").unlink(missing_ok=True)
    # With nothing else to report it is no word about determinism.
    done, report = context.run(program, "--isolation", "fork", "--iterations", 1, "--strategy", "random", "--no-minimize", "--detect", "none")
    context.check(done.code == harness.CANNOT_TEST and "could not be confirmed" in report.get("reason", "")
                  and "deterministic" not in done.err, f"alone: exit code {done.code}", done)


def explored(context: harness.Context) -> None:
    """A search that starts again because of new points, and fails in the same execution, has explored that execution."""
    program = program_of(context, "lost_update", defines=("ALWAYS",))
    if program is None:
        return
    for strategy in ("dfs", "dpor"):
        done, report = context.run(program, "--strategy", strategy, "--no-minimize")
        context.check(done.code == harness.DEFECT, f"{strategy}: exit code {done.code}", done)
        context.check(report.get("executions", 0) > 0, f"{strategy}: {report.get('executions')} executions above a failure", done)


def checkpoint(context: harness.Context) -> None:
    """No room for a checkpoint, a disk that fills up, a file that was damaged."""
    program = program_of(context, "endless_search")
    if program is None:
        return
    search = ("run", "--saved", "ignore", "--strategy", "dfs", "--hang", "1s")
    with small_disk(context, 16) as disk:
        if disk is not None:
            done = context.tool(*search, "--time", "5s", "--checkpoint", disk / "kept", "--", program)
            context.check(done.code == harness.USAGE and one_line(done) and "no space" in done.err, f"no room: {done.code}", done)
    with small_disk(context, 64) as disk:
        if disk is not None:
            done = run_while_filling(context, [context.ravel, *search, "--time", "60s", "--checkpoint", disk / "kept", "--", program], disk)
            context.check(done.code == INCONCLUSIVE and "nearly full" in done.err, f"full disk: {done.code}", done)
            (disk / "filler").unlink()
            done = context.tool(*search, "--time", "1s", "--resume", disk / "kept", "--", program)
            context.check(done.code == INCONCLUSIVE, f"resumed after a full disk: {done.code}", done)
    # Jobs that wait for work which a damaged tree never gives.
    tree = ("run", "--saved", "ignore", "--strategy", "dpor", "--jobs", 2, "--hang", "1s")
    kept = context.folder / "kept"
    done = context.tool(*tree, "--iterations", 300, "--checkpoint", kept, "--", program)
    context.check(done.code == INCONCLUSIVE, f"checkpoint: {done.code}", done)
    damage(context.folder / "kept.tree")
    done = context.tool(*tree, "--iterations", 1000000, "--resume", kept, "--", program, timeout=100)
    context.check(done.code in (harness.USAGE, harness.CANNOT_TEST) and one_line(done), f"damaged: {done.code}", done)


def run_while_filling(context: harness.Context, words: list, disk: pathlib.Path) -> harness.Finished:
    """Takes all but some pages of the disk as soon as the search has begun."""
    words = [str(word) for word in words]
    with subprocess.Popen(words, cwd=context.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tool:
        wait_until(lambda: (disk / "kept").exists() and os.stat(disk / "kept").st_blocks > 1000)
        about = os.statvfs(disk)
        with open(disk / "filler", "wb") as filler:
            os.posix_fallocate(filler.fileno(), 0, max(1, about.f_bavail * about.f_frsize - (6 << 20)))
        out, err = tool.communicate(timeout=100)
    return harness.Finished(words, tool.returncode, out, err, 0)


def damage(path: pathlib.Path) -> None:
    """Changes everything that was written after the header."""
    with open(path, "r+b") as file:
        file.seek(4096)
        written = file.read(1 << 20)
        file.seek(4096)
        file.write(bytes(byte ^ 0x5A if byte else 0 for byte in written))


def streams(context: harness.Context) -> None:
    """Closed and full descriptors, files that are none, a tiny stack: one clear line, and the right exit code."""
    program = program_of(context, "lost_update")
    if program is None:
        return
    run = f"{context.ravel} run --saved ignore --no-minimize"
    for redirection, line in ((">&-", "standard output"), ("> /dev/full", "standard output"), ("<&-", None)):
        done = context.command(["sh", "-c", f"{run} -- {program} {redirection}"])
        context.check(done.code == harness.DEFECT and (line is None or line in done.err), f"{redirection}: {done.code}", done)
    done = context.command(["sh", "-c", f"{context.ravel} list > /dev/full"])
    context.check(done.code == harness.USAGE and one_line(done), f"list > /dev/full: {done.code}", done)
    for name in (context.folder, "/dev/zero"):
        done = context.tool("run", "--suppressions", name, "--", program, timeout=60)
        context.check(done.code == harness.USAGE and one_line(done), f"--suppressions {name}: {done.code}", done)
    done = context.command(["sh", "-c", f"ulimit -s 64; exec {run} -- {program}"])
    context.check(done.code == harness.CANNOT_TEST and one_line(done) and "stack" in done.err, f"ulimit -s 64: {done.code}", done)


def children_of(process: int) -> list[int]:
    """All descendants."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            number = int(folder.name)
            if int(folder.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1]) == process:
                found += [number, *children_of(number)]
    return found


def state_of(process: int) -> str:
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return "gone"


def wait_until(good, looks: int = 600) -> bool:
    for _ in range(looks):
        if good():
            return True
        time.sleep(0.05)
    return False


def signals(context: harness.Context) -> None:
    """HUP and QUIT end a campaign in order, also its scratch folder; Ctrl-Z stops the workers too."""
    program = program_of(context, "endless_search")
    if program is None:
        return
    temporary = context.folder / "tmp"
    temporary.mkdir(exist_ok=True)
    words = [str(context.ravel), "run", "--saved", "ignore", "--strategy", "random", "--isolation", "fork", "--scratch", "--hang", "2s",
             "--iterations", "1000000000"]
    env = harness.environment(TMPDIR=str(temporary))
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        with subprocess.Popen([*words, "--", str(program)], cwd=context.folder, env=env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as tool:
            wait_until(lambda: any(temporary.iterdir()) and len(children_of(tool.pid)) > 1)
            tool.send_signal(number)
            code = tool.wait(100)
        left = list(temporary.iterdir())
        context.check(code == INTERRUPTED and not left, f"{number.name}: exit code {code}, left behind {left}")
    with subprocess.Popen([*words, "--", str(program)], cwd=context.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as tool:
        wait_until(lambda: len(children_of(tool.pid)) > 1)
        tool.send_signal(signal.SIGTSTP)
        stopped = wait_until(lambda: state_of(tool.pid) == "T" and all(state_of(p) in "TZ" for p in children_of(tool.pid)))
        context.check(stopped, f"stopped: {[state_of(p) for p in (tool.pid, *children_of(tool.pid))]}")
        time.sleep(5)  # longer than the patience with hangs: nobody may take the pause for one
        tool.send_signal(signal.SIGCONT)
        running = wait_until(lambda: children_of(tool.pid) and all(state_of(p) not in ("T", "gone") for p in children_of(tool.pid)))
        context.check(running, f"continued: {[state_of(p) for p in (tool.pid, *children_of(tool.pid))]}")
        time.sleep(1)
        tool.send_signal(signal.SIGINT)
        out, err = tool.communicate(timeout=100)
        context.check(tool.returncode == INTERRUPTED and "killed" not in err and "FAILED" not in out,
                      f"after a pause: exit code {tool.returncode}", out + err)
