# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""The tested program is hostile ground: whatever it writes over the shared memory, the tool ends in order."""
import random

import harness

RUNS = 24
ORDERLY = {0, 1, 3, 4, 5}
# What to hit, in bytes from the start of the block: everything small at its front, the result, the tables behind it.
REGIONS = [(0, 4096), (4096, 64 << 10), (0, 256 << 10), (16 << 10, 1 << 20), (0, 64 << 20)]


def scribble(context: harness.Context) -> None:
    program = context.build(context.sources / "programs/determinism/scribble.cpp")
    if program is None:
        return
    chance = random.Random(7)
    seen = set()
    for seed in range(RUNS):
        start, length = REGIONS[seed % len(REGIONS)]
        writes = chance.choice([1, 8, 200, 5000])
        words = ["run", "--iterations", 30, "--hang", "1s", "--keep-going", "--quiet", program, seed, start, length, writes]
        done = context.tool(*words)
        seen.add(done.code)
        context.check(done.code in ORDERLY, f"seed {seed}: the tool ended with {done.code}", done)
        context.check(done.code in (0, 1) or done.err.startswith("ravel: "), f"seed {seed}: no clear message", done)
    context.check(len(seen) > 1, f"nothing was hit: always {seen}")
    print(f"exit codes seen: {sorted(seen)}")
