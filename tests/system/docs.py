# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Every command in the documentation is run, page by page, and shows what the page says.

In a fenced block a line `$ command` is run; what follows it, up to the next `$`, is what it must print: each line, in this order,
other lines may come between. Numbers, times and rates may differ, places (`bank.cpp:38`) may not; a line `...` says nothing. All commands
of a page run in one shell, in a folder of their own. Comments, which readers do not see, say what cannot be seen from the block:

  <!-- doctest: have bank -->        before the page's first command: examples/bank.cpp and the programs bank and bank-fixed; `plan': bank's plan too
  <!-- doctest: run COMMAND -->      run without being shown
  <!-- doctest: file NAME -->        the next block is the text of that file
  <!-- doctest: exit N -->           exit code of the next block's commands (else 0 or 1; 2 where an error line is shown)
  <!-- doctest: skip REASON -->      the next block cannot be run; these are counted

A command in a block that is neither run nor skipped is a mistake.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import time

import harness

PAGES = ("README.md", "docs/**/*.md")
NOT_PAGES = ("docs/adr/*",)
MOST_SKIPPED = 12  # blocks, over all pages


@dataclasses.dataclass
class Step:
    """A command, or a file to be written (`text` set)."""
    line: int
    command: str = ""
    shown: list = dataclasses.field(default_factory=list)
    code: int | None = None
    hidden: bool = False
    file: str = ""
    text: str = ""


@dataclasses.dataclass
class Page:
    steps: list
    skipped: list
    wrong: list
    have: set


def read_page(text: str) -> Page:
    page = Page([], [], [], set())
    lines = text.splitlines()
    pending: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if match := re.fullmatch(r"\s*<!-- doctest: (\w+) (.*) -->", line):
            word, rest = match.groups()
            if word == "have":
                page.have |= set(rest.split())
            elif word == "run":
                page.steps.append(Step(at, rest, hidden=True))
            elif word in ("file", "exit", "skip"):
                pending[word] = rest
            else:
                page.wrong.append(f"{at}: what is `{word}'?")
            continue
        if re.match(r" {4,}(\$ )?(ravel|make|cmake|ctest) ", line):
            page.wrong.append(f"{at}: a command outside of a fenced block is not run: {line.strip()}")
        fence = re.fullmatch(r"\s*```(\w*)", line)
        if not fence:
            continue
        begin, block = at, []
        while at < len(lines) and lines[at].strip() != "```":
            block.append(lines[at])
            at += 1
        at += 1
        read_block(page, begin, block, fence.group(1), pending)
        pending = {}
    return page


def read_block(page: Page, begin: int, block: list, language: str, pending: dict) -> None:
    if "skip" in pending:
        page.skipped.append((begin, pending["skip"]))
    elif "file" in pending:
        page.steps.append(Step(begin, file=pending["file"], text="\n".join(block) + "\n"))
    elif language in ("", "console", "sh"):
        steps: list[Step] = []
        for offset, line in enumerate(block):
            if line.startswith("$ "):
                steps.append(Step(begin + offset + 1, line[2:]))
            elif steps and steps[-1].command.endswith("\\"):
                steps[-1].command += "\n" + line.removeprefix("> ")
            elif steps:
                steps[-1].shown.append(line)
            elif re.match(r"(ravel|make|cmake|ctest) ", line):
                page.wrong.append(f"{begin + offset + 1}: a command without `$ ' is not run: {line}")
        for step in steps:
            step.code = int(pending["exit"]) if "exit" in pending else None
        page.steps += steps


def masked(line: str) -> str:
    line = re.sub(r"rv1:\S+", "rv1:#", line)
    line = re.sub(r"\b[0-9a-f]{16}\b", "#", line)
    line = re.sub(r"(?<![\w:./-])\d(?:[\d.,]| (?=\d))*(?: ?[kM](?=/s))?", "#", line)
    line = re.sub(r"# (schedule|execution|preemption|event|switch|shard|finding|line|outcome)(e?s)?\b", r"# \1", line)
    return re.sub(r"\s+", " ", line).strip()


def not_shown(shown: list, printed: str) -> str | None:
    """The first line that is not printed after those before it."""
    lines = [masked(line) for line in printed.splitlines()]
    at = 0
    for line in shown:
        wanted = masked(line)
        if wanted in ("", "..."):
            continue
        while at < len(lines) and lines[at] != wanted:
            at += 1
        if at == len(lines):
            return line
        at += 1
    return None


def run_page(context: harness.Context, name: str, page: Page, fixtures: pathlib.Path) -> None:
    # The same folder for all: reports name sources by their place below the present folder.
    folder = context.folder / "page"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    provide(context, folder, page.have, fixtures)
    script = ["cd " + shell_word(folder), "shopt -s expand_aliases", "unset RAVEL_OPTIONS COLUMNS"]
    for number, step in enumerate(page.steps):
        if step.file:
            source = context.folder / f"file-{number}.text"
            source.write_text(step.text)
            script.append(f"mkdir -p \"$(dirname {shell_word(step.file)})\" && cp {shell_word(source)} {shell_word(step.file)}")
            if step.text.startswith("#!"):
                script.append(f"chmod +x {shell_word(step.file)}")
        else:
            script.append(f"printf '\\n@@begin {number}\\n'\n{step.command}\nprintf '\\n@@end {number} %d\\n' $?")
    path = context.folder / (re.sub(r"\W", "_", name) + ".sh")
    path.write_text("exec 2>&1\n" + "\n".join(script) + "\n")
    env = dict(os.environ, PATH=f"{context.ravel.parent}:{os.environ['PATH']}", ROOT=str(context.sources.parent), LC_ALL="C.UTF-8", PAGER="cat")
    begin = time.monotonic()
    done = context.command(["bash", "--norc", path], cwd=folder, env=env, timeout=harness.WATCHDOG)
    print(f"{name}: {sum(bool(step.command) for step in page.steps)} commands, {time.monotonic() - begin:.1f} s")
    for number, step in enumerate(page.steps):
        if not step.command:
            continue
        match = re.search(rf"^@@begin {number}\n(.*)\n@@end {number} (\d+)$", done.out, re.MULTILINE | re.DOTALL)
        where = f"{name}:{step.line}: `{step.command}'"
        if not context.check(match is not None, f"{where} did not end", done.out[-3000:]):
            return
        printed, code = match.group(1), int(match.group(2))
        error = any(line.startswith("ravel: ") for line in step.shown)
        allowed = {step.code} if step.code is not None else {2, 3} if error else {0} if step.hidden else {0, 1}
        if step.hidden and step.code is None and step.command.startswith("ravel run"):
            allowed = {0, 1}
        context.check(code in allowed, f"{where} ended with {code}, expected {sorted(allowed)}", printed)
        missing = not_shown(step.shown, printed)
        context.check(missing is None, f"{where} does not print `{missing}'", printed)


def shell_word(word: object) -> str:
    return "'" + str(word).replace("'", "'\\''") + "'"


def provide(context: harness.Context, folder: pathlib.Path, have: set, fixtures: pathlib.Path) -> None:
    """Built once for all pages."""
    source = context.sources.parent / "examples/bank.cpp"
    if have & {"bank", "plan"} and not fixtures.exists():
        shutil.copy(source, folder)
        for name, flags in (("bank", ()), ("bank-fixed", ("-DFIXED",))):
            done = context.tool("c++", "-std=c++20", *flags, "bank.cpp", "-o", name, cwd=folder)
            context.check(done.code == 0, f"build of {name}", done)
        shutil.copytree(folder, fixtures)
    if have & {"bank", "plan"}:
        for file in fixtures.iterdir():
            shutil.copy(file, folder)
    if "plan" in have:
        done = context.tool("run", "--quiet", "./bank", cwd=folder)
        context.check((folder / ".ravel/bank-1.plan").is_file(), "no plan of bank", done)


def selftest(context: harness.Context) -> None:
    """What the reader of pages and the comparison must not let pass."""
    page = read_page("```\n$ ravel list\nstrategies\n```\n    ravel run ./x\n```\nmake demo\n```\n<!-- doctest: skip x -->\n```\n$ no\n```\n")
    context.check([step.command for step in page.steps] == ["ravel list"] and page.steps[0].shown == ["strategies"], "commands", page)
    context.check(len(page.wrong) == 2 and len(page.skipped) == 1, "what is not run", page)
    printed = "explored 1 284 schedules in 0.03 s (43 k/s)\nFAILED  bank.cpp:31\nend"
    context.check(not_shown(["explored 9 schedules in 1.20 s (768/s)", "...", "FAILED bank.cpp:31"], printed) is None, "numbers differ", printed)
    for shown in (["FAILED bank.cpp:32"], ["end", "FAILED bank.cpp:31"], ["explored"]):
        context.check(not_shown(shown, printed) is not None, f"{shown} was taken for printed")


def pages(context: harness.Context) -> None:
    selftest(context)
    root = context.sources.parent
    names = sorted({path.relative_to(root) for pattern in PAGES for path in root.glob(pattern)})
    names = [name for name in names if not any(name.match(pattern) for pattern in NOT_PAGES)]
    skipped = []
    commands = 0
    for name in names:
        page = read_page((root / name).read_text(encoding="utf-8"))
        for wrong in page.wrong:
            context.check(False, f"{name}:{wrong}")
        skipped += [f"{name}:{line}: {reason}" for line, reason in page.skipped]
        commands += sum(bool(step.command) and not step.hidden for step in page.steps)
        if page.steps and context.only in str(name):
            run_page(context, str(name), page, context.folder / "fixtures")
    for line in skipped:
        print(f"not run: {line}")
    context.check(len(skipped) <= MOST_SKIPPED, f"{len(skipped)} blocks are not run, at most {MOST_SKIPPED} are allowed", "\n".join(skipped))
    context.check(commands > 40 or context.only, f"only {commands} commands in the documentation")
    check_links(context, root, names)


def check_links(context: harness.Context, root: pathlib.Path, names: list) -> None:
    for name in names:
        for target in re.findall(r"\]\(([^)#:]+)\)", (root / name).read_text(encoding="utf-8")):
            context.check(((root / name).parent / target).exists(), f"{name}: there is no {target}")
