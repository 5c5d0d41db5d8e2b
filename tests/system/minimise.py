# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""minimize, explain, verify-fix, shards and merge: each command on a real program, with its exit codes and JSON."""
import json
import pathlib
import re

import harness

INCONCLUSIVE = 5


def with_json(context: harness.Context, *words) -> tuple[harness.Finished, dict]:
    report = context.folder / "command.json"
    report.unlink(missing_ok=True)
    done = context.tool(words[0], "--json", report, "--color", "never", *words[1:])
    return done, harness.read_json(report)


def validated(context: harness.Context, *files: pathlib.Path) -> None:
    """The JSON is as its schema says, and has nothing that the schema does not have."""
    folder = context.folder / "validated"
    folder.mkdir()
    for file in files:
        (folder / file.name).write_bytes(file.read_bytes())
    root = context.sources.parent
    done = context.command(["node", root / "tests/browser/validate.mjs", folder, root / "share/schema/report.schema.json", len(files)])
    context.check(done.code == 0, "not as the schema says", done)


def sampled_plan(context: harness.Context, program: pathlib.Path) -> pathlib.Path | None:
    """A failing schedule as a random walk finds it: with more switches than needed."""
    done, report = context.run(program, "--strategy", "random", "--no-minimize", "--points", "shared")
    findings = [f for f in report.get("findings", []) if f["kind"] != "data-race"]
    if not context.check(done.code == harness.DEFECT and findings, "a random walk finds nothing", done):
        return None
    context.check(not findings[0]["minimised"]["tried"] and not findings[0]["decisive"], "--no-minimize minimises", findings[0])
    return context.folder / findings[0]["plan"]


def commands(context: harness.Context) -> None:
    source = context.sources / "corpus/core/lost_update.cpp"
    program = context.build(source)
    repaired = context.build(source, name="lost_update-fixed", defines=("FIXED",))
    if program is None or repaired is None:
        return
    plan = sampled_plan(context, program)
    if plan is None:
        return
    before = plan.read_text(encoding="utf-8")

    done, report = with_json(context, "minimize", plan)
    finding = (report.get("findings") or [{}])[0]
    context.check(done.code == harness.CLEAN, f"minimize: exit code {done.code}", done)
    context.check(finding.get("preemptions") == 1 and finding.get("minimised", {}).get("fewest_preemptions"),
                  f"minimize: {finding.get('preemptions')} preemptions", json.dumps(finding.get("minimised")))
    context.check(plan.read_text(encoding="utf-8") == before, "minimize has changed the plan it was given")
    small = plan.with_name(plan.name.removesuffix(".plan") + ".min.plan")
    again, replayed = context.replay(small)
    context.check(again.code == harness.DEFECT and replayed.get("outcome") == "assertion", "the result does not replay", again)

    done, report = with_json(context, "explain", small)
    finding = (report.get("findings") or [{}])[0]
    wanted = harness.expectation_of(source).lines["deposit"]
    lines = {event["location"].get("line") for event in finding.get("decisive", [])}
    context.check(done.code == harness.CLEAN and lines == {wanted}, f"explain: exit code {done.code}, lines {lines}", done)
    context.check({event["operation"] for event in finding.get("decisive", [])} == {"read", "write"}, "explain: not read and write", finding.get("decisive"))
    marked = [line for line in done.out.splitlines() if line.startswith("* ")]
    context.check("comes before" in done.out and len(marked) == len(finding.get("decisive", [])), "explain: not marked", done)

    for target, code, verdict in ((program, harness.DEFECT, "reachable"), (repaired, harness.CLEAN, "not-reachable")):
        done, report = with_json(context, "verify-fix", small, "--", target)
        context.check(done.code == code and report.get("verdict") == verdict,
                      f"verify-fix {target.name}: exit code {done.code}, {report.get('verdict')}", done)
        context.check(report.get("preemptions") == 1, f"verify-fix: {report.get('preemptions')} preemptions", done)

    reports = []
    for command in ("minimize", "explain", "verify-fix"):
        reports.append(context.folder / f"{command}.json")
        context.tool(command, "--quiet", "--json", reports[-1], small)
    validated(context, *reports)

    # A plan that does not fail, and no plan at all.
    done, _ = with_json(context, "minimize", small, "--", repaired)
    context.check(done.code == harness.CANNOT_TEST, f"minimize of the repaired program: exit code {done.code}", done)
    for command in ("minimize", "explain", "verify-fix"):
        done = context.tool(command, context.folder / "nothing.plan")
        context.check(done.code == harness.USAGE and done.err.count("\n") == 1, f"{command} of no plan", done)


MOVED = """
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> value{0}, noise{0};
int main() {
  const auto add = [] {
#ifdef MOVED
    for (int i = 0; i < 12; ++i) noise.fetch_add(1);
#endif
#ifdef REPAIRED
    value.fetch_add(1);
#else
    const int old = value.load();
    value.store(old + 1);
#endif
  };
  std::thread a(add), b(add);
  a.join(), b.join();
  assert(value == 2);
}
"""


def near(context: harness.Context) -> None:
    """verify-fix looks at the plan, then near it, then at everything, and says which of them it was."""
    source = context.folder / "moved.cpp"
    source.write_text(MOVED)
    names = {"": (), "-moved": ("MOVED",), "-repaired": ("MOVED", "REPAIRED")}
    programs = {name: context.build(source, name=f"moved{name}", defines=defines) for name, defines in names.items()}
    if None in programs.values():
        return
    done, report = context.run(programs[""])
    if not context.check(done.code == harness.DEFECT, "nothing found", done):
        return
    plan = context.folder / report["findings"][0]["plan"]
    done, report = with_json(context, "verify-fix", plan)
    context.check(report.get("found_by") == "plan" and "still reachable with 1 preemption" in done.out, "the plan itself", done)
    done, report = with_json(context, "verify-fix", plan, "--", programs["-moved"])
    context.check(done.code == harness.DEFECT and report.get("found_by") == "near", f"moved: {report.get('found_by')}", done)
    context.check("still reachable with 1 preemption: near the plan's schedule" in done.out, "moved: how it went", done)
    context.check(0 < report.get("near_executions", 0) == report.get("executions"), "moved: executions", report)
    done, report = with_json(context, "verify-fix", plan, "--", programs["-repaired"])
    context.check(done.code == harness.CLEAN and report.get("complete") and report.get("found_by") == "", "repaired", done)
    said = re.search(r"^not reachable within 1 preemption: ([\d ]+) schedules, complete$", done.out, re.MULTILINE)
    context.check(said and int(said.group(1).replace(" ", "")) == report.get("executions"), "repaired: how it went", done)
    context.check(0 < report.get("near_executions", 0) < report.get("executions", 0), "repaired: executions", report)
    done, report = with_json(context, "verify-fix", "--time", "500ms", "--preemptions", 9, plan, "--", programs["-repaired"])
    context.check(done.code == INCONCLUSIVE and "raise --time" in done.out, "no time", done)


def detections(context: harness.Context) -> None:
    """What a detector found is minimised too, by `run` and by `minimize`, and the result shows it again."""
    program = context.build(context.sources / "corpus/detect/stack_of_ended_thread.cpp")
    if program is None:
        return
    done, report = context.run(program, "--no-minimize", "--strategy", "random", "--iterations", 100)
    found = next((f for f in report.get("findings", []) if f.get("detector") == "dead-stack"), None)
    if not context.check(found and not found["minimised"]["tried"] and found["preemptions"] > 0, "nothing found, or nothing to gain", done):
        return
    done, report = with_json(context, "minimize", context.folder / found["plan"])
    finding = (report.get("findings") or [{}])[0]
    context.check(done.code == harness.CLEAN and finding.get("detector") == "dead-stack" and finding.get("preemptions") == 0,
                  f"minimize: {finding.get('preemptions')} preemptions", done)
    again, replayed = context.replay(context.folder / finding.get("plan", ""))
    context.check(again.code == harness.DEFECT and finding["fingerprint"] in [f["fingerprint"] for f in replayed.get("findings", [])],
                  "the minimised plan does not show it", again)
    done, report = context.run(program, "--iterations", 100)
    finding = next(f for f in report["findings"] if f.get("detector") == "dead-stack")
    context.check(finding["preemptions"] == 0 and finding["minimised"]["fewest_preemptions"], "run does not minimise it", done)


def kept_beside(context: harness.Context) -> None:
    """`run` saves the simplest schedule, and the one that was found beside it; both replay."""
    program = context.build(context.sources / "corpus/core/dining_philosophers.cpp")
    if program is None:
        return
    done, report = context.run(program)
    if not context.check(done.code == harness.DEFECT, "nothing found", done):
        return
    finding = report["findings"][0]
    original = finding["minimised"].get("original", {})
    context.check(finding["preemptions"] == 1 and original.get("preemptions", 0) > 1, "not simplified", json.dumps(finding["minimised"]))
    for plan in (finding["plan"], original.get("plan", "")):
        again, _ = context.replay(context.folder / plan)
        context.check(again.code == harness.DEFECT, f"{plan} does not replay", again)


def shards(context: harness.Context) -> None:
    program = context.build(context.sources / "corpus/core/two_stage.cpp", name="two_stage-fixed", defines=("FIXED",))
    if program is None:
        return
    files = []
    for index in range(3):
        done, report = context.run(program, "--strategy", "random", "--iterations", 100, "--shard-index", index, "--shard-count", 3)
        context.check(done.code == harness.CLEAN and report.get("executions") in (33, 34), f"shard {index}", done)
        files.append(context.folder / f"shard-{index}.json")
        files[-1].write_text(json.dumps(report), encoding="utf-8")
    merged = context.folder / "all.json"
    done = context.tool("merge", "--json", merged, *files)
    sums = harness.read_json(merged)
    context.check(done.code == harness.CLEAN and sums.get("executions") == 100 and sums.get("shards") == [0, 1, 2], "merge", done)
    validated(context, merged)
    done = context.tool("merge", *files[:2])
    context.check(done.code == INCONCLUSIVE, f"merge without the last shard: exit code {done.code}", done)
    for wrong in ((files[0], files[0]), (program,), ()):
        done = context.tool("merge", *wrong)
        context.check(done.code == harness.USAGE and done.err.count("\n") == 1, f"merge {[str(w) for w in wrong]}", done)
    done, _ = context.run(program, "--shard-index", 3, "--shard-count", 3)
    context.check(done.code == harness.USAGE, f"shard 3 of 3: exit code {done.code}", done)
    # What one process does alone is complete for all.
    for index in range(2):
        done, report = context.run(program, "--strategy", "dpor", "--shard-index", index, "--shard-count", 2)
        context.check(done.code == harness.CLEAN and report.get("complete"), f"dpor, shard {index}: exit code {done.code}", done)


def long_execution(context: harness.Context) -> None:
    """A failure after thousands of events and hundreds of preemptions: at least five times fewer are left."""
    program = context.build(context.sources / "programs" / "budget" / "long_failure.cpp")
    if program is None:
        return
    for seed in (1, 2):
        done, report = context.run(program, "--strategy", "random", "--seed", seed, "--iterations", 20, "--minimize", "5s")
        if not context.check(done.code == harness.DEFECT, f"seed {seed}: nothing to minimise", done):
            continue
        finding = report["findings"][0]
        before = finding["minimised"].get("original", {}).get("preemptions", finding["preemptions"])
        context.check(before >= 300, f"seed {seed}: only {before} preemptions at first", done)
        context.check(5 * finding["preemptions"] <= before, f"seed {seed}: {before} preemptions, {finding['preemptions']} left", done)
        again, _ = context.replay(context.folder / finding["plan"])
        context.check(again.code == harness.DEFECT, f"seed {seed}: the plan does not replay", again)


# The read comes before anybody knew of a race: there is no scheduling point in the schedule that failed.
EARLY_READ = """#include <cassert>
#include <mutex>
#include <thread>
int main() {
  std::mutex mutex;
  bool done = false;
  std::thread worker([&] {
    const std::lock_guard<std::mutex> guard(mutex);
    done = true;  // here: late
  });
  const bool early = done;  // here: early
  worker.join();
  assert(early == done);
}
"""
# Each loses an update when the other comes in between, again and again: the order that decides is that of the first load and the last store.
LOST_OFTEN = """#include <atomic>
#include <cassert>
#include <thread>
int main() {
  std::atomic<int> sum{0};
  auto add = [&] {
    for (int i = 0; i < 6; ++i) {
      const int seen = sum.load();  // here: early
      sum.store(seen + 1);          // here: late
    }
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(sum == 12);
}
"""
# Whom the overflow hits, at which offset and in how large a block depends on the schedule; it is one mistake.
GROWN_TOGETHER = """#include <thread>
struct List {
  int* items = new int[1];
  int room = 1;
  int count = 0;
  void add(int item) {
    if (count == room) {
      int* const larger = new int[2 * room];
      for (int i = 0; i < count; ++i) larger[i] = items[i];
      delete[] items;
      items = larger;
      room *= 2;  // here: late
    }
    items[count] = item;
    ++count;
  }
};
int main() {
  List list;
  auto fill = [&] {
    for (int i = 0; i < 4; ++i) list.add(i);
  };
  std::thread first(fill);
  std::thread second(fill);
  first.join();
  second.join();
}
"""


def decisive_orders(context: harness.Context) -> None:
    """The plain command names the lines whose order decides, also where the failing schedule has no point between them."""
    for name, text in (("early_read", EARLY_READ), ("lost_often", LOST_OFTEN)):
        source = context.folder / f"{name}.cpp"
        source.write_text(text, encoding="utf-8")
        program = context.build(source)
        if program is None:
            continue
        done, report = context.run(program, "--detect", "none", "--points", "sync")
        finding = (report.get("findings") or [{}])[0]
        lines = {event["location"].get("line") for event in finding.get("decisive", [])}
        wanted = {harness.marked_line(source, mark) for mark in ("early", "late")}
        context.check(done.code == harness.DEFECT and lines == wanted, f"{name}: lines {lines}, expected {wanted}", done)


def one_mistake(context: harness.Context) -> None:
    """What is called minimal has the fewest preemptions of all schedules with the same mistake, whatever size the block has."""
    source = context.folder / "grown_together.cpp"
    source.write_text(GROWN_TOGETHER, encoding="utf-8")
    program = context.build(source)
    if program is None:
        return
    for seed in range(1, 9):
        done, report = context.run(program, "--strategy", "random", "--points", "shared", "--seed", seed, "--iterations", 300)
        for finding in report.get("findings", []):
            if finding["kind"] not in ("heap-overflow", "use-after-free") or not finding["minimised"]["fewest_preemptions"]:
                continue
            context.check(finding["preemptions"] <= 3, f"seed {seed}: {finding['preemptions']} preemptions called the fewest", done)
            plan = context.folder / finding["plan"]
            smaller, result = with_json(context, "minimize", "--time", "5s", plan)
            found = (result.get("findings") or [{}])[0]
            again, replayed = context.replay(plan.with_name(plan.name.removesuffix(".plan") + ".min.plan"))
            context.check(smaller.code == harness.CLEAN and found.get("preemptions") == finding["preemptions"] and
                          again.code == harness.DEFECT and replayed.get("outcome") == finding["kind"],
                          f"seed {seed}: minimize says {found.get('preemptions')} preemptions, run {finding['preemptions']}", smaller)
