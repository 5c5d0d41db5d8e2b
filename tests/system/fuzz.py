# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The readers of plans, traces and value schedules under libFuzzer and the address sanitizer, side by side, a fixed number of inputs each."""
import pathlib
import subprocess

import harness

INPUTS = 100_000
SOURCES = ["model/text/words.cc", "model/text/plan_file.cc", "model/text/policy_text.cc", "model/text/printable.cc",
           "model/text/seed_string.cc", "model/text/trace_text.cc", "model/text/trace_parse.cc", "model/text/near_names.cc",
           "model/text/syn_text.cc", "model/text/value_schedule.cc", "model/text/value_schedule_parse.cc"]


def corpus_of(context: harness.Context, folder: pathlib.Path, reader: str) -> None:
    """A plan, its seed string and its trace, made by the tool itself, to start from."""
    folder.mkdir()
    program = context.build(context.sources / "corpus/core/ab_ba_deadlock.cpp", name="seed")
    if program is None:
        return
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "no plan to start from", done):
        return
    finding = report["findings"][0]
    plan = program.parent / finding["plan"]
    if reader == "plan":
        (folder / "plan").write_text(plan.read_text())
        (folder / "seed").write_text(finding["seed_string"])
    elif reader == "values":
        done = context.tool("values", "show", plan, "--output", folder / "values")
        context.check((folder / "values").is_file(), "no value schedule to start from", done)
    else:
        done, _ = context.replay(plan, "--trace", folder / "trace")
        context.check((folder / "trace").is_file(), "no trace to start from", done)


def readers(context: harness.Context) -> None:
    root = context.sources.parent
    running = []
    builds = []
    for reader, define in (("plan", ()), ("trace", ("-DREADER_TRACE",)), ("values", ("-DREADER_VALUES",))):
        words = ["clang++-14", "-std=c++20", "-O1", "-g", "-fsanitize=fuzzer,address", *define, f"-I{root}/src",
                 f"{root}/tests/fuzz/readers.cc", *(f"{root}/src/{name}" for name in SOURCES), "-lfmt", "-o",
                 str(context.folder / reader)]
        builds.append((reader, subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)))
    for reader, build in builds:
        corpus_of(context, context.folder / f"{reader}-corpus", reader)
        text, _ = build.communicate(timeout=harness.WATCHDOG)
        if context.check(build.returncode == 0, f"the fuzzer of {reader} does not compile", text.decode(errors="replace")):
            words = [str(context.folder / reader), f"-runs={INPUTS}", "-max_len=20000", f"-timeout={harness.WATCHDOG}", "-rss_limit_mb=1024",
                     "-print_final_stats=1", str(context.folder / f"{reader}-corpus")]
            running.append((reader, subprocess.Popen(words, cwd=context.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)))
    for reader, process in running:
        text = process.communicate(timeout=harness.WATCHDOG)[0].decode(errors="replace")
        context.check(process.returncode == 0, f"{reader}: the fuzzer found something", "\n".join(text.splitlines()[-50:]))
        executed = [line.split()[-1] for line in text.splitlines() if "number_of_executed_units" in line]
        context.check(bool(executed) and int(executed[0]) >= INPUTS, f"{reader}: {executed} inputs tried", text[-2000:])
        print(f"{reader}: {executed} inputs")
