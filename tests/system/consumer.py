# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Projects of users: find_package in the build tree and in an installed one that was moved, add_subdirectory, pkg-config, a
Debian package, and a GoogleTest project that takes to Ravel in three lines. The defect is found in each of them."""
import difflib
import pathlib
import re

import harness

# Takes the objects of Ravel's own sources from the tree that is built already: a compiler launcher.
REUSE = """#!/bin/sh
take=
for word in "$@"; do
  [ -n "$take" ] && target=$word
  take=
  [ "$word" = -o ] && take=1
done
case "$target" in
  *ravel/src/CMakeFiles/*) cp "{build}/src/${{target##*ravel/src/}}" "$target" 2>/dev/null && exit ;;
esac
exec "$@"
"""


def configure(context: harness.Context, source: pathlib.Path, build: pathlib.Path, *options) -> harness.Finished:
    c = context.compiler.replace("clang++", "clang").replace("g++", "gcc")
    return context.command(["cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_CXX_COMPILER={context.compiler}",
                            f"-DCMAKE_C_COMPILER={c}", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                            "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1", *options])


def build(context: harness.Context, folder: pathlib.Path, *targets) -> harness.Finished:
    return context.command(["cmake", "--build", folder, *(word for target in targets for word in ("--target", target))])


def run_tests(context: harness.Context, folder: pathlib.Path, *options) -> harness.Finished:
    return context.command(["ctest", "--test-dir", folder, "--no-tests=error", "-V", *options])


def check_assembly(context: harness.Context, program: pathlib.Path) -> None:
    """A lock in inline assembly has its call-outs: its exchanges are events, and what it guards is no race."""
    done, report = context.run(program, "--iterations", 200)
    context.check(done.code == harness.CLEAN, f"assembly: exit code {done.code}", done)
    exchanges = report.get("operations", {}).get("rmw", 0)
    context.check(exchanges >= 4 * report.get("executions", 1), f"assembly: {exchanges} exchanges", report)


def cmake_project(context: harness.Context) -> None:
    """find_package in the build tree."""
    folder = context.folder / "build"
    configured = configure(context, context.sources / "consumer", folder, f"-DCMAKE_PREFIX_PATH={context.ravel.parent.parent}")
    built = build(context, folder)
    program = folder / "shop"
    if not context.check(built.code == 0 and program.exists(), "the project does not build", f"{configured}\n{built}"):
        return
    done, report = context.run(program)
    kinds = [finding["kind"] for finding in report.get("findings", [])]
    context.check(done.code == harness.DEFECT and kinds == ["assertion"], f"exit code {done.code}, kinds {kinds}", done)
    context.check(bool(harness.lines_in(report.get("findings"), "ledger.cpp")), "the library's lines are not shown", done)
    check_assembly(context, folder / "spin")
    test = folder / "ledger_test"
    done, report = context.run(test)
    findings = report.get("findings", [])
    context.check(done.code == harness.DEFECT and [f["kind"] for f in findings] == ["assertion"], f"test: {done.code}", done)
    context.check(findings and findings[0]["explore_name"] == "two bookings", "test: the call is not named", done)
    alone = context.command([test])
    context.check(alone.code == 1 and "no booking is lost" in alone.err, f"test alone: {alone.code}", alone)
    plain = context.command([folder / "ledger_test_plain"])
    context.check(plain.code == 0, f"test without Ravel: {plain.code}", plain)
    tests = run_tests(context, folder)
    context.check(tests.code == 0 and "100% tests passed, 0 tests failed out of 2" in tests.out, "ravel_add_test", tests)
    words = '"--iterations" "500" "--no-minimize" "--" "' + str(program) + '" "two" "words"'
    context.check(words in tests.out, f"options and arguments: {words}", tests)
    context.check("books" in tests.out, "labels", tests)


def make_project(context: harness.Context, name: str, tree: pathlib.Path, package: str, compiler: str) -> None:
    folder = context.folder / name
    folder.mkdir()
    environment = harness.environment(PKG_CONFIG_PATH=str(tree / "lib" / "pkgconfig"))
    done = context.command(["make", "-f", context.sources / "consumer" / "makefile" / "Makefile", f"CXX={compiler}", f"PC={package}"],
                           cwd=folder, env=environment)
    context.check(done.code == 2 and "FAILED  assertion" in done.out, f"{package}.pc: the defect is not found", done)
    context.check("ledger.cpp:7" in done.out and "warning" not in done.err, f"{package}.pc: lines, or warnings", done)
    (folder / "shop").unlink()
    wrong = context.command([*done.command, "LDFLAGS=-fsanitize=thread"], cwd=folder, env=environment)
    context.check("leave -fsanitize=thread out of the link command" in wrong.err, f"{package}.pc: linked with the sanitizer", wrong)


def installed(context: harness.Context) -> None:
    """One installed tree, moved after that: wrapper, find_package, pkg-config, and the three lines of a GoogleTest project."""
    prefix = context.folder / "prefix"
    done = context.command(["cmake", "--install", context.ravel.parent.parent, "--prefix", context.folder / "first"])
    if not context.check(done.code == 0, "install", done):
        return
    (context.folder / "first").rename(prefix)
    built = context.command([prefix / "bin" / "ravel", "c++", "-std=c++20", context.sources / "programs/api/choices.cpp", "-o", "choices"])
    context.check(built.code == 0, "the installed wrapper builds a program with ravel.h", built)
    for word, language, version in (("ravel-c++", "c++", "14"), ("ravel-cc", "c", "14")):
        environment = harness.environment(RAVEL_CXX="clang++-14", RAVEL_CC="clang-14")
        told = context.command([prefix / "bin" / word, "-x", language, "-dM", "-E", "/dev/null"], env=environment)
        right = f"__clang_major__ {version}" in told.out and ("__cplusplus" in told.out) == (language == "c++")
        context.check(right, f"{word}: not the compiler that was asked for", told)
    ran = context.command([context.folder / "choices"])
    context.check(ran.out == "16 executions, complete 1\n", "the installed runtime explores", ran)
    loaded = context.command(["ldd", context.folder / "choices"])
    context.check(f"{prefix}/lib/libravel_rt.so" in loaded.out, "the runtime is not the installed one", loaded)
    make_project(context, "make", prefix, "ravel", "g++")
    make_project(context, "make-clang", prefix, "ravel-clang", "clang++-14")
    adopt(context, prefix)


def changed_lines(before: pathlib.Path, after: pathlib.Path) -> int:
    """Lines that are new, gone or other; a changed line counts once."""
    total = 0
    for path in sorted({p.name for p in before.iterdir()} | {p.name for p in after.iterdir()}):
        old, new = ((folder / path).read_text().splitlines() if (folder / path).exists() else [] for folder in (before, after))
        for what, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            total += max(b - a, d - c) if what != "equal" else 0
    return total


def adopt(context: harness.Context, prefix: pathlib.Path) -> None:
    before, after = (context.sources / "consumer" / name for name in ("gtest_before", "gtest_after"))
    count = changed_lines(before, after)
    context.check(0 < count <= 3, f"adoption takes {count} lines")
    folder = context.folder / "adopted"
    configured = configure(context, after, folder, f"-DCMAKE_PREFIX_PATH={prefix}")
    cache = (folder / "CMakeCache.txt").read_text()
    context.check(f"{prefix}/lib/cmake/Ravel" in cache, "find_package does not find the installed tree", configured)
    built = build(context, folder)
    if not context.check(built.code == 0, "the adopted project does not build", f"{configured}\n{built}"):
        return
    good = context.command([prefix / "bin" / "ravel", "run", "--iterations", "50", folder / "stock_test", "--gtest_filter=Stock.TwoOfThree"])
    context.check(good.code == harness.CLEAN, "a good test fails", good)
    bad = run_tests(context, folder, "-R", "TheLastOne")
    context.check(bad.code != 0 and "Which is: -1" in bad.out, "the planted defect is not found", bad)
    context.check(len(re.findall(r"reproduce: ", bad.out)) == 1, "not one reproduce line", bad)
    plan = re.search(r"reproduce: +ravel replay (\S+)", bad.out)
    again = context.command([prefix / "bin" / "ravel", "replay", folder / (plan.group(1) if plan else "none")])
    context.check(again.code == harness.DEFECT, f"the replay ended with {again.code}", again)


def subdirectory(context: harness.Context) -> None:
    """add_subdirectory(ravel): the tool and the runtime are targets of the project. Their objects are copied, not compiled."""
    launcher = context.folder / "reuse"
    launcher.write_text(REUSE.format(build=context.ravel.parent.parent))
    launcher.chmod(0o755)
    folder = context.folder / "build"
    configured = configure(context, context.sources / "consumer", folder, f"-DRAVEL_SOURCE={context.sources.parent}",
                           f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}")
    built = build(context, folder, "spin", "shop", "ledger_test")
    if not context.check(built.code == 0, "the project does not build", f"{configured}\n{built}"):
        return
    check_assembly(context, folder / "spin")
    tests = run_tests(context, folder)
    context.check(tests.code == 0 and "100% tests passed" in tests.out, "its tests", tests)
    context.check(f"{folder}/ravel/bin/ravel" in tests.out, "the tool is not the one of the project", tests)
    prefix = context.folder / "prefix"
    installed_files = context.command(["cmake", "--install", folder, "--prefix", prefix])
    context.check(installed_files.code == 0 and not (prefix / "bin" / "ravel").exists(), "the project installs Ravel", installed_files)


def package(context: harness.Context) -> None:
    """The Debian package holds what is needed, with its dependencies."""
    tree = context.ravel.parent.parent
    done = context.command(["cpack", "--config", tree / "CPackConfig.cmake", "-B", context.folder])
    files = list(context.folder.glob("ravel_*.deb"))
    if not context.check(done.code == 0 and len(files) == 1, "no package", done):
        return
    about = context.command(["dpkg-deb", "--info", files[0]])
    for needed in ("libc6", "libfmt9", "libstdc++6"):
        context.check(re.search(rf"Depends: .*\b{re.escape(needed)}", about.out), f"{needed} is no dependency", about)
    root = context.folder / "root"
    unpacked = context.command(["dpkg-deb", "-x", files[0], root])
    context.check(unpacked.code == 0, "dpkg-deb -x", unpacked)
    for name in ("man/man1/ravel.1", "bash-completion/completions/ravel", "doc/ravel/copyright"):
        context.check((root / "usr" / "share" / name).is_file(), f"the package has no {name}", about)
    make_project(context, "make", root / "usr", "ravel", "g++")
