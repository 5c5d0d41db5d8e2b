# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Static facts that are kept small: after the budget, and where operations of lines make a million pairs."""
import re

import harness
from analyze import analyse

PROGRAMS = ("accounts_members", "bounded_buffer", "callbacks", "lost_notify", "virtual_call", "async_twice", "shared_lock")
STATEMENTS = 800  # that write one variable twice each
UPDATES = 500  # of it, in each class of threads
MOST_BYTES = 4_000_000
DEEP = 24  # functions of a header, each of which calls the one before it twice


def lines_of(facts: dict) -> set:
    def line(site: int) -> tuple:
        row = facts["sites"][site]
        return row["kind"], row["place"]["file"], row["place"]["line"]
    return {(kind, *sorted((line(first), line(second)))) for kind, first, second in harness.pairs_of(facts)}


def budget(context: harness.Context) -> None:
    """After the budget there are more pairs, never fewer, and the output says why."""
    grown = 0
    for stem in PROGRAMS:
        if context.only not in stem:
            continue
        program = context.build(context.sources / "statics" / f"{stem}.cpp", flags=("-O1",))
        if program is None:
            continue
        precise, coarse = analyse(context, program), analyse(context, program, "--budget", "1ms")
        context.check(not precise.get("coarse", True) and not precise.get("by_line", True), f"{stem}: the budget was enough", precise.get("coarse"))
        context.check(coarse.get("coarse") is True and coarse.get("by_line") is True, f"{stem}: no budget, and the facts do not say so")
        places = {(row["place"]["file"], row["place"]["line"], row["place"]["column"]) for row in coarse.get("sites", [])}
        context.check(all(column == 0 for _, _, column in places), f"{stem}: sites are lines", sorted(places)[:3])
        created = [row.get("created_at") for row in coarse.get("classes", [])]
        context.check(all(row.get("created_at") in created for row in precise.get("classes", [])), f"{stem}: a class of threads is lost", created)
        # The same in every run: not in the order of addresses.
        calls = [node.get("calls", []) for facts in (precise, coarse) for node in facts.get("graph", {}).get("nodes", [])]
        context.check(any(calls) and all(one == sorted(one) for one in calls), f"{stem}: callees in the order of functions", calls[:3])
        fine, rough = lines_of(precise), lines_of(coarse)
        context.check(fine <= rough, f"{stem}: pairs are lost after the budget", sorted(fine - rough)[:3])
        grown += fine < rough
        said = context.tool("analyze", "--budget", "1ms", program)
        context.check("the budget ended" in said.out and "in a line are one" in said.out, f"{stem}: the output says so", said)
    context.check(context.only != "" or grown > 0, "no program has more pairs after the budget: is it coarse at all?")


def many(context: harness.Context) -> None:
    """Two writes on each of 800 lines, in two threads of one class: 1 280 800 pairs of operations, 320 400 of lines."""
    source = context.folder / "many.cpp"
    writes = "\n".join("  x = 1, x = 2;" for _ in range(STATEMENTS))
    source.write_text("#include <thread>\n#include <vector>\nint x;\nvoid work() {\n" + writes + "\n}\n"
                      "int main() {\n  std::vector<std::thread> all;\n  for (int i = 0; i < 2; ++i) all.emplace_back(work);\n"
                      "  for (auto& one : all) one.join();\n}\n", encoding="utf-8")
    program = context.build(source, flags=("-O0",))
    if program is None:
        return
    done = context.tool("analyze", program)
    counted = re.search(r"in parallel: (\d+) RW", done.out)
    wanted = STATEMENTS * (STATEMENTS + 1) // 2
    context.check(counted is not None and wanted <= int(counted.group(1)) <= wanted + STATEMENTS * 8, f"about {wanted} pairs of lines", done)
    context.check("in a line are one" in done.out and "the budget ended" not in done.out, "the output says so", done)
    context.check("90 more of kind race" in done.out and len(done.out) < 10_000, "ten warnings of a kind are enough", done)
    facts = context.folder / ".ravel" / "many.facts"
    context.check(facts.stat().st_size < MOST_BYTES, f"{facts.stat().st_size} bytes of facts")
    context.check(len(harness.read_json(facts)["pairs"]) < 200, "pairs are grouped")


def threads(context: harness.Context) -> None:
    """Three classes of threads that read and write one variable on each of 500 lines: 3 million pairs of lines. Threads are not distinguished then,
    and the analysis stays small."""
    source = context.folder / "threads.cpp"
    updates = "\n".join("  x = x + 1;" for _ in range(UPDATES))
    starts = "\n".join("  for (int i = 0; i < 2; ++i) all.emplace_back(work);" for _ in range(3))
    source.write_text("#include <thread>\n#include <vector>\nint x;\nvoid work() {\n" + updates + "\n}\n"
                      "int main() {\n  std::vector<std::thread> all;\n" + starts + "\n  for (auto& one : all) one.join();\n}\n", encoding="utf-8")
    program = context.build(source, flags=("-O0",))
    if program is None:
        return
    out = context.folder / "threads.json"
    done = context.command(["prlimit", "--cpu=60", f"--as={1 << 30}", context.ravel, "analyze", "--json", out, program])
    context.check(done.code == harness.CLEAN and "too many pairs to distinguish threads" in done.out and "3 thread classes" in done.out, "the output says so", done)
    facts = harness.read_json(out)
    context.check(facts.get("any_thread") is True and facts.get("by_line") is True, "the facts say so")
    classes = facts.get("classes", [])
    context.check(len(classes) == 5 and classes[4]["name"] == "any" and classes[4]["many"], "one class for every thread", classes)
    counted = context.tool("analyze", "--instances", "T1=2", context.folder / ".ravel" / "threads.facts")
    context.check(counted.code == harness.USAGE and counted.out == "" and "not distinguished" in counted.err, "threads cannot be counted", counted)
    sites = facts.get("sites", [])
    context.check(all(row["class"] == 4 for row in sites), "all sites are of that class")
    shared = {row["place"]["line"] for row in sites if row["objects"] == ["x"]}
    lines = set(range(5, 5 + UPDATES))
    both = {tuple(sorted((sites[a]["place"]["line"], sites[b]["place"]["line"]))) for _, a, b in harness.pairs_of(facts)}
    context.check(lines <= shared and all((a, b) in both for a in (5, 250, 504) for b in lines if a <= b), "every line conflicts with every line", len(both))


def copies(context: harness.Context) -> None:
    """Functions of a system header that call each other twice: inlined they would be 2 to the 24th copies. They stay calls, and both statements
    that lead to them conflict."""
    source = context.folder / "deep.cpp"
    chain = ["static inline void step0(int* x) { ++*x; }"] + [
        f"static inline void step{i}(int* x) {{ step{i - 1}(x); step{i - 1}(x); }}" for i in range(1, DEEP + 1)]
    source.write_text('#include <thread>\n#line 1 "/usr/include/deep.h"\n' + "\n".join(chain) + f'\n#line 1 "{source}"\n' +
                      f"int x, y;\nint main() {{\n  std::thread a([] {{ step{DEEP}(&x); }});\n  step{DEEP}(&x);\n  a.join();\n  step{DEEP}(&y);\n}}\n",
                      encoding="utf-8")
    program = context.build(source, flags=("-O0",))
    if program is None:
        return
    facts = analyse(context, program)
    place = [(row["place"]["line"], row["kind"]) for row in facts.get("sites", [])]
    pairs = {tuple(sorted((place[first], place[second]))) for _, first, second in harness.pairs_of(facts)}
    wanted = {((3, "read"), (4, "write")), ((3, "write"), (4, "read")), ((3, "write"), (4, "write"))}
    context.check(wanted <= pairs, "the two statements conflict", sorted(pairs))
    context.check(not facts.get("coarse", True), "the budget ended")
