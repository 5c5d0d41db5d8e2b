# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""`ravel analyze`: exact counts on small programs, filters that only add pairs, soundness against what executions show, bad input."""
import json
import os
import re
import shutil

import harness
import seen_conflicts

KINDS = ("RW", "MM", "WM", "WN")
FILTERS = ("alias", "escape", "disjoint", "locks", "join")
SEEDS = 6  # executions per program
# A lock that may be several, a join of another thread, a lock that readers share, callbacks, publication.
EASILY_MISSED = ("unresolved_lock", "joined_other", "shared_lock", "callbacks", "published")
# Between them they need every filter.
FILTERED = ("accounts", "own_lock", "private_objects", "joined_first")
# The bitcode is clang's either way: for programs that clang built, one of each kind.
BOTH_COMPILERS = ("accounts", "accounts_members", "bounded_buffer", "lost_notify", "virtual_call")


def programs(context: harness.Context) -> list:
    return [path for path in sorted((context.sources / "statics").glob("*.cpp")) if context.only in path.name]


def analyse(context: harness.Context, program, *options) -> dict:
    """The facts; empty and a failure when there are none."""
    facts = context.folder / "facts.json"
    facts.unlink(missing_ok=True)
    done = context.tool("analyze", *options, "--json", facts, program)
    read = harness.read_json(facts)
    context.check(done.code == harness.CLEAN and bool(read), f"{program.name}: no facts", done)
    return read


def count(facts: dict) -> dict:
    return {kind: sum(pair["kind"] == kind for pair in facts.get("pairs", [])) for kind in KINDS}


def pairs_by_place(facts: dict) -> set:
    """Pairs without numbers, which differ between two analyses."""
    def name(site: int) -> tuple:
        row = facts["sites"][site]
        place = row["place"]
        return row["class"], row["kind"], place["file"], place["line"], place["column"], str(row.get("context"))
    return {(pair["kind"], *sorted((name(pair["first"]), name(pair["second"])))) for pair in facts.get("pairs", [])}


def expected(context: harness.Context, name: str, text: str, facts: dict) -> None:
    found = count(facts) | {"classes": len(facts.get("classes", [])) - 1}
    for kind, number, rest in re.findall(r"(\w+) (\d+)( or fewer| or more)?", text):
        good = {"": found[kind] == int(number), " or fewer": found[kind] <= int(number), " or more": found[kind] >= int(number)}[rest]
        context.check(good, f"{name}: {kind} is {found[kind]}, not {number}{rest}", json.dumps(found))


def counts(context: harness.Context) -> None:
    """What the comments of tests/statics say, for both compilers and two levels; what a filter hides appears without it."""
    for source in programs(context):
        if "clang" in context.compiler and source.stem not in BOTH_COMPILERS:
            continue
        text = source.read_text(encoding="utf-8")
        for flags in (("-O0",), ("-O2",)) if source.stem == "accounts" else (("-O1",),):
            program = context.build(source, flags=flags)
            if program is None:
                continue
            facts = analyse(context, program)
            context.check(not facts.get("partial", True), f"{source.stem}: partial", facts.get("opaque"))
            expected(context, source.stem, re.search(r"^// expect: (.*)$", text, re.MULTILINE).group(1), facts)
            if match := re.search(r"^// expect warnings: (.*)$", text, re.MULTILINE):
                kinds = ",".join(sorted({warning["kind"] for warning in facts.get("warnings", [])})) or "none"
                context.check(kinds == match.group(1), f"{source.stem}: warnings {kinds}, not {match.group(1)}", facts.get("warnings"))
            for word, more in re.findall(r"^// expect without (\w+): (.*)$", text, re.MULTILINE):
                expected(context, f"{source.stem} without {word}", more, analyse(context, program, "--without", word))


def filters(context: harness.Context) -> None:
    """Each filter switched off adds pairs and loses none; so does ignoring all synchronisation."""
    grown = set()
    for source in programs(context):
        if source.stem not in FILTERED:
            continue
        program = context.build(source, flags=("-O1",))
        if program is None:
            continue
        precise = pairs_by_place(analyse(context, program))
        for word in (*FILTERS, "unsync"):
            options = ("--mhp", "unsync") if word == "unsync" else ("--without", word)
            more = pairs_by_place(analyse(context, program, *options))
            context.check(precise <= more, f"{source.stem}: --without {word} loses pairs", precise - more)
            if precise < more:
                grown.add(word)
    context.check(grown == {*FILTERS, "unsync"}, f"no program needs the filters {set(FILTERS) - grown}")


def compare_with_executions(context: harness.Context, sources: list) -> int:
    """Conflicts of random executions are pairs: same two lines, same kind. At -O0, where lines are those of the sources."""
    seen = 0
    for source in sources:
        program = context.build(source, flags=("-O0",))
        if program is None:
            continue
        facts = analyse(context, program)
        pairs = seen_conflicts.pairs_of(facts)
        for seed in range(SEEDS):
            trace = context.folder / "trace"
            trace.unlink(missing_ok=True)
            context.tool("replay", "--quiet", "--trace", trace, f"policy:random,seed={seed}", "--", program)
            if not trace.exists():
                continue
            conflicts = seen_conflicts.conflicts_of(trace.read_text(encoding="utf-8", errors="replace"), source.name)
            seen += len(conflicts)
            missing = seen_conflicts.unknown_to(facts, conflicts, pairs)
            context.check(not missing, f"{source.stem}, seed {seed}: conflicts that are no pairs", missing)
    return seen


def soundness(context: harness.Context) -> None:
    """Programs that a filter or a callback rule made wrong would lose a pair of."""
    sources = [source for source in programs(context) if context.only or source.stem in EASILY_MISSED]
    seen = compare_with_executions(context, sources)
    context.check(context.only != "" or seen >= 20, f"only {seen} conflicts were seen")


def soundness_corpus(context: harness.Context) -> None:
    sources = programs(context)
    for folder in ("core", "detect", "heap"):
        sources += sorted(path for path in (context.sources / "corpus" / folder).glob("*.cpp") if context.only in path.name)
    seen = compare_with_executions(context, sources)
    context.check(context.only != "" or seen > 200, f"only {seen} conflicts were seen")


def one_line(context: harness.Context, done: harness.Finished, code: int, words: str) -> None:
    context.check(done.code == code and words in done.err and done.err.count("\n") == 1, f"'{words}' with exit code {code}", done)


def usage(context: harness.Context) -> None:
    """Bad input is one line and the right exit code; what is changed or missing is named."""
    source = context.folder / "two.cpp"
    shutil.copy(context.sources / "statics" / "two_stage.cpp", source)
    program = context.folder / "two"
    done = context.tool("c++", "-std=c++17", source, "-o", program)
    context.check(done.code == 0, "build", done)
    one_line(context, context.tool("analyze"), harness.USAGE, "a program is needed")
    one_line(context, context.tool("analyze", "--without", "magic", program), harness.USAGE, "'magic' is no filter")
    one_line(context, context.tool("analyze", "--list", "magic", program), harness.USAGE, "threads, pairs")
    one_line(context, context.tool("analyze", "nowhere.bc"), harness.USAGE, "cannot read the bitcode")
    one_line(context, context.tool("analyze", "--compile-commands", source, program), harness.USAGE, "not a compilation database")
    one_line(context, context.tool("analyze", program, env=dict(os.environ, PATH="/nowhere")), harness.CANNOT_TEST, "clang-14")
    stripped = context.folder / "stripped"
    context.command(["objcopy", "--remove-section=.ravel.compile", program, stripped])
    one_line(context, context.tool("analyze", stripped), harness.CANNOT_TEST, "no compile commands")
    broken = context.folder / "broken.ll"
    broken.write_text("define i32 @main( {\n")
    one_line(context, context.tool("analyze", broken), harness.CANNOT_TEST, "nothing to analyse")
    database = context.folder / "commands.json"
    database.write_text(json.dumps([{"directory": str(context.folder), "file": "two.cpp", "command": "c++ -std=c++17 -fno-plt -c two.cpp -o x.o"}]))
    done = context.tool("analyze", "--compile-commands", database, stripped)
    context.check(done.code == 0 and "0 RW, 2 MM" in done.out, "a compilation database", done)
    # Only an edited file is compiled again; one that was edited after the build is not what is tested.
    caches = {path: path.stat().st_mtime_ns for path in (context.folder / ".ravel" / "bitcode").glob("*.bc")}
    context.tool("analyze", program)
    context.check(caches != {} and all(path.stat().st_mtime_ns == time for path, time in caches.items()), "the cache is not used")
    source.write_text(source.read_text(encoding="utf-8") + "// edited\n", encoding="utf-8")
    one_line(context, context.tool("analyze", program), harness.CANNOT_TEST, "changed since the program was built")
