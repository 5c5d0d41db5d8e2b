# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""From a seed to a program: two or three families, two or three workers, a few operations each."""
from __future__ import annotations

import families_library
import families_locks
import families_threads
import families_waits
import families_world
import maker
import model

PARTS = (families_locks, families_waits, families_world, families_threads, families_library)
FAMILIES = {name: make for part in PARTS for name, make in part.FAMILIES.items()}
THINGS = tuple(thing for part in PARTS for thing in part.THINGS)

SIGNALS = {"signal", "sigwait", "interrupted"}
TIMED = {"timed", "semaphore-timed", "condition-timed", "timed-join"}
# Threads may outlive main: global objects with a destructor would be used after it.
OUTLIVING = {"detach", "early-end", "timed-join", "process-end", "timer"}
DESTROYED = {"heap", "future", "barrier"}
# What they show is in the order of creations, starts, ends and joins.
LIFECYCLE = OUTLIVING | SIGNALS | {"cancel", "create", "robust", "thread-local", "future"}
# A cancelled thread must not be inside a destructor or the C++ library.
CANCELLED_IN = {"memory", "mutex", "checked", "recursive", "robust", "rwlock", "spin", "semaphore", "condition", "pipe", "poll", "time", "choose"}


def fits(name: str, chosen: list[str]) -> bool:
    """Whether a program with both is correct under every schedule."""
    for other in chosen:
        for one, two in ((name, other), (other, name)):
            if one == "cancel" and two not in CANCELLED_IN:
                return False
            if one in OUTLIVING and two in DESTROYED:
                return False
            if one in SIGNALS and two in {"early-end", "timed-join"}:
                return False
    return True


def chosen_families(making: maker.Maker, enabled: list[str], seed: int) -> list[str]:
    """The first in turn, so that none is left out."""
    chosen = [enabled[seed % len(enabled)]]
    for _ in range(making.pick([0, 1, 1, 2])):
        name = making.pick(enabled)
        if name not in chosen and fits(name, chosen):
            chosen.append(name)
    return chosen


def operations(making: maker.Maker, chosen: list[str], thread: int, number: int) -> tuple[model.Op, ...]:
    making.thread = thread
    found = []
    for position in range(number):
        making.last = position == number - 1
        name = making.pick([chosen[0], *chosen, "memory"])
        found.append(FAMILIES[name](making))
    return tuple(found)


def program(seed: int, enabled: list[str]) -> model.Program:
    making = maker.Maker(seed)
    chosen = chosen_families(making, sorted(enabled), seed)
    making.workers = making.pick([2, 2, 2, 2, 2, 3])
    most = 1 if making.workers == 3 else 2
    main = operations(making, chosen, model.MAIN, making.pick([0, 0, 0, 1]))
    workers = [operations(making, chosen, n, making.pick([1, most, most])) for n in range(1, making.workers + 1)]
    if making.closing:
        main = ()  # what comes before the signal that a worker waits for must not block
    outliving = "process-end" in chosen and making.random.random() < 0.6
    return model.Program(
        seed=seed, chosen=tuple(chosen), things=(*making.cells, *THINGS), threads=((*main, *making.closing), *workers), joined=not outliving,
        standard=not making.handles and not outliving and "process-end" not in chosen and making.random.random() < 0.3,
        observed=tuple(cell.name for cell in making.cells),
        adversarial=bool(TIMED & set(chosen)) and making.random.random() < 0.5,
        lifecycle=bool(LIFECYCLE & set(chosen)) or making.random.random() < 0.2,
        results="cancel" in chosen or "early-end" in chosen)
