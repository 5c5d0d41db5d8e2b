# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""A CMake project of a user with ravel_instrument(): the defect in its library is found."""
import harness


def cmake_project(context: harness.Context) -> None:
    source = context.sources / "consumer"
    build = context.folder / "build"
    configured = context.command(["cmake", "-S", source, "-B", build, f"-DCMAKE_CXX_COMPILER={context.compiler}",
                                  f"-DCMAKE_C_COMPILER={context.compiler.replace('clang++', 'clang').replace('g++', 'gcc')}",
                                  "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1",
                                  f"-DRAVEL_CMAKE={context.sources.parent / 'cmake'}",
                                  f"-DRAVEL_RUNTIME_LIBRARY={context.ravel.parent.parent / 'lib' / 'libravel_rt.so'}"])
    built = context.command(["cmake", "--build", build])
    program = build / "shop"
    if not context.check(built.code == 0 and program.exists(), "the project does not build", f"{configured}\n{built}"):
        return
    done, report = context.run(program)
    kinds = [finding["kind"] for finding in report.get("findings", [])]
    context.check(done.code == harness.DEFECT and kinds == ["assertion"], f"exit code {done.code}, kinds {kinds}", done)
    context.check(bool(harness.lines_in(report.get("findings"), "ledger.cpp")), "the library's lines are not shown", done)
    test = build / "ledger_test"
    done, report = context.run(test)
    findings = report.get("findings", [])
    context.check(done.code == harness.DEFECT and [f["kind"] for f in findings] == ["assertion"], f"test: {done.code}", done)
    context.check(findings and findings[0]["explore_name"] == "two bookings", "test: the call is not named", done)
    alone = context.command([test])
    context.check(alone.code == 1 and "no booking is lost" in alone.err, f"test alone: {alone.code}", alone)
    plain = context.command([build / "ledger_test_plain"])
    context.check(plain.code == 0, f"test without Ravel: {plain.code}", plain)


def installed(context: harness.Context) -> None:
    """The installed tree is complete: header, library, tool and package."""
    prefix = context.folder / "prefix"
    done = context.command(["cmake", "--install", context.ravel.parent.parent, "--prefix", prefix])
    if not context.check(done.code == 0, "install", done):
        return
    built = context.command([prefix / "bin" / "ravel", "c++", "-std=c++20", context.sources / "programs/api/choices.cpp", "-o", "choices"])
    context.check(built.code == 0, "the installed wrapper builds a program with ravel.h", built)
    ran = context.command([context.folder / "choices"])
    context.check(ran.out == "16 executions, complete 1\n", "the installed runtime explores", ran)
    build = context.folder / "build"
    made = context.command(["cmake", "-S", context.sources / "consumer", "-B", build, f"-DRAVEL_CMAKE={prefix / 'lib/cmake/Ravel'}",
                            f"-DCMAKE_CXX_COMPILER={context.compiler}"])
    context.check(made.code == 0 and str(prefix) in (build / "CMakeCache.txt").read_text(), "find_package in the installed tree", made)
