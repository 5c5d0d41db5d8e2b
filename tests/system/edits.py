# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Names that last: programs of the corpus are edited mechanically and built again; their old plans must replay, or say exactly why
they do not. Prints the share that replays."""
import re
import shutil

import harness
import replay

EVERY = 5  # of the corpus, in CI; `full' takes all
FLOOR = {"lines": 0.9, "functions": 0.8, "fields": 0.8}  # share that must replay; "inside" changes the names themselves
EXACT = re.compile(r"decision \d+: expected .+(found .+|it could not|no further choice)|different program: expected .+, found")


def shift_lines(text: str) -> str:
    return replay.insert_function(text)


def blocks(lines: list[str], indent: str) -> list[tuple[int, int]]:
    """Function definitions (first line, line after the last) that start with a signature on one line at this indentation."""
    found = []
    start = None
    for number, line in enumerate(lines):
        head = re.match(indent + r"[A-Za-z_~].*\)( const| noexcept)* \{$", line)
        plain = head and not re.match(indent + r"(namespace|struct|class|enum|int main|if|for|while|switch)\b", line)
        before = lines[number - 1] if number else ""
        if start is None and plain and not before.strip().startswith(("template", "#")):
            start = number
        elif start is not None and line == indent + "}":
            found.append((start, number + 1))
            start = None
    return found


def reorder_functions(text: str) -> str:
    """Members and free functions in the opposite order; free ones go to the end of their namespace, declared before."""
    lines = text.splitlines()
    members = blocks(lines, "  ")
    bodies = [lines[first:last] for first, last in members]
    for (first, last), body in zip(reversed(members), bodies):
        lines[first:last] = body
    free = blocks(lines, "")
    if len(free) > 1:
        bodies = [lines[first:last] for first, last in free]
        declarations = [body[0].removesuffix(" {") + ";" for body in bodies]
        end = next((n for n, line in enumerate(lines) if line.startswith("}  // namespace")), None)
        end = end if end is not None else next(n for n, line in enumerate(lines) if line.startswith("int main"))
        lines[end:end] = [line for body in reversed(bodies) for line in [*body, ""]]
        for first, last in reversed(free):
            del lines[first:last]
        lines[free[0][0]:free[0][0]] = [*declarations, ""]
    return "\n".join(lines) + "\n"


def add_fields(text: str) -> str:
    return re.sub(r"^((?:struct|class) \w+[^;\n]*\{)$", r"\1\n  long added_field = 7;", text, flags=re.MULTILINE)


def add_fields_last(text: str) -> str:
    return re.sub(r"^\};$", "  long added_field = 7;\n};", text, flags=re.MULTILINE)


def lines_inside(text: str) -> str:
    lines = text.splitlines()
    for first, _ in reversed([*blocks(lines, ""), *blocks(lines, "  ")]):
        lines.insert(first + 1, "  // a comment that was not there before")
    return "\n".join(lines) + "\n"


EDITS = {"lines": [shift_lines], "functions": [reorder_functions], "fields": [add_fields, add_fields_last], "inside": [lines_inside]}


def edited_build(context: harness.Context, local, text: str, edits: list) -> bool:
    """The first of the edits that changes something and compiles."""
    for edit in edits:
        changed = edit(text)
        if changed == text:
            continue
        local.write_text(changed)
        words = ["c++", "--compiler", context.compiler, "-std=c++20", local, "-o", local.with_suffix("")]
        if context.tool(*words).code == 0:
            return True
    return False


def measure(context: harness.Context, every: int) -> None:
    counts = {name: {"replays": 0, "diverges": 0, "wrong": 0} for name in EDITS}
    for source in harness.sources_in(context.sources / "corpus" / "core")[::every]:
        if context.only not in source.name:
            continue
        local = context.folder / source.name
        shutil.copy(source, local)
        text = local.read_text()
        program = context.build(local)
        plan = program and replay.first_plan(context, program)
        if plan is None:
            continue
        for name, edits in EDITS.items():
            if not edited_build(context, local, text, edits):
                continue
            done, report = context.replay(plan)
            if done.code == harness.DEFECT and report.get("verdict") == "reproduced":
                counts[name]["replays"] += 1
            elif done.code == harness.CANNOT_TEST and EXACT.search(done.err):
                counts[name]["diverges"] += 1
                print(f"{source.stem}, {name}: {done.err.strip()}")
            else:
                counts[name]["wrong"] += 1
                context.check(False, f"{source.stem}, {name}: neither replayed nor an exact message", done)
    for name, count in counts.items():
        total = sum(count.values())
        share = count["replays"] / total if total else 0
        print(f"{name}: {count['replays']} of {total} plans replay ({share:.0%}), {count['diverges']} diverge with an exact message")
        context.check(total > 0, f"{name}: no program could be edited")
        context.check(share >= FLOOR.get(name, 0), f"{name}: only {share:.0%} replay")


def some(context: harness.Context) -> None:
    measure(context, EVERY)


def full(context: harness.Context) -> None:
    measure(context, 1)
