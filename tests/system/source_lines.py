# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Which lines of a source two compilers may give to one operation. They agree on nearly all; these are the exceptions, each as narrow as the
text allows:

statement   A statement over several lines: clang names its first line or that of an argument, g++ its last. Lines of statements inside
            it (the body of a lambda) are not meant.
struct      Implicit members: g++ gives them the line of the struct, clang those of the members.
lambda      A lambda with captures: g++ reads them where the lambda begins, clang where they are used.
"""
import re

CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
CONTINUES = ";,).("  # behind a closing brace: the statement goes on
STRUCT = re.compile(r"^\s*(?:template\b.*>\s*)?(?:struct|class|union)\b[^;]*\{")
LAMBDA = re.compile(r"\[[^\]\[]*[\w&=][^\]\[]*\]\s*(?:\([^)]*\))?[^;{]*\{")


def without_comments(text: str) -> str:
    """Comments and literals are blank; lines stay lines. Apostrophes inside numbers are no literals."""
    text = re.sub(r"(?<=\d)'(?=\d)", "0", text)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.MULTILINE)
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


class SourceLines:
    """Lines count from 1."""

    def __init__(self, text: str):
        self.text = without_comments(text)
        self.lines = [""] + self.text.split("\n")
        self.extents: list = []  # (first, last) of statements, and of the heads of blocks
        self.blocks: dict = {}  # line of an opening brace -> of the last that closes one
        self._read()

    def _read(self) -> None:
        stack: list = []  # (bracket, its line, where the statement around it began)
        line, began = 1, None
        for at, char in enumerate(self.text):
            if char == "\n":
                line += 1
            elif char in "([{":
                began = line if began is None else began
                if char == "{":
                    self.extents.append((began, line))
                stack.append((char, line, began))
                began = None if char == "{" else began
            elif char in ")]}" and stack:
                opened, first, around = stack.pop()
                if opened == "{":
                    self.blocks[first] = max(line, self.blocks.get(first, 0))
                    rest = self.text[at + 1:].lstrip()
                    began = around if rest[:1] and rest[0] in CONTINUES else None
            elif char == ";" and not (stack and stack[-1][0] == "("):
                self.extents.append((line if began is None else began, line))
                began = None
            elif not char.isspace() and began is None:
                began = line

    def statement(self, line: int) -> tuple:
        """The smallest statement that has this line."""
        return min((one for one in self.extents if one[0] <= line <= one[1]), key=lambda one: one[1] - one[0], default=(line, line))

    def _inside(self, line: int, around: tuple) -> bool:
        """In a block of that statement."""
        return any(around[0] <= first < line < last <= around[1] for first, last in self.blocks.items())

    def near(self, line: int, known: set, memory: bool) -> list:
        """Lines of `known' that another compiler may give to what stands at `line'. `memory': it is an access of memory."""
        text = self.lines[line] if line < len(self.lines) else ""
        last = self.blocks.get(line, line)
        found = {line} & known
        if not found:
            mine = self.statement(line)
            found |= {other for other in known if mine[0] <= other <= mine[1] and not self._inside(other, mine)}
        if memory and LAMBDA.search(text):
            found |= {other for other in known if line <= other <= last}
        if STRUCT.search(text):
            found |= {other for other in known if line <= other <= last}
        return sorted(found)
