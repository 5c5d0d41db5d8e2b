# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""All interleavings of a program of memory, mutexes, semaphores and polling loops, by nothing but their definitions.

It shares no line with the tool: what a step needs and does is written down here a second time, so that an error in the tool's own rules
cannot agree with itself. An outcome is how the program ended and what was observed until then.
"""
from __future__ import annotations

import model

STATES = 200_000  # more than this: too large to be judged here


class TooLarge(Exception):
    pass


def knows(program: model.Program) -> bool:
    """Whether all operations have steps. Time-outs that may fire at any moment are not modelled."""
    return (program.joined and not program.adversarial and not program.results
            and all(op.steps is not None for ops in program.threads for op in ops))


def code_of(program: model.Program) -> list[tuple]:
    threads = [tuple(step for op in ops for step in op.steps) for ops in program.threads]
    workers = range(1, len(threads))
    main = tuple(("create", n) for n in workers) + threads[0] + tuple(("join", n) for n in workers)
    return [main + tuple(("load", cell, cell) for cell in program.observed), *threads[1:]]


class Interpreter:
    """State: remaining steps of each thread (None: not created), values of things, owners of mutexes, observations."""

    def __init__(self, program: model.Program):
        self.code = code_of(program)
        self.things = {thing.name: thing for thing in program.things}
        self.names = sorted(self.things)
        self.index = {name: i for i, name in enumerate(self.names)}

    def outcomes(self) -> set:
        values = tuple(-1 if self.things[n].kind == "mutex" else self.things[n].value for n in self.names)
        threads = (self.code[0],) + (None,) * (len(self.code) - 1)
        begin = (threads, values, frozenset())
        seen, waiting, found = {begin}, [begin], set()
        while waiting:
            state = waiting.pop()
            following = [after for n in range(len(threads)) for after in self.step(state, n)]
            if not following:
                done = state[0][0] == ()
                found.add(("completed" if done else "deadlock", state[2]))
            for after in following:
                if after not in seen:
                    if len(seen) > STATES:
                        raise TooLarge
                    seen.add(after)
                    waiting.append(after)
        return found

    def step(self, state, n: int):
        """States after thread n's next step; none when it has to wait. After main's end nothing runs."""
        threads, values, observed = state
        if threads[0] == () or not threads[n]:
            return
        step, rest = threads[n][0], threads[n][1:]
        for change in self.apply(step, rest, threads, values, n):
            remaining, new_values, seen, created = change
            others = list(threads)
            others[n] = remaining
            if created:
                others[created] = self.code[created]
            new = dict(observed)
            new.update(seen)
            yield tuple(others), new_values, frozenset(new.items())

    def apply(self, step, rest, threads, values, n):
        kind, name = step[0], step[1]
        if kind == "create":
            yield rest, values, {}, name
            return
        if kind == "join":
            if threads[name] == ():
                yield rest, values, {}, 0
            return
        if kind == "choose":
            for value in range(name):
                yield step[3][value] + rest, values, {step[2]: value}, 0
            return
        value = values[self.index[name]]

        def put(new):
            changed = list(values)
            changed[self.index[name]] = new
            return tuple(changed)

        mask = self.things[name].mask
        if kind == "load":
            yield rest, values, {step[2]: value}, 0
        elif kind == "store":
            yield rest, put(step[2] & mask), {}, 0
        elif kind == "increment":  # a read and a write
            yield (("store", name, value + step[2]),) + rest, values, {}, 0
        elif kind == "add":
            yield rest, put((value + step[2]) & mask), {step[3]: value}, 0
        elif kind == "exchange":
            yield rest, put(step[2] & mask), {step[3]: value}, 0
        elif kind == "compare":
            equal = value == step[2]
            yield rest, put(step[3] & mask) if equal else values, {step[4]: (100 if equal else 0) + value}, 0
        elif kind == "lock":
            if value < 0:
                yield rest, put(n), {}, 0
        elif kind == "unlock":
            yield rest, put(-1), {}, 0
        elif kind == "try":
            if value < 0:
                yield step[3] + rest, put(n), {step[2]: 1}, 0
            else:
                yield rest, values, {step[2]: 0}, 0
        elif kind == "poll":  # reads until it finds something or has read so often; the number of reads that found nothing is observed
            _, _, times, label, done = step
            done += value == 0
            if value != 0 or done == times:
                yield rest, values, {label: done}, 0
            else:
                yield (("poll", name, times, label, done),) + rest, values, {}, 0
        elif kind == "wait":
            if value > 0:
                yield rest, put(value - 1), {}, 0
        elif kind == "trywait":
            yield rest, put(value - 1) if value > 0 else values, {step[2]: int(value > 0)}, 0
        elif kind == "post":
            yield rest, put(value + 1), {}, 0
        else:
            raise ValueError(f"unknown step {step}")


def outcomes(program: model.Program) -> set:
    """Pairs of kind and observations, as oracle.outcomes_of gives them."""
    found = Interpreter(program).outcomes()
    return {(kind, tuple(sorted((name, str(value)) for name, value in observed))) for kind, observed in found}
