# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The readers of everything that comes from outside under libFuzzer and the address sanitizer, side by side, a fixed number of inputs each."""
import concurrent.futures
import json
import os
import pathlib
import subprocess

import harness

# Reader and inputs; facts and warnings are larger and slower to read.
READERS = {"plan": 30_000, "trace": 30_000, "values": 30_000, "syn": 20_000, "valid": 5_000, "facts": 1_000, "warnings": 3_000, "sequence": 10_000}
MANY = 60  # times as many in the long run
SOURCES = ["model/text/words.cc", "model/text/plan_file.cc", "model/text/policy_text.cc", "model/text/printable.cc",
           "model/text/seed_string.cc", "model/text/trace_text.cc", "model/text/trace_parse.cc", "model/text/near_names.cc",
           "model/text/syn_text.cc", "model/text/syn_parse.cc", "model/text/valid_text.cc", "model/text/value_schedule.cc", "model/text/value_schedule_parse.cc",
           "statics/distances.cc", "statics/facts_file.cc", "statics/graph_file.cc", "statics/pair_groups.cc", "statics/place_word.cc", "statics/sequence.cc",
           "statics/warnings/line_list.cc", "statics/warnings/sarif_results.cc", "statics/warnings/tsan_log.cc",
           "statics/warnings/valgrind_xml.cc"]
FLAGS = ["-std=c++20", "-O1", "-gline-tables-only", "-fsanitize=fuzzer-no-link,address"]

TSAN = """==================
WARNING: ThreadSanitizer: data race (pid=12)
  Write of size 4 at 0x5581 by thread T2 (mutexes: write M0):
    #0 second() /src/a.cpp:12:9 (prog+0x1a2b)
    #1 main /src/a.cpp:30 (prog+0x1a2b) (BuildId: ff)

  Previous read of size 4 at 0x5581 by thread T1:
    #0 first() /src/a.cpp:7 (prog+0x1a2b)

SUMMARY: ThreadSanitizer: data race /src/a.cpp:12:9 in second()
==================
"""
VALGRIND = """<?xml version="1.0"?>
<valgrindoutput><protocolversion>4</protocolversion><protocoltool>helgrind</protocoltool>
<error><unique>0x1</unique><tid>3</tid><kind>Race</kind><xwhat><text>Possible data race &amp; more</text></xwhat>
<stack><frame><ip>0x1</ip><fn>f</fn><dir>/src</dir><file>a.cpp</file><line>12</line></frame></stack>
<auxwhat>by</auxwhat><stack><frame><file>a.cpp</file><line>7</line></frame></stack></error></valgrindoutput>
"""


SYN = """ravel-syn 1
program "./queue"  # a comment
arg "two words"
thread producer main.2
only queue.mutex_ ready
order total
producer lock queue.mutex_
producer signal ready lost
main.1 main.3 deposit rendezvous
main.1 wait ready
expect deadlock
expect output "C\\n\\x01"
"""


def sarif() -> str:
    def at(line: int) -> dict:
        return {"physicalLocation": {"artifactLocation": {"uri": "file:///src/a%20b.cpp"}, "region": {"startLine": line}}}

    flow = {"threadFlows": [{"locations": [{"location": at(3), "executionOrder": 2}]}, {"locations": [{"location": at(9), "executionOrder": 1}]}]}
    result = {"ruleId": "race", "message": {"text": "data race"}, "locations": [at(3)], "relatedLocations": [at(9)], "codeFlows": [flow]}
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [result]}]})


def corpora(context: harness.Context) -> None:
    """Files of each kind, made by the tool itself where it makes them, to start from."""
    folders = {reader: context.folder / f"{reader}-corpus" for reader in READERS}
    for folder in folders.values():
        folder.mkdir()
    for name, text in (("tsan", TSAN), ("valgrind", VALGRIND), ("sarif", sarif()), ("list", "a.cpp:3, b.cpp:7\n# nothing\n/x/c.cpp:8:2\n")):
        (folders["warnings"] / name).write_text(text)
    (folders["syn"] / "total").write_text(SYN)
    (folders["syn"] / "object").write_text('ravel-syn 1\nspecification "a.valid"\nevents simple\norder object\nm: main.1#1, main.2#1\n...\nexpect invalid\n')
    (folders["valid"] / "moves").write_text("ravel-valid 1\nevent D rendezvous deposit\nevent W mark withdrawn\nstart a\nmove a D b\nmove b W a\nend a\nresult output ABC\n")
    (folders["valid"] / "expression").write_text("ravel-valid 1\nevent D sem-post k\nexpression (D D?)* | D+\n")
    (folders["sequence"] / "list").write_text("a.cpp:3@A,b.cpp:7:2#2,f::g+3,mark@B\n")
    program = context.build(context.sources / "corpus/core/ab_ba_deadlock.cpp", name="seed")
    if program is None:
        return
    done = context.tool("analyze", program)
    facts = context.folder / ".ravel" / "seed.facts"
    if context.check(facts.is_file(), "no facts to start from", done):
        (folders["facts"] / "facts").write_text(facts.read_text(encoding="utf-8"))
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "no plan to start from", done):
        return
    finding = report["findings"][0]
    plan = program.parent / finding["plan"]
    (folders["plan"] / "plan").write_text(plan.read_text())
    (folders["plan"] / "seed").write_text(finding["seed_string"])
    done = context.tool("values", "show", plan, "--output", folders["values"] / "values")
    context.check((folders["values"] / "values").is_file(), "no value schedule to start from", done)
    done, _ = context.replay(plan, "--trace", folders["trace"] / "trace")
    context.check((folders["trace"] / "trace").is_file(), "no trace to start from", done)


def build(context: harness.Context) -> pathlib.Path | None:
    root = context.sources.parent
    objects = context.folder / "objects"
    objects.mkdir()

    def compiled(number_and_source: tuple) -> tuple:
        number, source = number_and_source
        out = objects / f"{number}.o"
        return out, context.command(["clang++-14", *FLAGS, f"-I{root}/src", "-c", source, "-o", out])

    sources = [root / "tests/fuzz/readers.cc", *(root / "src" / name for name in SOURCES)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        done = list(pool.map(compiled, enumerate(sources)))
    fuzzer = context.folder / "readers"
    linked = context.command(["clang++-14", "-fsanitize=fuzzer,address", *(out for out, _ in done), "-lfmt", "-o", fuzzer])
    wrong = [one for _, one in done if one.code != 0]
    return fuzzer if context.check(not wrong and linked.code == 0, "the fuzzer does not compile", (wrong or [linked])[0]) else None


def campaign(context: harness.Context, times: int) -> None:
    corpora(context)
    fuzzer = build(context)
    if fuzzer is None:
        return
    running = []
    for reader, inputs in READERS.items():
        longest = 200_000 if reader == "facts" else 20_000
        words = [str(fuzzer), f"-runs={inputs * times}", f"-max_len={longest}", f"-timeout={harness.WATCHDOG}", "-rss_limit_mb=1024", "-seed=1",
                 "-print_final_stats=1", str(context.folder / f"{reader}-corpus")]
        running.append((reader, subprocess.Popen(words, cwd=context.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                                 env=dict(os.environ, RAVEL_READER=reader))))
    for reader, process in running:
        text = process.communicate(timeout=harness.WATCHDOG * times)[0].decode(errors="replace")
        context.check(process.returncode == 0, f"{reader}: the fuzzer found something", "\n".join(text.splitlines()[-50:]))
        executed = [line.split()[-1] for line in text.splitlines() if "number_of_executed_units" in line]
        context.check(bool(executed) and int(executed[0]) >= READERS[reader] * times, f"{reader}: {executed} inputs tried", text[-2000:])
        print(f"{reader}: {executed} inputs")


def readers(context: harness.Context) -> None:
    campaign(context, 1)


def readers_many(context: harness.Context) -> None:
    campaign(context, MANY)
