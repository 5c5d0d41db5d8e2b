# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""--points racy, shared, all and pairs: a complete search has the same outcomes with each of them, on random programs of plain and atomic
accesses, locks and heap blocks that threads free."""
import pathlib
import random

import harness

PROGRAMS = 40
BUDGET = 20_000
MODES = ("racy", "shared", "pairs", "all")

HEAD = """#include <ravel/ravel.h>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
static volatile int a, b;
static std::atomic<int> flag;
static std::mutex gate;
static int seen[2];
struct Block { volatile int value; std::mutex lock; };
static Block* block;
static void note(int thread, int value) { seen[thread] = seen[thread] * 3 + value; }
"""
TAIL = """static void (*const kThreads[][2])() = {%s};
int main(int, char** argv) {
  void (*const* bodies)() = kThreads[std::atoi(argv[1])];
  block = new Block{};
  std::thread first(bodies[0]);
  std::thread second(bodies[1]);
  first.join();
  second.join();
  ravel::observe("first", seen[0]);
  ravel::observe("second", seen[1]);
  ravel::observe("a", a);
  ravel::observe("b", b);
}
"""


def statement(chance: random.Random, thread: int) -> str:
    name = chance.choice(("a", "b", "block->value"))
    plain = (f"note({thread}, {name});", f"{name} = {chance.randint(1, 2)};")
    kind = chance.random()
    if kind < 0.55:
        return chance.choice(plain)
    if kind < 0.65:
        return f"note({thread}, {name}); note({thread}, {name});"
    if kind < 0.75:
        return f"flag.store({chance.randint(1, 2)});"
    if kind < 0.85:
        return f"if (flag.load() == {chance.randint(0, 2)}) {{ {chance.choice(plain)} }}"
    lock = chance.choice(("gate", "gate", "block->lock"))
    return f"{{ std::lock_guard hold({lock}); {chance.choice(plain)} }}"


def body(chance: random.Random, thread: int, frees: bool) -> str:
    lines = [statement(chance, thread) for _ in range(chance.randint(2, 3))]
    if frees:
        lines.insert(chance.randint(0, len(lines)), "delete block;")
    return " ".join(lines)


def write_programs(path: pathlib.Path, seed: int, count: int) -> None:
    chance = random.Random(seed)
    text = HEAD
    for number in range(count):
        frees = chance.choice(((), (0,), (1,), (0, 1)))
        for thread in (0, 1):
            text += f"static void body_{number}_{thread}() {{ {body(chance, thread, thread in frees)} }}\n"
    path.write_text(text + TAIL % ", ".join(f"{{body_{n}_0, body_{n}_1}}" for n in range(count)), encoding="utf-8")


def outcomes_with(context: harness.Context, program: pathlib.Path, number: int, points: str):
    report = context.folder / "outcomes.json"
    report.unlink(missing_ok=True)
    done = context.tool("outcomes", "--json", report, "--color", "never", "--points", points, "--iterations", BUDGET, "--", program, number)
    found = harness.read_json(report)
    return done, found.get("complete"), {(row["kind"], *sorted(row["observations"].items())) for row in found.get("outcomes", [])}


def compare(context: harness.Context, seed: int, count: int) -> None:
    source = context.folder / f"random_{seed}.cpp"
    write_programs(source, seed, count)
    program = context.build(source, flags=("-O1",), libraries=("-lpthread",))
    if program is None:
        return
    done = context.tool("analyze", program)
    context.check(done.code == harness.CLEAN, f"seed {seed}: analyze", done)
    freed = 0
    for number in range(count):
        of_all = None
        for points in reversed(MODES):
            done, complete, seen = outcomes_with(context, program, number, points)
            context.check(complete is True, f"seed {seed}, program {number}, {points}: complete: {complete}", done)
            of_all = seen if of_all is None else of_all
            context.check(seen == of_all, f"seed {seed}, program {number}, {points}: missing {sorted(of_all - seen)}, "
                                          f"invented {sorted(seen - of_all)}", done)
        freed += any("free" in row[0] for row in of_all)
    context.check(freed > count // 10, f"seed {seed}: only {freed} programs use freed memory")


def nested(context: harness.Context) -> None:
    compare(context, 1, PROGRAMS)


def many(context: harness.Context) -> None:
    for seed in range(2, 22):
        compare(context, seed, 100)


def known(context: harness.Context) -> None:
    """Programs of tests/litmus whose outcomes hang on the second access to a racy cell, or on a free."""
    for name, wanted in (("racy_reads", 3), ("racy_heap_reads", 5), ("heap_free_read", 2), ("heap_free_lock", 2), ("heap_double_free", 2)):
        source = context.sources / "litmus" / f"{name}.cpp"
        program = context.build(source, flags=("-O1",), libraries=("-lpthread",))
        if program is None:
            continue
        report = context.folder / "known.json"
        for strategy in ("dpor", "dfs", "clock-vector"):
            for points in ("racy", "shared"):
                report.unlink(missing_ok=True)
                done = context.tool("outcomes", "--json", report, "--color", "never", "--strategy", strategy, "--points", points, "--iterations",
                                    200_000, "--", program)
                found = harness.read_json(report)
                context.check(found.get("complete") is True and len(found.get("outcomes", [])) == wanted,
                              f"{name}, {strategy}, {points}: {len(found.get('outcomes', []))} outcomes, expected {wanted}", done)
