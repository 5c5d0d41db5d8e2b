# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What a family of operations needs to make one: chance, fresh names for observations, and cells of memory to show an order by."""
from __future__ import annotations

import random

import model

WIDTHS = {"unsigned char": 8, "unsigned short": 16, "unsigned": 32, "unsigned long": 64}


def cell(name: str, atomic: bool, width: str) -> model.Thing:
    kind = f"std::atomic<{width}>" if atomic else width
    return model.Thing(name, f"{kind} {name}{{0}};", kind="cell", mask=(1 << WIDTHS[width]) - 1)


class Maker:
    """One program in the making. Families call `label`, `value`, `access`; `thread` is the one whose operation is made."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.thread = model.MAIN
        self.last = False  # the operation may be the last of its thread
        self.workers = 2
        self.handles = False  # some operation names another thread
        self.ended_early = False  # main may join or detach a thread before the end
        self.closing: list = []  # operations of main after all others
        self.labels = 0
        self.counts: dict[str, int] = {}
        widths = [self.random.choice(list(WIDTHS)) for _ in range(2)]
        self.cells = [cell("x", True, widths[0]), cell("y", self.random.random() < 0.6, widths[1])]

    def label(self) -> str:
        self.labels += 1
        return f"{'mabc'[self.thread]}{self.labels}"

    def value(self) -> int:
        return self.random.randint(1, 3)

    def pick(self, choices):
        return self.random.choice(choices)

    def once(self, what: str, limit: int = 1) -> bool:
        """True `limit` times in a program."""
        self.counts[what] = self.counts.get(what, 0) + 1
        return self.counts[what] <= limit

    def access(self) -> tuple[str, tuple]:
        """One access to memory: code and steps."""
        thing = self.pick(self.cells)
        return self.atomic_access(thing) if "atomic" in thing.declaration else self.plain_access(thing)

    def plain_access(self, thing: model.Thing) -> tuple[str, tuple]:
        name, label, value = thing.name, self.label(), self.value()
        return self.pick([
            (f"o(\"{label}\", {name});", (("load", name, label),)),
            (f"{name} = {value};", (("store", name, value),)),
            (f"{{ auto v = {name}; B; {name} = v + {value}; }}", (("increment", name, value),)),
        ])

    def atomic_access(self, thing: model.Thing) -> tuple[str, tuple]:
        name, label, value, other = thing.name, self.label(), self.value(), self.pick([0, 0, 1, 2])
        order = self.pick(["", "", ", std::memory_order_relaxed"])
        comparison = (f"{{ auto e = decltype({name}.load())({other}); bool k = {name}.compare_exchange_strong(e, {value}); "
                      f"o(\"{label}\", (k ? 100 : 0) + long(e)); }}")
        return self.pick([
            (f"o(\"{label}\", {name}.load({order[2:]}));", (("load", name, label),)),
            (f"{name}.store({value}{order});", (("store", name, value),)),
            (f"o(\"{label}\", {name}.fetch_add({value}{order}));", (("add", name, value, label),)),
            (f"o(\"{label}\", {name}.exchange({value}{order}));", (("exchange", name, value, label),)),
            (comparison, (("compare", name, other, value, label),)),
        ])

    def inside(self) -> tuple[str, tuple]:
        """One or two accesses that a lock, a handler or a choice is put around."""
        parts = [self.access() for _ in range(self.pick([1, 1, 2]))]
        return " B; ".join(code for code, _ in parts) + " B;", tuple(step for _, steps in parts for step in steps)
