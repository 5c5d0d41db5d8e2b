# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Conflicts of one execution, from its trace: an oracle for static pairs that shares no code with them.

Two operations of different threads conflict when swapping them could matter: memory that overlaps with at least one write, two
acquisitions of a lock, a wait with an acquisition of its mutex, a wait with a notification. They count when neither creations and
joins order them nor a lock is held around both. Other orders (atomics, conditions) are chance to a static analysis and do not excuse.
A thread that a timer starts comes behind what armed timers. What the C library and the kernel keep, as files, is no memory.
"""
import re

import harness
import source_lines

EVENT = re.compile(r"(\S+) (\S+)(.*?)(?: @ (\S+?):(\d+)(?::\d+)?)?(?: in #\d+)?$")
WRITES = {"write", "store", "rmw", "cas", "fetch"}
READS = {"read", "load"}
LIBRARY = re.compile(r"^object (\S+) other owner 1 ", re.MULTILINE)  # words that stand for state of the library
MOST_EVENTS = 50_000
LOCKS = {"lock": False, "wrlock": False, "trylock": False, "trywrlock": False, "rdlock": True, "tryrdlock": True}


class Thread:
    """Its clock counts creations and joins only."""

    def __init__(self, clock: dict):
        self.clock = dict(clock)
        self.held: dict[str, bool] = {}  # lock -> shared

    def follow(self, other: "Thread") -> None:
        for name, time in other.clock.items():
            self.clock[name] = max(self.clock.get(name, 0), time)


def words_of(rest: str) -> tuple:
    words = rest.split()
    place, _, offset = (words[0] if words else "").partition("+")
    size = int(words[1]) if len(words) > 1 and words[1].isdigit() else 1
    return place, int(offset or 0), size, words


def ordered(first: tuple, thread: Thread) -> bool:
    return first[1] <= thread.clock.get(first[0], 0)


def excluded(mine: dict, other: dict) -> bool:
    return any(lock in other and not (shared and other[lock]) for lock, shared in mine.items())


class Seen:
    """Operations of one execution, each of its kind once however often a loop repeats it, by what they are about."""

    def __init__(self) -> None:
        self.by_object: dict[str, dict[tuple, None]] = {}
        self.found: set = set()

    def add(self, event: tuple, me: Thread) -> None:
        """event: (kind, (thread, time), locks held, object, begin, end, line, mutex of a wait)"""
        about = {event[3], event[7].partition("+")[0]} - {""}
        if any(event in self.by_object.get(name, ()) for name in about):
            return
        for name in about:
            for other in self.by_object.setdefault(name, {}):
                pair = pair_of(other, event)
                if pair is None or other[1][0] == event[1][0] or ordered(other[1], me):
                    continue
                if pair in ("RW", "MM") and excluded(dict(event[2]), dict(other[2])):
                    continue
                self.found.add((pair, *sorted((other[6], event[6]))))
        for name in about:
            self.by_object[name][event] = None


def conflicts_of(text: str, file_name: str) -> set:
    """{(kind, line, line)} of the source `file_name', of the first MOST_EVENTS events; operations elsewhere are left out."""
    threads = {"main": Thread({"main": 1})}
    seen = Seen()
    library = set(LIBRARY.findall(text))
    timers = Thread({})
    events = 0
    for raw in text.splitlines():
        match = EVENT.match(raw)
        if not match or match.group(1) in ("location", "object", "thread", "context", "module", "#"):
            continue
        events += 1
        if events > MOST_EVENTS:
            break
        name, operation, rest, file, line = match.groups()
        place, offset, size, words = words_of(rest)
        me = threads.setdefault(name, Thread({name: 1}))
        follow_threads(threads, timers, name, operation, words)
        if operation in ("unlock", "rwunlock"):
            me.held.pop(f"{place}+{offset}", None)
        kind = kind_of(operation, rest)
        if kind is None or place in library:
            continue
        held = frozenset(me.held.items())
        mutex = re.search(r"releasing (\S+)", rest)
        released = "" if mutex is None else mutex.group(1) if "+" in mutex.group(1) else mutex.group(1) + "+0"
        if operation == "wait":
            me.held.pop(released, None)
        if operation == "reacquire":
            if released:
                me.held[released] = False
            continue
        if file is not None and file.rsplit("/", 1)[-1] == file_name:
            seen.add((kind, (name, me.clock.get(name, 1)), held, place, offset, offset + size, int(line or 0), released), me)
        if operation in LOCKS and "failed" not in rest:
            me.held[f"{place}+{offset}"] = LOCKS[operation]
    return seen.found


def follow_threads(threads: dict, timers: Thread, name: str, operation: str, words: list) -> None:
    """Creations, joins and timers order threads."""
    me = threads[name]
    numbered = len(words) > 1 and words[1].isdigit()  # a signal; a timer has no number
    if operation == "create":
        child = threads.setdefault(words[0], Thread({}))
        child.clock = {**me.clock, words[0]: 1}
        me.clock[name] = me.clock.get(name, 0) + 1
    elif operation == "join" and words and words[0] in threads:
        me.follow(threads[words[0]])
    elif operation == "kill" and not numbered:
        timers.follow(me)
        me.clock[name] = me.clock.get(name, 0) + 1
    elif operation == "handle" and not numbered:
        me.follow(timers)


def kind_of(operation: str, rest: str) -> str | None:
    if operation in WRITES:
        return "R" if operation == "cas" and "failed" in rest else "W"
    if operation in READS:
        return "R"
    if operation in LOCKS:
        return "S" if LOCKS[operation] else "L"
    return {"wait": "C", "reacquire": "A", "signal": "N", "broadcast": "N"}.get(operation)


def pair_of(a: tuple, b: tuple) -> str | None:
    kinds = {a[0], b[0]}
    if kinds <= {"R", "W"}:
        return "RW" if "W" in kinds and a[3] == b[3] and a[4] < b[5] and b[4] < a[5] else None
    same = a[3] == b[3] and a[4] == b[4]
    if kinds <= {"L", "S"}:
        return "MM" if "L" in kinds and same else None
    if kinds == {"C", "N"}:
        return "WN" if same else None
    if "C" in kinds and kinds & {"L", "S"}:
        wait, lock = (a, b) if a[0] == "C" else (b, a)
        return "WM" if wait[7] == f"{lock[3]}+{lock[4]}" else None
    return None


def pairs_of(facts: dict) -> set:
    sites = facts.get("sites", [])
    return {(kind, *sorted((sites[first]["place"]["line"], sites[second]["place"]["line"]))) for kind, first, second in harness.pairs_of(facts)}


def unknown_to(facts: dict, conflicts: set, pairs: set, source: source_lines.SourceLines | None) -> list:
    """The conflicts that are no pairs. `source': another compiler made the facts (source_lines.py); None: the same."""
    known = {site["place"]["line"] for site in facts.get("sites", [])}

    def lines(kind: str, line: int) -> list:
        return [line] if source is None else source.near(line, known, kind == "RW")

    return sorted(conflict for conflict in conflicts
                  if not any((conflict[0], *sorted((a, b))) in pairs for a in lines(conflict[0], conflict[1]) for b in lines(conflict[0], conflict[2])))
