# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""A random program as data: objects, the operations of each thread, how main ends. `source_of` makes C++ of it.

Every operation stands for itself: any of them can be left out and a correct program remains, which is what shrinking does.
"""
from __future__ import annotations

import dataclasses
import re

MAIN = 0


@dataclasses.dataclass(frozen=True)
class Op:
    """One operation of one thread. `steps` is for the interpreter; None: it does not know this kind of operation."""
    family: str
    code: str
    steps: tuple | None = None
    last: bool = False  # nothing of this thread follows


@dataclasses.dataclass(frozen=True)
class Thing:
    """A global of the program, declared when some operation names it. `value`: what the interpreter starts with."""
    name: str
    declaration: str
    setup: str = ""
    kind: str = ""  # cell, mutex, semaphore, or unknown to the interpreter
    value: int = 0
    mask: int = 0
    needs: tuple = ()  # other things that its declaration names


@dataclasses.dataclass(frozen=True)
class Program:
    seed: int
    things: tuple[Thing, ...]
    threads: tuple[tuple[Op, ...], ...]  # [0] is main, between the creations and the joins
    joined: bool = True
    standard: bool = False  # std::thread instead of pthread_create
    observed: tuple[str, ...] = ()  # cells that main reads at the end
    adversarial: bool = False
    results: bool = False  # what pthread_join gives back is observed
    chosen: tuple[str, ...] = ()  # the families it was made from
    lifecycle: bool = True  # creations, starts, ends and joins are scheduling points

    def used(self) -> list[Thing]:
        text = "\n".join(op.code for ops in self.threads for op in ops) + "\n".join(self.observed)
        wanted = {thing.name for thing in self.things if re.search(rf"\b{thing.name}\b", text)}
        known = {thing.name: thing for thing in self.things}
        for name in sorted(wanted):
            wanted |= set(known[name].needs)
        return [thing for thing in self.things if thing.name in wanted]

    def families(self) -> list[str]:
        named = {op.family for ops in self.threads for op in ops}
        return sorted(named if self.joined else named | {"process-end"})

    def size(self) -> int:
        return sum(len(ops) for ops in self.threads)


PROLOGUE = r"""// Random programs, made by tests/random_programs. The argument says which one runs.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <semaphore>
#include <shared_mutex>
#include <thread>

#include "ravel/ravel.h"

#define B asm volatile("" ::: "memory")
__attribute__((noinline)) static void o(const char* name, long value) { ravel::observe(name, value); }
__attribute__((noinline)) static timespec soon(clockid_t clock = CLOCK_REALTIME) {
  timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += 1000000;
  if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, ++t.tv_sec;
  return t;
}
"""


def indented(text: str, by: str = "  ") -> str:
    return "\n".join(by + line for line in text.splitlines() if line)


def thread_function(program: Program, number: int) -> str:
    body = "\n".join(f"{op.code} B;" for op in program.threads[number])
    return f"void* t{number}(void*) {{\n{indented(body)}\n  return nullptr;\n}}"


def creations(program: Program) -> list[str]:
    workers = range(1, len(program.threads))
    if program.standard:
        return [f"std::thread w{n}([] {{ t{n}(nullptr); }});" for n in workers]
    return [f"pthread_create(&h{n}, nullptr, t{n}, nullptr);" for n in workers]


def joins(program: Program) -> list[str]:
    lines = []
    for n in range(1, len(program.threads)):
        if not program.joined:
            continue
        if program.standard:
            lines.append(f"w{n}.join();")
        elif program.results:
            lines.append(f"if (!j{n}) {{ void* v{n} = nullptr; pthread_join(h{n}, &v{n}); o(\"join{n}\", v{n} == PTHREAD_CANCELED ? -1 : (long)v{n}); }}")
        else:
            lines.append(f"if (!j{n}) pthread_join(h{n}, nullptr);")
    return lines


def namespace_of(program: Program, name: str) -> str:
    workers = range(1, len(program.threads))
    parts = [f"namespace {name} {{  // seed {program.seed}: {', '.join(program.families())}"]
    parts += ["[[maybe_unused]] static pthread_t " + ", ".join(f"h{n}" for n in range(len(program.threads))) + ";"]
    parts += ["[[maybe_unused]] static bool " + ", ".join(f"j{n}" for n in workers) + ";"]
    parts += [thing.declaration for thing in program.used()]
    parts += [thread_function(program, n) for n in workers]
    body = ["h0 = pthread_self();"]
    body += [thing.setup for thing in program.used() if thing.setup]
    body += creations(program)
    body += [f"{op.code} B;" for op in program.threads[MAIN]]
    body += joins(program)
    body += [f"o(\"{cell}\", {cell});" for cell in program.observed]
    body += ["return 0;"]
    parts.append("int run() {\n" + indented("\n".join(body)) + "\n}")
    parts.append(f"}}  // namespace {name}")
    return "\n".join(parts)


def source_of(programs: list[Program]) -> str:
    """The argument of the program is the index of the one that runs."""
    names = [f"p{i}" for i in range(len(programs))]
    text = PROLOGUE + "\n" + "\n\n".join(namespace_of(p, name) for p, name in zip(programs, names))
    cases = "\n".join(f"    case {i}: return {name}::run();" for i, name in enumerate(names))
    return text + "\n\nint main(int, char** words) {\n  switch (std::atoi(words[1])) {\n" + cases + "\n  }\n  return 9;\n}\n"
