# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Leaves out operations of a program as long as it is still judged wrong."""
from __future__ import annotations

import dataclasses

import model


def candidates(program: model.Program):
    """The program without a thread's operations, then without one operation each, then in its plainer forms."""
    for n, ops in enumerate(program.threads):
        if len(ops) > 1:
            yield with_thread(program, n, ())
    if len(program.threads) > 3 and not program.threads[-1]:
        yield dataclasses.replace(program, threads=program.threads[:-1])
    for n, ops in enumerate(program.threads):
        for i in range(len(ops)):
            yield with_thread(program, n, ops[:i] + ops[i + 1:])
    for name in program.observed:
        yield dataclasses.replace(program, observed=tuple(cell for cell in program.observed if cell != name))
    for field, plain in (("standard", False), ("adversarial", False), ("results", False), ("joined", True)):
        if getattr(program, field) != plain:
            yield dataclasses.replace(program, **{field: plain})


def with_thread(program: model.Program, n: int, ops: tuple) -> model.Program:
    return dataclasses.replace(program, threads=program.threads[:n] + (ops,) + program.threads[n + 1:])


def shrink(program: model.Program, first_wrong, rounds: int = 12) -> model.Program:
    """`first_wrong(programs)` builds all of them at once and gives the first that is still wrong, or None."""
    for _ in range(rounds):
        smaller = first_wrong(list(candidates(program)))
        if smaller is None:
            return program
        program = smaller
    return program
