# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""GoogleTest, Catch2 and doctest: each test is a test of ctest and a campaign of its own, failed assertions are findings at their
lines, a failing test prints one reproduce line and fails at once the next time."""
import pathlib
import re

import consumer
import harness

# By framework: the tests that fail, and the marker of the line that does.
FAILING = {
    "gtest": {"Account.TwoDeposits": "explored", "Account.PlainTwoDeposits": "plain", "Bank.InAThread": "thread"},
    "catch2": {"two deposits": "explored", "two deposits, checked": "checked", "plain two deposits": "plain"},
    "doctest": {"two deposits": "explored", "two deposits, checked": "checked", "plain two deposits": "plain"},
}
PASSING = {"gtest": ["Account.OneDeposit", "Bank.Opens"], "catch2": ["one deposit"], "doctest": ["one deposit"]}
# What the framework itself says of a failed test.
OWN_WORDS = {"gtest": r"\[  FAILED  \] {name}", "catch2": r"cpp:\d+: FAILED:", "doctest": r"ERROR: (REQUIRE|CHECK)\("}
MESSAGE = {"gtest": "Which is: ", "catch2": "with expansion: ", "doctest": "with values: "}


def source_of(context: harness.Context, framework: str) -> pathlib.Path:
    return context.sources / "consumer" / "frameworks" / f"{framework}_tests.cpp"


def marked_line(source: pathlib.Path, marker: str) -> int:
    return next(n for n, line in enumerate(source.read_text().splitlines(), 1) if f"// here: {marker}" in line)


def selection(framework: str, name: str) -> str:
    if framework == "gtest":
        return f"--gtest_filter={name}"
    name = name.replace(",", "\\,")
    return name if framework == "catch2" else f"--test-case={name}"


def build_tests(context: harness.Context, folder: pathlib.Path, *options, targets: tuple = ()) -> bool:
    configured = consumer.configure(context, context.sources / "consumer" / "frameworks", folder, "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0",
                                    f"-DCMAKE_PREFIX_PATH={context.ravel.parent.parent}", *options)
    built = consumer.build(context, folder, *targets)
    return context.check(built.code == 0, "the tests do not build", f"{configured}\n{built}")


def run_one(context: harness.Context, folder: pathlib.Path, framework: str, name: str, *options) -> tuple[harness.Finished, dict]:
    report = folder / "one.json"
    report.unlink(missing_ok=True)
    done = context.tool("run", "--json", report, "--color", "never", "--iterations", 500, "--no-minimize", *options,
                        folder / f"{framework}_tests", selection(framework, name), cwd=folder)
    return done, harness.read_json(report)


def discovered(context: harness.Context, folder: pathlib.Path) -> None:
    """The tests of ctest are those of the programs, with the results they should have."""
    done = consumer.run_tests(context, folder, "-j", "2")
    results = dict(re.findall(r"Test +#\d+: (.*?) \.*(?: +|\*\*\*)(Passed|Failed)", done.out))
    expected = {f"{framework}:{name}": "Failed" for framework, names in FAILING.items() for name in names}
    expected |= {f"{framework}:{name}": "Passed" for framework, names in PASSING.items() for name in names}
    context.check(results == expected, f"{results} instead of {expected}", done)
    context.check(done.out.count("reproduce: ") == sum(map(len, FAILING.values())), "not one reproduce line a failing test", done)
    plans = sorted(path.name for path in (folder / ".ravel").glob("*.plan"))
    wanted = sorted(f"{framework}_tests-{n}.plan" for framework in FAILING for n in (1, 2, 3))
    context.check(plans == wanted, f"plans {plans}, expected {wanted}")  # side by side: none was lost
    again = consumer.run_tests(context, folder, "-L", "gtest", "-j", "2")
    context.check(again.out.count("fails again") == 3 and "explored 8" not in again.out, "the saved plans do not come first", again)


def findings(context: harness.Context, folder: pathlib.Path) -> None:
    """A failed assertion is a finding with its line and the framework's words, and fails first the next time."""
    for framework, names in FAILING.items():
        for name, marker in names.items():
            done, report = run_one(context, folder, framework, name)
            found = report.get("findings", [])
            what = f"{framework}: {name}"
            if not context.check(done.code == harness.DEFECT and [f["kind"] for f in found] == ["assertion"], f"{what}: no assertion", done):
                continue
            line = marked_line(source_of(context, framework), marker)
            context.check(found[0]["location"]["line"] == line, f"{what}: {found[0]['location']}, expected line {line}", done)
            context.check(MESSAGE[framework] in found[0]["message"], f"{what}: message {found[0]['message']}", done)
            own = OWN_WORDS[framework].format(name=re.escape(name))
            context.check(re.search(own, found[0]["stdout"]), f"{what}: the framework does not say `{own}'", done)
            context.check(done.out.count("reproduce: ") == 1, f"{what}: not one reproduce line", done)
            again, report = run_one(context, folder, framework, name, "--saved", "first")
            saved = report.get("saved", [])
            context.check(again.code == harness.DEFECT and report.get("executions") == 1, f"{what}: does not fail at once", again)
            context.check([s["verdict"] for s in saved] == ["fails"] and saved[0]["plan"] == found[0]["plan"], f"{what}: {saved}", again)
            context.check(again.out.count("reproduce: ") == 1, f"{what}: not one reproduce line again", again)


def alone(context: harness.Context, folder: pathlib.Path) -> None:
    """Without the tool: the explored tests explore by themselves, the plain ones run once."""
    for framework, names in FAILING.items():
        done = context.command([f"./{framework}_tests"], cwd=folder)
        explored = [name for name, marker in names.items() if marker != "plain"]
        context.check(done.code != 0, f"{framework} alone: exit code {done.code}", done)
        told = re.findall(r"reproduce: ravel run \S+ (.*)", done.out)
        wanted = [selection(framework, name) for name in explored]
        context.check([word.strip("'") for word in told] == wanted, f"{framework} alone: {told}, expected {wanted}", done)
        for name, marker in names.items():
            line = f"{framework}_tests.cpp:{marked_line(source_of(context, framework), marker)}"
            shown = line in re.sub(r"\s", "", done.out)
            context.check(shown == (marker != "plain"), f"{framework} alone: {line}", done)


def refused(context: harness.Context, folder: pathlib.Path) -> None:
    """SECTION and SUBCASE would be left out silently."""
    for framework, words in (("catch2", ["sections"]), ("doctest", ["--test-case=subcases", "--no-skip=true"])):
        done = context.tool("run", "--iterations", 5, "--no-minimize", "--color", "never", folder / f"{framework}_tests", *words, cwd=folder)
        context.check(done.code == harness.DEFECT and "in a RAVEL_TEST_CASE" in done.out, f"{framework}: {done.code}", done)
        line = marked_line(source_of(context, framework), "section")
        context.check(f"{framework}_tests.cpp:{line}" in done.out, f"{framework}: not at line {line}", done)


def filters_and_shards(context: harness.Context, folder: pathlib.Path) -> None:
    """GoogleTest's own ways of choosing tests hold under the tool."""
    def explored(*options, **changes) -> tuple[harness.Finished, set]:
        report = folder / "shards.json"
        report.unlink(missing_ok=True)
        done = context.tool("run", "--json", report, "--color", "never", "--iterations", 20, "--no-minimize",
                            "--keep-going", "--output", f"shards{len(changes)}", folder / "gtest_tests", *options, cwd=folder,
                            env=harness.environment(**changes))
        return done, {call["name"] for call in harness.read_json(report).get("explorations", [])}

    everything = {"Account.OneDeposit", "Account.TwoDeposits", "Bank.InAThread"}
    done, all_of_them = explored("--gtest_filter=-*.Plain*")
    context.check(all_of_them == everything, f"{all_of_them} are explored", done)
    done, some = explored("--gtest_filter=Bank.*")
    context.check(some == {"Bank.InAThread"}, f"filter: {some}", done)
    shards = [explored("--gtest_filter=-*.Plain*", GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX=str(i)) for i in (0, 1)]
    context.check(shards[0][1] | shards[1][1] == everything and not shards[0][1] & shards[1][1], f"shards: {[s[1] for s in shards]}")
    lines = [line for done, _ in shards for line in done.out.splitlines() if line.startswith("reproduce:")]
    for line in lines:
        words = line.removeprefix("reproduce:").replace("ravel replay", f"{context.ravel} replay")
        again = context.command(["sh", "-c", words], cwd=folder)
        context.check("GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=" in line and again.code == harness.DEFECT, f"as printed: {line}", again)
    context.check(len(lines) == 2, f"reproduce lines {lines}")


def repaired(context: harness.Context, folder: pathlib.Path) -> None:
    """After the fix the saved plan is tried, and exploring goes on."""
    if not build_tests(context, folder, "-DREPAIRED=ON", targets=("gtest_tests",)):
        return
    done, report = run_one(context, folder, "gtest", "Account.TwoDeposits", "--saved", "first")
    verdicts = [s["verdict"] for s in report.get("saved", [])]
    context.check(done.code == harness.CLEAN and (report.get("executions") == 500 or report.get("complete")), f"repaired: {done.code}", done)
    context.check(verdicts and set(verdicts) <= {"clean", "does-not-fit"}, f"repaired: saved plans {verdicts}", done)
    context.check("saved plan .ravel/gtest_tests-" in done.out, "repaired: nothing is said of the saved plan", done)


def without_ravel(context: harness.Context) -> None:
    """The same source in a build that knows only the headers: ordinary tests."""
    folder = context.folder / "plain"
    if not build_tests(context, folder, "-DPLAIN=ON", targets=("gtest_tests",)):
        return
    done = context.command([folder / "gtest_tests"])
    context.check(done.code == 0 and "[  PASSED  ] 5 tests." in done.out, "ordinary tests", done)
    linked = context.command(["ldd", folder / "gtest_tests"])
    context.check("ravel" not in linked.out, "Ravel is linked", linked)


def group(context: harness.Context) -> None:
    folder = context.folder / "build"
    if not build_tests(context, folder):
        return
    discovered(context, folder)
    findings(context, folder)
    alone(context, folder)
    refused(context, folder)
    filters_and_shards(context, folder)
    repaired(context, folder)
    without_ravel(context)
