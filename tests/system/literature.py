# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Figures and tables of the literature on SYN-sequences (Carver, Tai: Modern Multithreading, chapter 7) on compiled programs; orders that were edited, against the
list of all orders. tests/syn/README.md says what is shown where."""
import harness
from syn import test, write


def races_of(context: harness.Context, program, lines: str) -> dict:
    """`ravel syn races` of the execution with this order."""
    done, tests = test(context, write(context, "order.syn", "ravel-syn 1\norder total\n" + lines), "--", program)
    if not context.check(done.code == 0 and tests[0]["verdict"] == "feasible", "the figure's order", done):
        return {}
    report = context.folder / "races.json"
    context.tool("syn", "races", "--quiet", "--json", report, context.folder / tests[0]["plan"])
    return harness.read_json(report)


def sets_of(found: dict) -> list:
    """Of each event: who is received, and whose calls race with it; without the operation."""
    return [(event["call"].split()[0], {call.split()[0] for call in event["races"]}) for event in found.get("events", [])]


def figures(context: harness.Context) -> None:
    """The race sets of figures 7.18 to 7.22 and 7.24."""
    folder = context.sources / "syn"
    asynchronous = "main.3/1 deliver p1\nmain.1/1 deliver p1\nmain.3/2 deliver p2\nmain.1/2 deliver p1\n"
    selects = "main.3 main.2 p2 rendezvous\nmain.1 main.2 p1 rendezvous\nmain.3 main.2 p2 rendezvous\nmain.1 main.2 p1 rendezvous\n"
    permits = "main.2 sem-wait k.permits\nmain.2 sem-post k.permits\nmain.1 sem-wait k.permits\nmain.1 sem-post k.permits\n"
    recursive = "main.2 lock k\nmain.2 lock k\nmain.2 unlock k\nmain.2 unlock k\nmain.1 lock k\nmain.1 unlock k\n"
    lost = "main.3/1 deliver to2\nmain.2/1 deliver to3\nmain.1/1 deliver to2\nmain.1/2 deliver to2\nmain.3/2 deliver to2\nmain.4/1 deliver to2\n"
    s1, s2, s3, s6, s7, s8 = "main.1/1#1", "main.1/2#1", "main.1/3#1", "main.3/1#1", "main.4/1#1", "main.3/2#1"
    rows = (("7.18", "messages", ("PROGRAM=23", "DELIVERY=network"), asynchronous, [("main.3/1#1", {"main.1/1#1"}), ("main.1/1#1", set()), ("main.3/2#1", set()), ("main.1/2#1", set())]),
            ("7.19", "messages", ("PROGRAM=24",), selects, [("main.3#1", {"main.1#1"}), ("main.1#1", set()), ("main.3#2", {"main.1#2"}), ("main.1#2", set())]),
            ("7.20", "permits", ("PROGRAM=25", "INIT=1"), permits, [("main.2#1", {"main.1#1"}), ("main.2#2", set()), ("main.1#1", set()), ("main.1#2", set())]),
            ("7.21", "locks", ("PROGRAM=26",), recursive, [("main.2#1", {"main.1#1"}), *((f"main.2#{n}", set()) for n in (2, 3, 4)), ("main.1#1", set()), ("main.1#2", set())]),
            ("7.24, FIFO", "messages", ("PROGRAM=30", "DELIVERY=network"), lost,
             [(s6, {s1, s7}), ("main.2/1#1", set()), (s1, {s7, s8}), (s2, {s7, s8}), (s8, {s3, s7}), (s7, {s3})]),
            ("7.24, no FIFO", "messages", ("PROGRAM=30", "DELIVERY=unordered"), lost,
             [(s6, {s1, s2, s3, s7}), ("main.2/1#1", set()), (s1, {s2, s3, s7, s8}), (s2, {s3, s7, s8}), (s8, {s3, s7}), (s7, {s3})]))
    for figure, source, defines, lines, wanted in rows:
        program = context.build(folder / f"{source}.cpp", f"figure-{figure[:4]}-{defines[-1]}".replace("=", ""), defines)
        if program is not None:
            found = sets_of(races_of(context, program, lines))
            context.check(found == wanted, f"figure {figure}: {found}, not {wanted}")
    monitors = context.build(folder / "locks.cpp", "figure-722", ("PROGRAM=27",))
    if monitors is None:
        return
    lines = ("main.1 lock m1\nmain.1 wait signalled\nmain.2 lock m1\nmain.2 signal signalled wakes main.1\nmain.2 unlock m1\nmain.1 reacquire m1\nmain.1 unlock m1\n"
             "main.1 lock m2\nmain.1 unlock m2\nmain.3 lock m2\nmain.3 unlock m2\nmain.3 lock m1\nmain.3 signal signalled lost\nmain.3 unlock m1\n")
    found = {call: races for call, races in sets_of(races_of(context, monitors, lines)) if races}
    context.check(found == {"main.1#1": {"main.2#1"}, "main.1#5": {"main.3#1"}}, f"figure 7.22: {found}")


def tables(context: harness.Context) -> None:
    """Concurrent columns of one alternative each have three rows, of two and three eleven; figure 7.19's lists of what was open."""
    for first, second, rows in ((2, 2, 3), (3, 4, 11)):
        program = context.build(context.sources / "syn" / "messages.cpp", f"columns{first}{second}", ("PROGRAM=52", f"P={first}", f"C={second}"))
        if program is None:
            continue
        one, two = first + second + 1, first + second + 2
        found = races_of(context, program, f"main.1 main.{one} p rendezvous\nmain.{first + 1} main.{two} q rendezvous\n")
        context.check(len(found.get("rows", [])) == rows, f"{first - 1} and {second - 1} alternatives: {found.get('rows')}")
    program = context.build(context.sources / "syn" / "messages.cpp", "open", ("PROGRAM=24",))
    if program is not None:
        found = races_of(context, program, "main.3 main.2 p2 rendezvous\nmain.1 main.2 p1 rendezvous\nmain.3 main.2 p2 rendezvous\nmain.1 main.2 p1 rendezvous\n")
        lists = [sorted(call.split()[-1] for call in event["open"]) for event in found.get("events", [])]
        context.check(lists == [["p1", "p2"], ["p1"], ["p1", "p2"], ["p1"]], f"open lists: {lists}")


def incomplete(context: harness.Context) -> None:
    """Beginnings of the four orders of a buffer with two slots, each with either operation behind it: decided as counting decides."""
    program = context.build(context.sources.parent / "examples" / "bounded_buffer.cpp", "buffer")
    if program is None:
        return
    lines = {"D": "main.1 main.3 deposit rendezvous\n", "W": "main.2 main.3 withdraw rendezvous\n"}

    def possible(word: str) -> bool:
        full = [word[:n].count("D") - word[:n].count("W") for n in range(len(word) + 1)]
        return min(full) >= 0 and max(full) <= 2 and word.count("D") <= 3

    words = [""]
    for word in words:
        words += [word + letter for letter in "DW" if len(word) < 6 and possible(word)]
    files = []
    for word in words[1:]:
        verdict = "feasible" if possible(word) else f"infeasible at {len(word)}"
        files.append(write(context, f"{word}.syn", "ravel-syn 1\norder total\n" + "".join(lines[c] for c in word) + f"...\nexpect {verdict}\n"))
    done, tests = test(context, *files, "--", program)
    context.check(done.code == 0 and len(tests) == len(files) and sum(map(possible, words)) > 12, f"{len(files)} beginnings", done)


def edited(context: harness.Context) -> None:
    """Every recorded order with two events exchanged: feasible if the order is among all orders, infeasible if not."""
    for source, defines, number in (("philosophers", (), 7), ("lost_wakeup", (), 2), ("locks", ("PROGRAM=17",), 3), ("locks", ("PROGRAM=41",), 4), ("permits", ("PROGRAM=25", "INIT=2"), 6))[::1 if context.all else 2]:
        program = context.build(context.sources / "syn" / f"{source}.cpp", f"{source}{len(defines)}{defines[:1]}".strip("()',="), defines)
        if program is None:
            continue
        folder = context.folder / f"{program.name}-orders"
        done = context.tool("syn", "record", "--strategy", "reachability", "--output", folder, "--", program)
        files = sorted(folder.glob("*.syn"))
        if not context.check(len(files) == number, f"{len(files)} orders of {source}", done):
            continue
        orders = [[line.split() for line in file.read_text().split("order total\n")[1].splitlines() if not line.startswith("expect")] for file in files]

        def by_object(order: list) -> str:
            lists, held = {}, {}
            for thread, kind, name in (event[:3] for event in order):
                lists.setdefault(name, []).append((thread, kind))
                if kind in ("lock", "reacquire"):
                    held[thread] = name
                elif kind == "wait":  # in a total order the mutex is free from here on, and not before
                    lists[held[thread]].append((thread, "gives back"))
            return str(sorted(lists.items()))

        all_orders = {by_object(order) for order in orders}
        asked = {}
        for order in orders:
            for i, first in enumerate(order[:-1]):
                second = order[i + 1]
                if first[0] != second[0]:
                    changed = order[:i] + [second, first] + order[i + 2:]
                    asked["\n".join(" ".join(event[:3]) for event in changed)] = by_object(changed) in all_orders
        paths = [write(context, f"{program.name}-{n}.syn", f"ravel-syn 1\norder total\n{text}\nexpect {'feasible' if can else 'infeasible'}\n") for n, (text, can) in enumerate(asked.items())]
        done, tests = test(context, *paths, "--", program)
        context.check(done.code == 0 and len(tests) == len(asked), f"{source}: {len(asked)} edited orders, {sum(asked.values())} of them possible", done)


def sampling(context: harness.Context) -> None:
    """As many random schedules as there are orders miss some of them; reachability testing does not."""
    program = context.build(context.sources / "syn" / "construct_buffer.cpp", "buffer", ("SU", "P=3", "C=3", "SLOTS=2"))
    if program is None:
        return
    counts = {}
    for strategy in ("reachability", "random"):
        done, report = context.run(program, "--strategy", strategy, "--iterations", 720, "--saved", "ignore")
        counts[strategy] = report.get("sequences")
        context.check(report.get("executions") == 720, f"{strategy}: 720 executions", done)
    context.check(counts["reachability"] == 720 and counts["random"] < 600, f"orders in 720 executions: {counts}")


def equivalent(context: harness.Context) -> None:
    """P4 with other guards: the same orders after complete searches, so no test can tell them apart; `<=` is another program."""
    text = (context.sources.parent / "examples" / "bounded_buffer.cpp").read_text()
    orders = {}
    for deposit, withdraw in (("full < 2", "full > 0"), ("full != 2", "full > 0"), ("full < 2", "full >= 1"), ("full < 2", "full != 0"), ("full <= 2", "full > 0")):
        folder = context.folder / f"orders-{len(orders)}"
        source = write(context, "guarded.cpp", text.replace("withdraw.guard(full > 0)", f"withdraw.guard({withdraw})"))
        program = context.build(source, f"guarded-{len(orders)}", (f"GUARD={deposit}",))
        if program is None:
            return
        done = context.tool("syn", "record", "--strategy", "reachability", "--output", folder, "--", program)
        context.check(done.code == 0 and "(complete)" in done.out, f"{deposit}, {withdraw}: every order", done)
        files = [file.read_text().splitlines() for file in folder.glob("*.syn")]
        orders[deposit, withdraw] = {tuple(line for line in lines if not line.startswith("program ")) for lines in files}
    known = orders["full < 2", "full > 0"]
    alike = [guards for guards, found in orders.items() if found == known]
    context.check(len(known) == 4 and len(alike) == 4 and ("full <= 2", "full > 0") not in alike, f"equal: {alike}")
