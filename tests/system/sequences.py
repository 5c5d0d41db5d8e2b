# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""SYN-sequences in campaigns of any strategy: how many there were, what a specification says, the diagram in the report; and
reachability testing by several processes, killed, resumed, and in how much memory."""
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time

import checkpoint
import harness
from kill import children_of
from syn import LABELS, VALID, write

# Whom the first signal wakes is all that two of its orders differ in: in the end everybody is woken.
WOKEN = """#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable changed;
bool go;
void wait() { std::unique_lock lock(m); changed.wait(lock, [] { return go; }); }
int main() {
  std::thread one(wait), two(wait);
  { const std::lock_guard lock(m); go = true; }
  changed.notify_one();
  changed.notify_all();
  one.join(), two.join();
}
"""


def explore(context: harness.Context, program: pathlib.Path, strategy: str, *options) -> tuple[harness.Finished, dict]:
    return context.run(program, "--strategy", strategy, "--keep-going", "--no-minimize", "--saved", "ignore", "--iterations", 100_000, *options)


def counted(context: harness.Context) -> None:
    """Every strategy says how many sequences it has seen; a recording has as many files."""
    program = context.build(write(context, "woken.cpp", WOKEN))
    posts = context.build(context.sources / "syn" / "permits.cpp", "posts", ("PROGRAM=31", "INIT=0", "TWO", "CONSTRUCTS"))
    if None in (program, posts):
        return
    done, report = explore(context, program, "reachability,self-check=on")
    wanted = report.get("sequences")
    context.check(report.get("complete") and report.get("executions") == wanted and report.get("suspect") == 0, "one execution each", done)
    for strategy in ("dfs", "random"):
        done, report = explore(context, program, strategy, "--iterations", 30_000)
        context.check(report.get("sequences") == wanted, f"{strategy}: {report.get('sequences')} sequences, not {wanted}", done)
    folder = context.folder / "orders"
    done = context.tool("syn", "record", "--strategy", "reachability", "--time", "60s", "--output", folder, "--", program)
    context.check(len(list(folder.glob("*.syn"))) == wanted and "complete" in done.out, f"{wanted} files", done)
    labels = context.build(write(context, "labels.cpp", LABELS))
    if labels is not None:
        done, report = explore(context, labels, "reachability")
        context.check(report.get("complete") and report.get("executions") == report.get("sequences") == 9, f"labels: {report.get('executions')}", done)
    # Posts commute for dpor; unreduced search meets every order of them, in many traces.
    done, report = explore(context, posts, "dpor")
    context.check(report.get("complete") and report.get("sequences") == report.get("executions") == 3, "dpor leaves some out", done)
    done, report = explore(context, posts, "dfs")
    context.check(report.get("complete") and report.get("sequences") == 4 < report.get("executions"), "dfs has all of them", done)


def jobs(context: harness.Context) -> None:
    """Several processes, killed now and then: each sequence once. Shards on machines of their own: the same."""
    program = context.build(context.sources / "syn" / "monitor_buffer.cpp", "buffer", ("P=3", "C=2", "SLOTS=2"))
    if program is None:
        return
    for number in (2, 5):
        done, report = explore(context, program, "reachability,self-check=on", "--jobs", number)
        context.check(report.get("complete") and report.get("executions") == report.get("sequences") == 528, f"{number} jobs: {report.get('executions')}", done)
        context.check(report.get("behaviours") == 528, f"{number} jobs: behaviours {report.get('behaviours')}", done)
        if number == 2:
            parts = report.get("executions_by_job", [0])
            context.check(min(parts) > 50, f"both have something to do: {parts}", done)
    parts = []
    for shard in range(3):
        path = context.folder / f"shard-{shard}.json"
        context.tool("run", "--strategy", "reachability", "--saved", "ignore", "--shard-index", shard, "--shard-count", 3, "--json", path, program)
        parts.append(harness.read_json(path))
    context.check(sum(part.get("executions", 0) for part in parts) == 528 and all(part.get("complete") for part in parts), "three shards", parts)
    path = context.folder / "killed.json"
    words = [context.ravel, "run", "--strategy", "reachability", "--saved", "ignore", "--isolation", "fork", "--jobs", 2, "--json", path, program]
    kills = 0
    with subprocess.Popen([str(word) for word in words], cwd=context.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as tool:
        chance = random.Random(1)
        while tool.poll() is None and kills < 12:
            time.sleep(0.05 + 0.1 * chance.random())
            workers = [worker for zygote in children_of(tool.pid) for worker in children_of(zygote)]
            if not workers:
                continue
            try:
                os.kill(chance.choice(workers), signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
        tool.wait(harness.WATCHDOG)
    report = harness.read_json(path)
    context.check(kills > 0 and report.get("executions") == report.get("sequences") == 528 and report.get("complete"),
                  f"{kills} workers killed: {report.get('executions')} executions", report)


def resumed(context: harness.Context) -> None:
    """Broken off again and again, and resumed."""
    program = context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))
    if program is not None:
        for number, processes in ((signal.SIGINT, 1), (signal.SIGKILL, 2)):
            checkpoint.search(context, program, ("lockinc", 4, 2), "reachability", 2520, number, processes)


def judged(context: harness.Context) -> None:
    """run --valid: Listing 7.7 in its four classes, and orders that are valid but never come."""
    source = context.sources.parent / "examples" / "bounded_buffer.cpp"
    good, lax, strict = (context.build(source, name, defines) for name, defines in
                         (("good", ()), ("lax", ("GUARD=full <= 2",)), ("strict", ("GUARD=full + 1 < 2",))))
    if None in (good, lax, strict):
        return

    def judge(program: pathlib.Path, word: str, output: str, strategy: str = "reachability") -> tuple[harness.Finished, dict, list]:
        file = write(context, "two.valid", VALID.format(output))
        report = context.folder / "judged.json"
        report.unlink(missing_ok=True)
        done = context.tool("run", "--valid", file, "--strategy", strategy, "--iterations", 2000, "--saved", "ignore", "--json", report, program, word)
        validity = harness.read_json(report).get("validity", {})
        return done, validity, sorted((s["class"], s["events"]) for s in validity.get("sequences", []) if s["class"] != "pass")

    for strategy in ("reachability", "dpor"):
        done, validity, wrong = judge(good, "ABC", "ABC", strategy)
        context.check(done.code == 0 and len(validity.get("sequences", [])) == 4 and not wrong and not validity["missing"], f"{strategy}: valid and right", done)
        context.check(validity.get("all_known") is True and "4 pass, 0 missing-path" in done.out, f"{strategy}: said so", done)
    done, validity, wrong = judge(lax, "ABC", "ABC")
    context.check(done.code == 1 and wrong == [("synchronization-failure", "D D D W W W")], "invalid and wrong", done)
    kept = next(s["file"] for s in validity["sequences"] if s["class"] != "pass")
    tested = context.tool("syn", "test", kept)
    context.check(tested.code == 0 and "feasible" in tested.out, "what is no pass is kept as a file", tested)
    done, validity, wrong = judge(lax, "CBC", "CBC")
    context.check(done.code == 1 and wrong == [("coincidental", "D D D W W W")], "invalid and right by chance", done)
    done, validity, wrong = judge(good, "ABC", "CBA")
    context.check(done.code == 1 and {c for c, _ in wrong} == {"computation-failure"}, "valid and wrong", done)
    done, validity, wrong = judge(strict, "ABC", "ABC")
    context.check(done.code == 1 and not wrong and len(validity["missing"]) == 3 and done.out.count("missing-path: ") == 3, "missing paths", done)
    for one in validity["missing"]:
        tested = context.tool("syn", "test", one["file"])
        context.check(tested.code == 1 and "infeasible" in tested.out, f"{one['events']} cannot happen", tested)
    done, validity, wrong = judge(strict, "ABC", "ABC", "random")
    context.check(done.code == 0 and validity.get("all_known") is False and not validity["missing"] and "not known" in done.out, "sampling proves nothing", done)
    in_time(context)
    done = context.tool("run", "--valid", write(context, "bad.valid", "ravel-valid 2\n"), good)
    context.check(done.code == 2 and "expected `ravel-valid 1'" in done.err, "bad input", done)


def in_time(context: harness.Context) -> None:
    """Hundreds of orders, met within the time and each run again in a process of its own, which takes longer: what the time does not reach is counted, and nothing is decided."""
    program = context.build(context.sources / "exhaustive" / "counted.cpp", flags=("-O1",))
    if program is None:
        return
    report, folder = context.folder / "in_time.json", context.folder / "in_time"
    options = ("--strategy", "random", "--iterations", 4_000, "--time", "1s")
    done = context.tool("run", "--valid", write(context, "any.valid", VALID.partition("result")[0]), *options, "--saved", "ignore", "--json", report, program, "lockinc", 4, 2)
    found = harness.read_json(report)
    validity = found.get("validity", {})
    context.check(validity.get("not_judged", 0) > 0 and len(validity["sequences"]) + validity["not_judged"] == found["sequences"], "run: judged and not judged", done)
    context.check(done.code == 5 and "not judged because the time ended" in done.out and not validity["all_known"] and not validity["missing"], "run: undecided", done)
    done = context.tool("syn", "record", *options, "--output", folder, "--", program, "lockinc", 4, 2)
    left_out = re.fullmatch(r"ravel: the time ended before (\d+) more sequences were written; raise --time\n", done.err)
    context.check(done.code == 0 and left_out is not None and "complete" not in done.out, "record: what was left out", done)


def drawn(context: harness.Context) -> None:
    """The HTML report has the space-time diagram of a finding, with what could have come instead."""
    program = context.build(context.sources / "syn" / "philosophers.cpp")
    if program is None:
        return
    page = context.folder / "report.html"
    done = context.tool("run", "--strategy", "dpor", "--saved", "ignore", "--format", f"html={page}", program)
    text = page.read_text() if page.exists() else ""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    if not context.check(done.code == 1 and found, "a report", done):
        return
    line = json.loads(found.group(1))["timelines"][0]
    end = len(line["events"]["kind"])
    came = [event for event in line["sequence"] if event["event"] < end]
    waits = [event for event in line["sequence"] if event["event"] == end]
    context.check(len(came) == 3 and len(waits) == 3 and line["sequence_races"], f"three forks are taken, three waited for: {line['sequence']}")
    context.check({event["object"] for event in came} == {"fork_[0]", "fork_[1]", "fork_[2]"}, f"by name: {came}")
    context.check(all(len(event["races"]) == 1 for event in came), f"each could have been taken by its other neighbour: {came}")


def sampled(context: harness.Context) -> None:
    """Random schedules meet all orders of a small program soon; behind a prefix only those that begin with it; names are the same each time."""
    server = context.build(context.sources / "syn" / "messages.cpp", "server", ("PROGRAM=4", "P=1", "C=1", "N=3", "CAP=3"))
    turns = context.build(context.sources / "syn" / "locks.cpp", "turns", ("PROGRAM=15", "N=3", "M=1"))
    if None in (server, turns):
        return
    done, report = context.run(server, "--strategy", "random", "--iterations", 100, "--saved", "ignore")
    context.check(report.get("sequences") == 5 and report.get("executions") == 100, f"5 of 5 in 100: {report.get('sequences')}", done)
    folder = context.folder / "orders"
    done = context.tool("syn", "record", "--strategy", "random", "--iterations", 50, "--output", folder, "--", turns)
    files = sorted(folder.glob("*.syn"))
    words = {word for file in files for line in file.read_text().split("order total\n")[1].splitlines() for word in line.split()}
    context.check(words == {"main.1", "main.2", "main.3", "lock", "unlock", "m", "expect", "completed"} and len(files) == 6, f"{len(files)} orders of {words}", done)
    # The first two operations of one order, and anything behind them: two orders begin so.
    head, events = files[0].read_text().split("order total\n")
    prefix = write(context, "prefix.syn", head + "order total\n" + "".join(line + "\n" for line in events.splitlines()[:2]) + "...\n")
    done, report = context.run(turns, "--strategy", "random", "--iterations", 50, "--saved", "ignore", "--prefix", prefix)
    context.check(report.get("sequences") == 2, f"behind a prefix: {report.get('sequences')} orders", done)


def replayed(context: harness.Context) -> None:
    """Under load: each of the 144 orders of a server five times; a deadlock and a lost wake-up 100 times in every form, simple and complete."""
    server = context.build(context.sources / "syn" / "messages.cpp", "server", ("PROGRAM=4", "P=3", "C=3", "CAP=2"))
    stuck = context.build(context.sources / "syn" / "locks.cpp", "stuck", ("PROGRAM=17",))
    lost = context.build(context.sources / "syn" / "lost_wakeup.cpp")
    if None in (server, stuck, lost):
        return
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        folder = context.folder / "orders"
        done = context.tool("syn", "record", "--strategy", "reachability", "--time", "10m", "--output", folder, "--", server)
        files = sorted(folder.glob("*.syn"))
        context.check(len(files) == 144, f"{len(files)} orders", done)
        for time_round in range(5):
            done = context.tool("syn", "test", "--quiet", *files)
            context.check(done.code == 0, f"all of them, round {time_round}", done)
        for name, program in (("stuck", stuck), ("lost", lost)):
            done, report = context.run(program, "--strategy", "dpor", "--saved", "ignore")
            plan = context.folder / report["findings"][0]["plan"]
            forms = []
            for words in [("--order", order, *simple) for order in ("total", "thread", "object") for simple in ((), ("--simple",))]:
                forms.append(context.folder / f"{name}{''.join(words)}.syn")
                done = context.tool("syn", "show", *words, "--output", forms[-1], plan)
                context.check(done.code == 0 and "expect deadlock" in forms[-1].read_text(), f"{name} {words}", done)
            for time_round in range(100):
                done = context.tool("syn", "test", "--quiet", *forms)
                context.check(done.code == 0, f"{name}, round {time_round}", done)
    finally:
        for one in load:
            one.kill()
            one.wait()


def large(context: harness.Context) -> None:
    """12 096 orders by one process and by four: the same set, none twice, no process knows of another."""
    program = context.build(context.sources / "syn" / "monitor_buffer.cpp", "buffer", ("P=3", "C=3", "SLOTS=2", "ALL"))
    for number in (1, 4) if program is not None else ():
        done, report = explore(context, program, "reachability,self-check=on", "--jobs", number)
        context.check(report.get("complete") and report.get("executions") == report.get("sequences") == 12096, f"{number}: {report.get('executions')}", done)


def memory(context: harness.Context) -> None:
    """8! = 40 320 sequences need as much memory as 6! = 720, but for the longer execution."""
    peaks = {}
    for number, wanted in ((3, 720), (4, 40_320)):
        program = context.build(context.sources / "syn" / "construct_buffer.cpp", f"buffer{number}", ("SU", f"P={number}", f"C={number}", "SLOTS=2"))
        if program is None:
            return
        path = context.folder / f"{number}.json"
        words = [context.ravel, "run", "--strategy", "reachability", "--saved", "ignore", "--iterations", 100_000, "--json", path, program]
        with subprocess.Popen([str(word) for word in words], cwd=context.folder, stdout=subprocess.DEVNULL) as tool:
            _, _, usage = os.wait4(tool.pid, 0)
        report = harness.read_json(path)
        context.check(report.get("complete") and report.get("sequences") == wanted, f"{number}P {number}C: {report.get('sequences')}, not {wanted}")
        peaks[number] = usage.ru_maxrss
    context.check(peaks[4] < peaks[3] + 16 * 1024, f"peaks in KiB: {peaks}")
