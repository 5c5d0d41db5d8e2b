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
