# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""One access to a block of the heap at a time: arithmetic says whether it is inside, and what the finding must say."""
import harness

SIZES = (0, 1, 7, 8, 20, 24, 40, 48, 1000, 40_000)
NEAR = 24  # bytes: nearer to this block than to its neighbours
WORDS = {"read": (1, 2, 4, 8), "write": (1, 2, 4, 8), "load": (4, 8), "rmw": (4, 8)}
BLOCKS = {"copy-from": (3, 24), "copy-to": (5, 40), "fill": (33,), "strcpy": (9,)}
SAID = {"copy-from": "read", "copy-to": "write", "fill": "write", "strcpy": "write"}


def offsets(how: str, width: int, size: int) -> list:
    """Around both ends: the last that fits, the first that does not, and some in between."""
    found = {-width, -1, 0, size - width, size - width + 1, size - 1, size, size + 3}
    if how in ("load", "rmw"):
        found = {-width, 0, (size - width) // width * width, size // width * width}
    return sorted(o for o in found if -NEAR < o < size + NEAR // 2 and (how not in ("load", "rmw") or o % width == 0))


def cases() -> list:
    wanted = [(how, width, size, offset) for how, widths in (WORDS | BLOCKS).items() for width in widths
              for size in SIZES for offset in offsets(how, width, size)]
    return wanted[::11]  # a prime: all kinds, sizes and widths come up


def group(context: harness.Context) -> None:
    program = context.build(context.sources / "bounds" / "one_access.cpp", flags=("-O1", "-fno-builtin"))
    if program is None:
        return
    for how, width, size, offset in cases():
        name = f"{how} of {width} bytes at {offset} of {size}"
        told = context.folder / "access.json"
        told.unlink(missing_ok=True)
        done = context.tool("run", "--json", told, "--color", "never", "--iterations", 1, "--strategy", "run-on", "--no-minimize",
                            program, how, width, size, offset)
        report = harness.read_json(told)
        kinds = [finding["kind"] for finding in report.get("findings", [])]
        if 0 <= offset and offset + width <= size:
            context.check(done.code == harness.CLEAN and not kinds, f"{name}: {kinds}, it is inside", done)
            continue
        if not context.check(kinds == ["heap-overflow"], f"{name}: {kinds}, it is outside", done):
            continue
        finding = report["findings"][0]
        said = (f"{SAID.get(how, how)} of {width} byte{'' if width == 1 else 's'} at offset {offset} "
                f"of a block of {size} byte{'' if size == 1 else 's'}")
        context.check(finding["message"] == said, f"{name}: '{finding['message']}', expected '{said}'", done)
        text = " ".join(finding["details"])
        context.check(f"{size} bytes allocated by T0 (main)" in text, f"{name}: the allocation is not named", finding)
        context.check("too much memory" not in done.out + done.err, f"{name}: a false note", done)
