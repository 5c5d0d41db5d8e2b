# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Every source of chance is taken away, or named: programs whose trace depends on one of them (tests/programs/determinism)."""
import json
import pathlib
import random
import re
import shutil
import socket
import subprocess
import tempfile
import threading

import harness

EXECUTIONS = 25
CONTROLLED = ["random_device", "getrandom", "getrandom-call", "getentropy", "urandom", "random-stream", "at-random", "mkstemp",
              "mkdtemp", "pid", "parent", "tid", "kill", "tgkill", "kill-group", "processors", "rdtsc", "rdtscp", "rdtsc-wait",
              "child", "clock", "local-time"]
# source: the call that must be named, and what of it
UNCONTROLLED = {"proc": ("fopen", "/proc/self/stat"), "rdrand": ("rdrand", "processor"),
                "left-behind": ("fopen", "left-behind.txt")}


def run(context: harness.Context, program: pathlib.Path, source: str, *options, **places) -> tuple[harness.Finished, dict]:
    report = context.folder / "chance.json"
    report.unlink(missing_ok=True)
    done = context.tool("run", "--verify", "--iterations", EXECUTIONS, "--json", report, "--color", "never", *options, program,
                        source, **places)
    return done, harness.read_json(report)


def chance(context: harness.Context) -> None:
    program = context.build(context.sources / "programs/determinism/chance.cpp")
    if program is None:
        return
    elsewhere = {"env": harness.environment(TZ="Asia/Tokyo", PADDING="x" * 5000)}
    for source in CONTROLLED:
        seen = set()
        for places in ({}, elsewhere):
            done, report = run(context, program, source, **places)
            context.check(done.code == harness.CLEAN and report.get("mismatches") == 0, f"{source}: not the same twice", done)
            context.check(report.get("executions") == EXECUTIONS or report.get("complete"), f"{source}: {report.get('executions')} executions", done)
            seen.add(report.get("trace_digest"))
        context.check(len(seen) == 1 and None not in seen, f"{source}: differs from process to process: {seen}")
        named = {call["call"] for call in report.get("uncontrolled", [])} - {"rdrand"}  # the program has that instruction
        context.check(not named, f"{source}: said not to be controlled: {named}", done)
    seen = set()
    for padding in ([], ["x"], ["x" * 3000] * 20):  # how long the arguments are moves nothing
        done = context.tool("run", "--iterations", EXECUTIONS, "--json", context.folder / "chance.json", program, "clock", *padding)
        seen.add(harness.read_json(context.folder / "chance.json").get("trace_digest"))
        context.check(done.code == harness.CLEAN, f"{len(padding)} more arguments: exit code {done.code}", done)
    context.check(len(seen) == 1 and None not in seen, f"the length of the arguments shows: {seen}")
    for source, (call, detail) in UNCONTROLLED.items():
        # Where a thread that goes on is never preempted, the first difference is in what it does, not in who is next.
        done, report = run(context, program, source, "--strategy", "run-on")
        context.check(done.code == harness.CANNOT_TEST and report.get("mismatches", 0) > 0, f"{source}: --verify saw nothing", done)
        named = [item for item in report.get("uncontrolled", []) if item["call"] == call and detail in item["detail"]]
        context.check(bool(named), f"{source}: {call} of {detail} is not named", json.dumps(report.get("uncontrolled")))
        places = harness.lines_in(named, "chance.cpp")
        context.check(len(places) == 1, f"{source}: the place of {call} is not named", named)
        context.check(f"not controlled: {call}" in done.err, f"{source}: the console is silent", done)
        difference = report.get("first_difference", "")
        context.check("event" in difference and "chance.cpp:" in difference and difference in done.err,
                      f"{source}: the first difference is not named: {difference}", done)


def scratch(context: harness.Context) -> None:
    """With --scratch a file that is left behind is gone for the next execution, and nothing stays on the disk."""
    program = context.build(context.sources / "programs/determinism/chance.cpp")
    if program is None:
        return
    temporary = context.folder / "tmp"
    temporary.mkdir()
    env = harness.environment(TMPDIR=str(temporary))
    done, report = run(context, program, "left-behind", "--scratch", env=env)
    context.check(done.code == harness.CLEAN and report.get("mismatches") == 0, "--scratch: executions see each other", done)
    named = {call["call"] for call in report.get("uncontrolled", [])} - {"rdrand"}
    context.check(not named, f"--scratch: {named} said not to be controlled", done)
    context.check(not (context.folder / "left-behind.txt").exists(), "--scratch: the file is in the present folder")
    context.check(not list(temporary.iterdir()), f"--scratch: left behind: {list(temporary.iterdir())}")
    failing = context.build(context.sources / "programs/determinism/input_decides.cpp")
    if failing is None:
        return
    done, report = context.run(failing, "--scratch", "--stdin", failing, env=env)
    if context.check(done.code == harness.DEFECT, f"--scratch: exit code {done.code}", done):
        plan = context.folder / report["findings"][0]["plan"]
        context.check("\nscratch\n" in plan.read_text(), "the plan does not say scratch")
        done, _ = context.replay(plan, "--times", 3, env=env)
        context.check(done.code == harness.DEFECT, f"--scratch: replay ended with {done.code}", done)


LAYER = "mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w && mount -t overlay o -o lowerdir=/tmp,upperdir=/mnt/u,workdir=/mnt/w /tmp"


def fixed_paths(context: harness.Context) -> None:
    """With --scratch /tmp is the execution's own: what one writes there the next does not find, and nothing reaches the real one."""
    possible = any(context.command(["unshare", *words, "sh", "-c", LAYER]).code == 0 for words in (["-m"], ["-rm"]))
    program = context.build(context.sources / "programs/determinism/fixed_path.cpp")
    left = pathlib.Path("/tmp/ravel-test-of-fixed-paths")
    shutil.rmtree(left, ignore_errors=True)
    seen = tempfile.NamedTemporaryFile(dir="/tmp")
    if program is None:
        return
    if not possible:
        print("not tested: this kernel allows no namespaces with overlays")
    for isolation in ("auto", "fork") if possible else ():
        report = context.folder / "fixed.json"
        done = context.tool("run", "--json", report, "--scratch", "--isolation", isolation, "--iterations", 60, program, seen.name)
        facts = harness.read_json(report)
        context.check(done.code == harness.CLEAN and facts.get("executions") == 60, f"{isolation}: exit code {done.code}", done)
        context.check(facts.get("uncontrolled") == [], f"{isolation}: said not to be controlled: {facts.get('uncontrolled')}", done)
        context.check((facts.get("isolation") == "fork") == (isolation == "fork"), f"{isolation}: {facts.get('isolation')}", done)
        context.check(not left.exists(), f"{isolation}: the files are in the real /tmp", done)
    done = context.tool("run", "--iterations", 5, "--no-minimize", program)
    context.check(done.code != harness.CLEAN, "without --scratch the next execution finds the files", done)
    shutil.rmtree(left, ignore_errors=True)


def standard_input(context: harness.Context) -> None:
    """Every execution reads the same standard input: from a file, from a pipe, and again in a replay."""
    program = context.build(context.sources / "programs/determinism/input_decides.cpp")
    if program is None:
        return
    text = b"x" * 100_000 + b"\nlast line\n"
    words = [str(context.ravel), "run", "--saved", "ignore", "--verify", "--color", "never", "--json", "piped.json", str(program)]
    done = subprocess.run(words, cwd=context.folder, input=text, capture_output=True, timeout=harness.WATCHDOG, check=False)
    report = harness.read_json(context.folder / "piped.json")
    if not context.check(done.returncode == harness.DEFECT and bool(report.get("findings")), "piped input: no defect", done):
        return
    plan = context.folder / report["findings"][0]["plan"]
    kept = [line.split('"')[1] for line in plan.read_text().splitlines() if line.startswith("stdin ")]
    context.check(len(kept) == 1 and pathlib.Path(kept[0]).read_bytes() == text, f"the plan's input: {kept}", plan.read_text())
    context.check(pathlib.Path(kept[0]).parent.stat().st_mode & 0o777 == 0o700, "the folder of plans is not private")
    again, report = context.replay(plan, "--times", 3)
    context.check(again.code == harness.DEFECT and report.get("mismatches") == 0, "piped input: not reproduced", again)
    empty, _ = context.run(program)
    context.check(empty.code == harness.CLEAN, f"without input: exit code {empty.code}", empty)
    missing, _ = context.run(program, "--stdin", "no-such-file")
    context.check(missing.code == harness.USAGE and "no-such-file" in missing.err, "a missing input file", missing)


class Server:
    """Answers every connection with one byte, in a thread of this process."""

    def __init__(self, family, address):
        self.listener = socket.socket(family, socket.SOCK_STREAM)
        self.listener.bind(address)
        self.listener.listen(64)
        threading.Thread(target=self.answer, daemon=True).start()

    def answer(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.sendall(b"x")


def network(context: harness.Context) -> None:
    """Sockets between threads of the program are its own; what leads elsewhere is named, with place and address."""
    program = context.build(context.sources / "programs/determinism/network.cpp")
    if program is None:
        return
    tcp = Server(socket.AF_INET, ("127.0.0.1", 0))
    port = tcp.listener.getsockname()[1]
    short = tempfile.TemporaryDirectory()  # such paths may have 107 bytes
    path = pathlib.Path(short.name) / "outside.socket"
    local = Server(socket.AF_UNIX, str(path))
    cases = [(["inside"], []), (["away"], [("connect", "192.0.2.1:80")]),
             (["port", port], [("connect", f"127.0.0.1:{port}"), ("recv", f"127.0.0.1:{port}")]),
             (["path", path], [("connect", path.name), ("recv", "another process")]), (["open"], [("recv", "any address")])]
    report = context.folder / "network.json"
    for words, expected in cases:
        report.unlink(missing_ok=True)
        done = context.tool("run", "--iterations", EXECUTIONS, "--json", report, "--color", "never", program, *words)
        named = harness.read_json(report).get("uncontrolled", [])
        context.check(done.code == harness.CLEAN, f"{words[0]}: exit code {done.code}", done)
        context.check(len(named) == len(expected), f"{words[0]}: {[item['call'] for item in named]} named", done)
        for call, detail in expected:
            good = [item for item in named if item["call"] == call and detail in item["detail"]]
            context.check(bool(good) and bool(harness.lines_in(good, "network.cpp")), f"{words[0]}: {call} of {detail} is not named", named)
            context.check(f"not controlled: {call}" in done.err, f"{words[0]}: the console is silent", done)
    tcp.listener.close()
    local.listener.close()
    short.cleanup()


CUTS = 3  # of each plan
POLICIES = ("run-on,seed=0", "random,seed=7")


def shortened_plan(text: str, kept: int, policy: str) -> str:
    """The plan with the first choices of its schedule only; who runs after them is the policy's choice. What it then ends with is open."""
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("schedule "))
    changed = {"policy": f"policy {policy}", "outcome": "outcome completed", "hash": "hash 0x0", "events": "events 0"}
    head = [changed.get(line.split(" ")[0], line) for line in lines[:at] if not line.startswith(("message ", "cost "))]
    return "\n".join([*head, f"schedule {kept}", *lines[at + 1:at + 1 + kept], "end", ""])


def cuts(context: harness.Context) -> None:
    """Plans of long executions with clocks and sleeps in them, cut at random points and continued by a policy: twice the same."""
    source = context.sources / "programs/determinism/logger.cpp"
    spdlog = ("SPDLOG", "SPDLOG_HEADER_ONLY", "FMT_HEADER_ONLY", "SPDLOG_FMT_EXTERNAL")
    chance = random.Random(20261117)
    for name, defines in (("own", ()), ("spdlog", spdlog)):
        program = context.build(source, name=name, defines=defines)
        if program is None:
            continue
        done, report = context.run(program, "--strategy", "random", "--iterations", 3, "--no-minimize")
        if not context.check(done.code == harness.DEFECT and not report.get("not_confirmed"), f"{name}: no plan to cut", done):
            continue
        found = report["findings"][0]
        context.check(found["events"] > 10_000, f"{name}: only {found['events']} events", done)
        text = (context.folder / found["plan"]).read_text()
        length = int(re.search(r"^schedule (\d+)$", text, re.MULTILINE).group(1))
        for policy in POLICIES:
            for kept in chance.sample(range(length), CUTS):
                plan = context.folder / "cut.plan"
                plan.write_text(shortened_plan(text, kept, policy))
                seen = set()
                for _ in range(2):
                    again, replayed = context.replay(plan, "--times", 2)
                    context.check(replayed.get("runs") == 2 and replayed.get("mismatches") == 0, f"{name}, {kept}, {policy}: differs", again)
                    seen.add((replayed.get("outcome"), replayed.get("hash"), replayed.get("events")))
                context.check(len(seen) == 1 and None not in next(iter(seen)), f"{name}, {kept}, {policy}: {seen}")
