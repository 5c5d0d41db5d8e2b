# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""`ravel analyze`: exact counts on small programs, filters that only add pairs, soundness against what executions show, bad input."""
import json
import os
import re
import shutil

import harness
import seen_conflicts
import source_lines

KINDS = ("RW", "MM", "WM", "WN")
FILTERS = ("alias", "escape", "disjoint", "locks", "join")
SEEDS = 6  # executions per program
# A lock that may be several, a join of another thread, a lock that readers share, callbacks, publication.
EASILY_MISSED = ("unresolved_lock", "joined_other", "shared_lock", "callbacks", "published")
# Between them they need every filter.
FILTERED = ("accounts", "own_lock", "private_objects", "joined_first")
# The bitcode is clang's either way: of programs that clang built, those whose counts are in the literature, and one for each filter.
BOTH_COMPILERS = ("accounts", "accounts_heap", "accounts_members", "two_stage", "wrong_lock", "deadlock_one", "deadlock_two", "lost_notify",
                  "bounded_buffer", "dining", "unresolved_lock", "virtual_call", "private_objects", "own_lock")


def programs(context: harness.Context) -> list:
    return [path for path in sorted((context.sources / "statics").glob("*.c*")) if context.only in path.name]


def analyse(context: harness.Context, program, *options) -> dict:
    """The facts; empty and a failure when there are none."""
    facts = context.folder / "facts.json"
    facts.unlink(missing_ok=True)
    done = context.tool("analyze", *options, "--json", facts, program)
    read = harness.read_json(facts)
    context.check(done.code == harness.CLEAN and bool(read), f"{program.name}: no facts", done)
    return read


def count(facts: dict) -> dict:
    kinds = [pair[0] for pair in harness.pairs_of(facts)]
    return {kind: kinds.count(kind) for kind in KINDS}


def pairs_by_place(facts: dict) -> set:
    """Pairs without numbers, which differ between two analyses."""
    def name(site: int) -> tuple:
        row = facts["sites"][site]
        place = row["place"]
        return row["class"], row["kind"], place["file"], place["line"], place["column"], str(row.get("context"))
    return {(kind, *sorted((name(first), name(second)))) for kind, first, second in harness.pairs_of(facts)}


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
            for words, more in re.findall(r"^// expect with (\S+): (.*)$", text, re.MULTILINE):
                done = context.tool("analyze", "--instances", words, program)
                counted = re.search(r"^by threads, of .*: (.*)$", done.out, re.MULTILINE)
                found = {kind: int(number) for number, kind in re.findall(r"(\d+) (\w+)", counted.group(1))} if counted else {}
                wanted = {kind: int(number) for kind, number in re.findall(r"(\w+) (\d+)", more)}
                context.check(wanted.items() <= found.items(), f"{source.stem} with {words}: {found}, not {wanted}", done)
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
        lines = None if "clang" in context.compiler else source_lines.SourceLines(source.read_text(encoding="utf-8"))
        for seed in range(SEEDS):
            trace = context.folder / "trace"
            trace.unlink(missing_ok=True)
            context.tool("replay", "--quiet", "--trace", trace, f"policy:random,seed={seed}", "--", program)
            if not trace.exists():
                continue
            conflicts = seen_conflicts.conflicts_of(trace.read_text(encoding="utf-8", errors="replace"), source.name)
            seen += len(conflicts)
            missing = seen_conflicts.unknown_to(facts, conflicts, pairs, lines)
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


PLACES = ("accounts", "accounts_members", "wrong_lock", "published", "virtual_call", "shared_lock", "unresolved_lock", "slice_of_three")


def conflict_lines(context: harness.Context, source, program) -> set:
    lines: set = set()
    for seed in range(SEEDS):
        trace = context.folder / "trace"
        trace.unlink(missing_ok=True)
        context.tool("replay", "--quiet", "--trace", trace, f"policy:random,seed={seed}", "--", program)
        if trace.exists():
            for kind, first, second in seen_conflicts.conflicts_of(trace.read_text(encoding="utf-8", errors="replace"), source.name):
                lines |= {(kind == "RW", first), (kind == "RW", second)}
    return lines


def places(context: harness.Context) -> None:
    """At least 95 of 100 call-outs that take part in a conflict of some execution have a site of their line and kind, at every level."""
    for level in ("-O0", "-O1", "-O2"):
        seen = missed = 0
        named = []
        for source in programs(context):
            if not context.only and source.stem not in PLACES:
                continue
            program = context.build(source, flags=(level,))
            if program is None:
                continue
            lines = conflict_lines(context, source, program)
            done = context.tool("analyze", "--list", "places", program)
            facts = harness.read_json(context.folder / ".ravel" / f"{program.name}.facts")
            for row in re.findall(r"^0x\S+  ([a-z/ ]+) \S*?([^/\s:]+):(\d+)(?::\d+)?  (.*)$", done.out, re.MULTILINE):
                memory = "read" in row[0] and "lock" not in row[0] or "write" in row[0]
                if row[1] != source.name or (memory, int(row[2])) not in lines:
                    continue
                seen += 1
                sites = [facts["sites"][int(number)] for number in row[3].split() if number.isdigit()]
                if not any(site["place"]["line"] == int(row[2]) and site["kind"] in row[0].split("/") for site in sites):
                    missed += 1
                    named.append((source.stem, *row))
            if source.stem == PLACES[0]:
                done = context.tool("analyze", program)
                counted = re.search(r"(\d+) of (\d+) places of your code found in the program", done.out)
                context.check(counted is not None and 0 < int(counted.group(1)) <= int(counted.group(2)), f"{level}: places are counted", done)
        context.check(context.only != "" or seen >= 30, f"{level}: only {seen} call-outs take part in conflicts")
        context.check(missed * 100 <= seen * 5, f"{level}: {missed} of {seen} call-outs in conflicts have no site", named)


def destructors(context: harness.Context) -> None:
    """What g++ writes in a destructor, and clang leaves out, is not the operation of another function near by."""
    source = context.folder / "task.cpp"
    source.write_text("""#include <memory>
#include <thread>
struct Base {
  virtual ~Base() = default;
  virtual void run() = 0;
};
struct Task : Base {
  ~Task() override {}
  void run() override {
    ++count;
  }
  int& operator[](int) { return count; }
  int count = 0;
};
int main() {
  auto task = std::make_shared<Task>();
  std::thread one([task] { task->run(); });
  std::thread two([task] { task->run(); });
  one.join();
  two.join();
  (*task)[0] = 0;
}
""", encoding="utf-8")
    program = context.build(source, flags=("-O0",))
    done = context.tool("analyze", "--list", "places", program)
    found = {int(line): sites for line, sites in re.findall(r"^0x\S+  write \S*task.cpp:(\d+)(?::\d+)?  (.*)$", done.out, re.MULTILINE)}
    context.check(found.get(10, "no site") != "no site", "the counter has a site", done)
    context.check({4, 8} <= set(found), "the destructors write", done)
    context.check(found.get(4) == "no site" and found.get(8) == "no site", "a destructor is no constructor", done)


def questions(context: harness.Context) -> None:
    """The slice of the example program and distances, from the program and from its facts alone."""
    program = context.build(context.sources / "statics" / "slice_of_three.cpp", flags=("-O0",))
    done = context.tool("analyze", "--slice", "slice_of_three.cpp:12", program)
    own = re.search(r"^T1  lines(.*)$", done.out, re.MULTILINE)
    lines = {int(line) for line in re.findall(r":(\d+)", own.group(1))} if own else set()
    context.check(lines == {10, 11, 12}, "the slice of the throw is x++, x > 6 and the throw", done)
    writes = set(re.findall(r"write \S*?:(\d+)  of (\w+) by (\w+)", done.out))
    context.check(writes == {("18", "x", "T2")}, "only the second thread's x += y can change it", done)
    context.check(re.search(r"guard \S*:11  x > 6 holds", done.out) is not None, "the guard in words", done)
    context.check(len(re.findall(r"^\w+  lines", done.out, re.MULTILINE)) == 1, "no other thread runs it", done)
    facts = context.folder / ".ravel" / "slice_of_three.facts"
    again = context.tool("analyze", "--slice", "slice_of_three.cpp:12", facts)
    context.check(again.out == done.out, "the same from the facts alone", again)
    one_line(context, context.tool("analyze", "--slice", "slice_of_three.cpp:2", facts), harness.USAGE, "the nearest lines with code are 9, 10")
    one_line(context, context.tool("analyze", "--slice", "other.cpp:2", facts), harness.USAGE, "slice_of_three.cpp")
    one_line(context, context.tool("analyze", "--distance", "nonsense", facts), harness.USAGE, "a place is needed")

    def distance(place: str, name: str) -> str:
        answer = context.tool("analyze", "--distance", place, facts)
        found = re.search(rf"^{name}  (never|\d+)", answer.out, re.MULTILINE)
        return found.group(1) if found else str(answer)

    # From the statement that creates the thread: x++, the check, the throw.
    context.check(distance("slice_of_three.cpp:12", "T1") == "3", "three lines", distance("slice_of_three.cpp:12", "T1"))
    context.check(distance("slice_of_three.cpp:12", "T2") == "never", "another thread never gets there")
    context.check(int(distance("slice_of_three.cpp:12", "main")) == 3, "main creates the thread", distance("slice_of_three.cpp:12", "main"))


def outside(context: harness.Context) -> None:
    """A library without sources has threads that run what it was given: pairs, but no warnings, since they are only assumed."""
    source = context.sources / "real" / "uv_work.cpp"
    program = context.build(source, defines=("BROKEN",), flags=("-O0",), libraries=("-luv",))
    if program is None:
        return
    facts = analyse(context, program)
    lines = source.read_text(encoding="utf-8").splitlines()
    shared = sorted(number for number, line in enumerate(lines, 1) if line == "  ++shared;")
    place = [facts["sites"][site]["place"]["line"] for site in range(len(facts["sites"]))]
    pairs = {tuple(sorted((place[first], place[second]))) for _, first, second in harness.pairs_of(facts)}
    context.check(tuple(shared) in pairs, f"no pair of lines {shared}", sorted(pairs))
    context.check([row.get("assumed", False) for row in facts["classes"]] == [False, False, True], "not one class that is assumed", facts["classes"])
    context.check(facts["partial"] and any("uv_queue_work" in reason for reason in facts["opaque"]), "the library is not named", facts["opaque"])
    context.check(not facts["warnings"], "warnings of threads that are only assumed", facts["warnings"])


def released_outside(context: harness.Context) -> None:
    """Code without sources may release a lock that it was given: what comes behind the call is not protected."""
    source, other = context.folder / "given.cpp", context.folder / "hidden.cpp"
    source.write_text("#include <pthread.h>\n#include <thread>\nvoid give_back(pthread_mutex_t* lock);\n"
                      "pthread_mutex_t given = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;\nint open_to_all, closed;\n"
                      "void work() {\n  pthread_mutex_lock(&kept);\n  pthread_mutex_lock(&given);\n  give_back(&given);\n"
                      "  ++open_to_all;\n  ++closed;\n  pthread_mutex_unlock(&kept);\n}\n"
                      "void other() {\n  pthread_mutex_lock(&given);\n  ++open_to_all;\n  pthread_mutex_unlock(&given);\n"
                      "  pthread_mutex_lock(&kept);\n  ++closed;\n  pthread_mutex_unlock(&kept);\n}\n"
                      "int main() {\n  std::thread a(work), b(other);\n  a.join();\n  b.join();\n}\n", encoding="utf-8")
    other.write_text("#include <pthread.h>\n#ifdef __clang__\n#error for g++ alone\n#endif\n"
                     "void give_back(pthread_mutex_t* lock) { pthread_mutex_unlock(lock); }\n", encoding="utf-8")
    done = context.tool("c++", "-O0", source, other, "-o", context.folder / "given")
    context.check(done.code == 0, "build", done)
    facts = analyse(context, context.folder / "given")
    place = [row["place"]["line"] for row in facts.get("sites", [])]
    pairs = {tuple(sorted((place[first], place[second]))) for kind, first, second in harness.pairs_of(facts) if kind == "RW"}
    context.check(facts.get("partial") is True, "the file that clang refuses is not named", facts.get("opaque"))
    context.check((10, 16) in pairs, "no pair behind the call that may release the lock", sorted(pairs))
    context.check((11, 19) not in pairs, "a lock that nobody else has still protects", sorted(pairs))


def rethrown(context: harness.Context) -> None:
    """An exception that another thread rethrows is shared."""
    source = context.folder / "rethrown.cpp"
    source.write_text("#include <future>\n#include <thread>\nstruct Error { int code; };\nstd::promise<void> promise;\nint main() {\n"
                      "  std::thread a([] {\n    try {\n      throw Error{1};\n    } catch (Error& error) {\n"
                      "      promise.set_exception(std::current_exception());\n      error.code = 2;\n    }\n  });\n"
                      "  try {\n    promise.get_future().get();\n  } catch (Error& error) {\n    error.code = 3;\n  }\n  a.join();\n}\n", encoding="utf-8")
    done = context.tool("c++", "-O0", source, "-o", context.folder / "rethrown")
    context.check(done.code == 0, "build", done)
    facts = analyse(context, context.folder / "rethrown")
    place = [row["place"]["line"] for row in facts.get("sites", [])]
    pairs = {tuple(sorted((place[first], place[second]))) for kind, first, second in harness.pairs_of(facts) if kind == "RW"}
    context.check({(8, 17), (11, 17)} <= pairs, "the exception is in no pair", sorted(pairs))


def in_runs(context: harness.Context) -> None:
    """Facts in a run: used when they are of this build, points from the start, plans that need none, one line when they do not fit."""
    folder = context.folder
    source = context.sources / "corpus" / "core" / "lost_update.cpp"
    program = context.build(source, name="lost", flags=("-O1",))
    one_line(context, context.tool("run", "--points", "pairs", program), harness.CANNOT_TEST, "run `ravel analyze' first")
    one_line(context, context.tool("run", "--points", "pairs", "--facts", "none", program), harness.USAGE, "--facts none")
    one_line(context, context.tool("run", "--facts", folder / "none.facts", program), harness.USAGE, "cannot read the facts")
    analyse(context, program)
    found = r"facts \S+: (\d+) of (\d+) places of your code found in the program, (\d+) of them points"
    done, report = context.run(program)
    match = re.search(found, done.err)
    context.check(match is not None and 0 < int(match.group(1)) <= int(match.group(2)) and int(match.group(3)) > 0, "facts are used and counted", done)
    done, report = context.run(program, "--facts", "none")
    context.check("facts" not in done.err, "not when they are not wanted", done)
    # From the first execution on: no schedule before the races are known.
    done, report = context.run(program, "--points", "pairs", "--strategy", "random", "--no-minimize")
    context.check(done.code == harness.DEFECT and report.get("points") == "pairs", "--points pairs", done)
    plans = sorted((folder / ".ravel").glob("lost*.plan"))
    context.check(bool(plans) and "points racy" in plans[0].read_text(encoding="utf-8"), "the plan lists the points", plans)
    (folder / ".ravel" / "lost.facts").rename(folder / "kept.facts")
    if plans:
        done, _ = context.replay(plans[0])
        context.check(done.code == harness.DEFECT, "a plan replays without facts", done)
    # A checkpoint belongs to its facts.
    kept = folder / "search"
    words = ("run", "--strategy", "dpor", "--points", "pairs", "--keep-going", "--iterations", 3, "--facts", folder / "kept.facts")
    done = context.tool(*words, "--checkpoint", kept, program)
    done = context.tool(*words, "--resume", kept, program)
    context.check(done.code in (harness.DEFECT, 5), "a search with facts is resumed", done)
    done = context.tool("run", "--strategy", "dpor", "--keep-going", "--iterations", 3, "--resume", kept, program)
    context.check(done.code == harness.USAGE, "not without them", done)
    other = context.build(source, name="lost", flags=("-O0",))
    shutil.copy(folder / "kept.facts", folder / ".ravel" / "lost.facts")
    done, _ = context.run(other)
    context.check("facts not used" in done.err and "another build" in done.err, "facts of another build are left out", done)
    one_line(context, context.tool("run", "--points", "pairs", other), harness.CANNOT_TEST, "another build")
    (folder / ".ravel" / "lost.facts").write_text("{}")
    done, _ = context.run(other)
    context.check("facts not used" in done.err and done.code == harness.DEFECT, "damaged facts are left out", done)
    one_line(context, context.tool("run", "--points", "pairs", other), harness.USAGE, "not a facts file")


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
    one_line(context, context.tool("analyze", "--instances", "T1", program), harness.USAGE, "a class and its number of threads")
    one_line(context, context.tool("analyze", "--instances", "T9=2", program), harness.USAGE, "no class of threads 'T9'")
    one_line(context, context.tool("analyze", "--instances", "T1=2", program), harness.USAGE, "T1 is one thread")
    one_line(context, context.tool("analyze", "--instances", "T1=1", "--list", "pairs", program), harness.USAGE, "goes with the summary")
    one_line(context, context.tool("analyze", "nowhere.bc"), harness.USAGE, "cannot read the bitcode")
    one_line(context, context.tool("analyze", "--compile-commands", source, program), harness.USAGE, "not a compilation database")
    one_line(context, context.tool("analyze", program, env=dict(os.environ, PATH="/nowhere")), harness.CANNOT_TEST, "clang-14")
    stripped = context.folder / "stripped"
    context.command(["objcopy", "--remove-section=.ravel.compile", program, stripped])
    one_line(context, context.tool("analyze", stripped), harness.CANNOT_TEST, "no compile commands")
    one_line(context, context.tool("analyze", "--kind", "RW", program), harness.USAGE, "--list pairs")
    one_line(context, context.tool("analyze", "--by", "line", program), harness.USAGE, "--list pairs")
    # Without lines, but with the commands.
    context.command(["strip", "-o", stripped, program])
    done = context.tool("analyze", stripped)
    one_line(context, done, harness.CLEAN, "do not strip it")
    context.check("0 RW, 2 MM" in done.out, "the sources are analysed", done)
    one_line(context, context.tool("analyze", "--list", "places", stripped), harness.CANNOT_TEST, "do not strip it")
    one_line(context, context.tool("run", "--points", "pairs", stripped), harness.CANNOT_TEST, "do not strip it")
    done, _ = context.run(stripped)
    context.check("facts not used" in done.err, "facts that say nothing of the program are left out", done)
    context.command(["objcopy", "--remove-section=.ravel.compile", program, stripped])
    broken = context.folder / "broken.ll"
    broken.write_text("define i32 @main( {\n")
    one_line(context, context.tool("analyze", broken), harness.CANNOT_TEST, "nothing to analyse")
    database = context.folder / "commands.json"
    database.write_text(json.dumps([{"directory": str(context.folder), "file": "two.cpp", "command": "c++ -std=c++17 -fno-plt -c two.cpp -o x.o"}]))
    done = context.tool("analyze", "--compile-commands", database, stripped)
    context.check(done.code == 0 and "0 RW, 2 MM" in done.out, "a compilation database", done)
    # What g++ only warns of is compiled; where main itself cannot be compiled, the line says why.
    old = context.folder / "old.cpp"
    old.write_text('#include <cinttypes>\n#include <cstdio>\nint main() { std::printf("%"PRIuMAX"\\n", (uintmax_t)1); }\n', encoding="utf-8")
    other = context.folder / "other.cpp"
    other.write_text("int other() { return 1; }\n", encoding="utf-8")
    done = context.tool("c++", "-w", old, other, "-o", context.folder / "old")
    context.check(done.code == 0 and context.tool("analyze", context.folder / "old").code == 0, "literals without a space", done)
    # The same with clang, where the project has switched that error off; and macros for the preprocessor alone are macros.
    old.write_text("#ifndef GIVEN\n#error no macro\n#endif\n" + old.read_text(encoding="utf-8"), encoding="utf-8")
    done = context.tool("c++", "--compiler", "clang++-14", "-Wno-reserved-user-defined-literal", "-Wp,-DGIVEN=1", old, other, "-o", context.folder / "old")
    analysed = context.tool("analyze", context.folder / "old")
    context.check(done.code == 0 and analysed.code == 0, "an error that is switched off, a macro for the preprocessor", analysed)
    old.write_text("#ifdef __clang__\n#error for g++ alone\n#endif\nint main() {}\n", encoding="utf-8")
    context.tool("c++", old, other, "-o", context.folder / "old")
    one_line(context, context.tool("analyze", context.folder / "old"), harness.CANNOT_TEST, "for g++ alone")
    # Only an edited file is compiled again; one that was edited after the build is not what is tested.
    caches = {path: path.stat().st_mtime_ns for path in (context.folder / ".ravel" / "bitcode").glob("*.bc")}
    context.tool("analyze", program)
    context.check(caches != {} and all(path.stat().st_mtime_ns == time for path, time in caches.items()), "the cache is not used")
    source.write_text(source.read_text(encoding="utf-8") + "// edited\n", encoding="utf-8")
    one_line(context, context.tool("analyze", program), harness.CANNOT_TEST, "changed since the program was built")
