# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""ravel_discover_tests(): names, commands and properties of the tests that ctest sees."""
import json
import os

import consumer
import harness

BRACKETS, ODD = "comma, [brackets]; semicolon", 'quote " back\\slash $dollar ${braces}'
# By test: the argument of the program that selects it.
EXPECTED = {
    "gtest.Queue.Empty": ["--gtest_filter=Queue.Empty"],
    "gtest.Queue.DISABLED_Full": ["--gtest_filter=Queue.DISABLED_Full"],
    "gtest.Some/Sizes.Grows/0": ["--gtest_filter=Some/Sizes.Grows/0"],
    "gtest.Some/Sizes.Grows/1": ["--gtest_filter=Some/Sizes.Grows/1"],
    "gtest.Typed/0.Works": ["--gtest_filter=Typed/0.Works"],
    "catch2.plain": ["plain", "--warn", "NoTests"],
    f"catch2.{BRACKETS}": ["comma\\, \\[brackets\\]; semicolon", "--warn", "NoTests"],
    f"catch2.{ODD}": ['quote \\" back\\\\slash $dollar ${braces}', "--warn", "NoTests"],
    "doctest.plain": ["--test-case=plain"],
    f"doctest.{BRACKETS}": ["--test-case=comma\\, [brackets]; semicolon"],
}


def tests_of(context: harness.Context, folder) -> dict:
    done = context.command(["ctest", "--test-dir", folder, "--show-only=json-v1"])
    context.check(done.code == 0, "ctest cannot read its files", done)
    tests = json.loads(done.out[done.out.index("{"):])["tests"] if done.code == 0 else []
    for test in tests:
        test["properties"] = {item["name"]: item["value"] for item in test.get("properties", [])}
    context.check(len({test["name"] for test in tests}) == len(tests), "a name twice", done)
    return {test["name"]: test for test in tests}


def arguments(context: harness.Context) -> None:
    folder = context.folder / "build"
    source = context.sources / "consumer" / "discovery"
    configured = consumer.configure(context, source, folder, f"-DCMAKE_PREFIX_PATH={context.ravel.parent.parent}")
    early = tests_of(context, folder)
    context.check(set(early) == {f"{name}_NOT_BUILT" for name in ("gtest", "catch2", "doctest", "late")}, f"before the build: {set(early)}")
    built = consumer.build(context, folder)
    if not context.check(built.code == 0, "the project does not build", f"{configured}\n{built}"):
        return
    tests = tests_of(context, folder)
    for name, words in EXPECTED.items():
        framework = name.partition(".")[0]
        wanted = [str(context.ravel), "run", "--", str(folder / framework), *words]
        if context.check(name in tests, f"there is no {name}", "\n".join(tests)):
            context.check(tests[name]["command"] == wanted, f"{name}: {tests[name]['command']}, expected {wanted}")
            context.check(tests[name]["properties"]["WORKING_DIRECTORY"] == str(folder), f"{name}: {tests[name]['properties']}")
            disabled = tests[name]["properties"].get("DISABLED", False)
            context.check(disabled == ("DISABLED_" in name), f"{name}: disabled {disabled}")
    late = {name for name in tests if name.startswith("late.")}
    context.check(late == {name.replace("gtest.", "late.", 1) for name in EXPECTED if name.startswith("gtest.")}, f"PRE_TEST: {late}")
    slow = {name: test for name, test in tests.items() if name.startswith("all: ")}
    wanted = {f"all: {name} (slow)" for name in ("Queue.Empty", "Queue.DISABLED_Full", "Some/Sizes.Grows/0", "Some/Sizes.Grows/1", "Typed/0.Works",
                                                "Filtered.Q*", "Filtered.More")}
    context.check(set(slow) == wanted, f"with all arguments: {set(slow)}")
    context.check(len(tests) == len(EXPECTED) + len(late) + len(slow), f"{len(tests)} tests")
    for name, test in slow.items():
        plain = name.removeprefix("all: ").removesuffix(" (slow)")
        command = [str(context.ravel), "run", "--iterations", "5", "--format", "junit=a b;c.xml", "--", str(folder / "gtest"),
                   f"--gtest_filter={plain}", "--more", "two words"]
        context.check(test["command"] == command, f"{name}: {test['command']}")
        got = test["properties"]
        context.check(got["WORKING_DIRECTORY"] == str(source) and sorted(got["LABELS"]) == ["on its own", "slow"] and got["TIMEOUT"] == 60
                      and got["RUN_SERIAL"] is True and got["COST"] == 7, f"{name}: {got}")
    # PRE_TEST looks again when the program is newer than its list.
    lists = list(folder.glob("ravel_late_1-*_tests.cmake"))
    context.check(len(lists) == 1, f"lists {lists}")
    lists[0].write_text("")
    os.utime(lists[0], (1, 1))
    context.check(late <= set(tests_of(context, folder)), "an old list is not made anew")


# Answers as a program of Catch2 version 3 does, which Debian 12 does not have.
VERSION_3 = r"""
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
  if (count == 2 && strcmp(words[1], "--help") == 0) puts("  --list-tests\n  --list-listeners");
  if (count == 4 && strcmp(words[1], "--list-tests") == 0 && strcmp(words[3], "quiet") == 0) puts("one, two\nthree");
  return 0;
}
"""


def catch2_version_3(context: harness.Context) -> None:
    folder = context.folder / "version3"
    folder.mkdir()
    (folder / "t.c").write_text(VERSION_3)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(V LANGUAGES C)\nenable_testing()\n"
                                           "find_package(Ravel REQUIRED)\nadd_executable(t t.c)\nravel_discover_tests(t)\n")
    build = context.folder / "version3-build"
    configured = consumer.configure(context, folder, build, f"-DCMAKE_PREFIX_PATH={context.ravel.parent.parent}")
    built = consumer.build(context, build)
    context.check(built.code == 0, "Catch2 version 3: the project does not build", f"{configured}\n{built}")
    words = {name: test["command"][4:] for name, test in tests_of(context, build).items()}
    context.check(words == {"one, two": ["one\\, two"], "three": ["three"]}, f"Catch2 version 3: {words}", built)


def refused(context: harness.Context) -> None:
    """One line says what is wrong."""
    for text, expected in (("ravel_discover_tests(absent)", "absent is not a target"),
                           ("ravel_discover_tests(t FRAMEWORK boost)", "one of gtest, catch2, doctest"),
                           ("ravel_discover_tests(t DISCOVERY_MODE NOW)", "one of POST_BUILD, PRE_TEST"),
                           ("ravel_discover_tests(t ITERATIONS 5)", "unknown argument ITERATIONS"),
                           ("ravel_add_test(NAME x)", "NAME and COMMAND are needed"),
                           ("ravel_add_test(NAME x COMMAND t TIME 5 LABELS)", "nothing after LABELS")):
        folder = context.folder / "refused"
        folder.mkdir(exist_ok=True)
        (folder / "t.c").write_text("int main(void) { return 0; }\n")
        (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(R LANGUAGES C)\nenable_testing()\n"
                                               f"find_package(Ravel REQUIRED)\nadd_executable(t t.c)\n{text}\n")
        done = consumer.configure(context, folder, context.folder / "refused-build", f"-DCMAKE_PREFIX_PATH={context.ravel.parent.parent}")
        context.check(done.code != 0 and expected in " ".join(done.err.split()), f"{text}: no `{expected}'", done)


def group(context: harness.Context) -> None:
    arguments(context)
    catch2_version_3(context)
    refused(context)
