# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Synchronisation that Ravel does not see: what may be due to it is reported separately; what cannot be is a finding as always."""
import harness


def library(context: harness.Context, name: str, defines: tuple, source: str = "hand_over"):
    """Built by the compiler alone; the program that uses it by the wrapper."""
    sources = context.sources / "unseen"
    built = context.folder / f"lib{name}.so"
    flags = [f"-D{word}" for word in defines]
    done = context.command([context.compiler, "-std=c++20", "-O2", "-g", "-shared", "-fPIC", *flags, sources / f"{source}.cpp", "-o", built])
    context.check(done.code == 0, f"{name}: the library does not build", done)
    return context.build(sources / f"uses_{source}.cpp", name=f"uses_{name}", defines=defines,
                         flags=("-Wl,--no-as-needed", f"-L{context.folder}", f"-l{name}", f"-Wl,-rpath,{context.folder}"))


def group(context: harness.Context) -> None:
    program = library(context, "with_atomics", ("ATOMICS",))
    done, report = context.run(program, "--iterations", 50)
    context.check(done.code == harness.CLEAN and not report["findings"], f"atomics: exit code {done.code}", done)
    kinds = {finding["kind"] for finding in report["doubtful"]}
    context.check(kinds == {"data-race"}, f"atomics: doubtful are {kinds}", report)
    context.check("libwith_atomics.so calls both" in done.out, "the library is not named", done)
    quiet = context.folder / "quiet.txt"
    quiet.write_text("called_from_lib:libwith_atomics\n", encoding="utf-8")
    done, report = context.run(program, "--iterations", 50, "--suppressions", quiet)
    context.check(done.code == harness.CLEAN and not report["doubtful"], "called_from_lib leaves it out", done)

    program = library(context, "without_atomics", ())
    done, report = context.run(program, "--iterations", 50)
    context.check(done.code == harness.DEFECT, f"no atomics: exit code {done.code}, the race is real", done)

    program = library(context, "locked", (), "own_lock")
    done, report = context.run(program, "--iterations", 50)
    context.check(done.code == harness.CLEAN and report["doubtful"], f"a lock of the library's own: exit code {done.code}", done)
    context.check("both sides use liblocked.so" in done.out, "the library of the lock is not named", done)
    program = library(context, "forgotten", ("FORGOTTEN",), "own_lock")
    done, report = context.run(program, "--iterations", 50)
    context.check(done.code == harness.DEFECT, f"one side without the lock: exit code {done.code}, the race is real", done)

    program = context.build(context.sources / "unseen" / "segment_lock.cpp")
    done, report = context.run(program, "--iterations", 200)
    context.check(done.code == harness.CLEAN and report["doubtful"], f"assembly: exit code {done.code}", done)
    context.check("segment_lock.cpp:" in done.out and "not controlled" in done.out, "the instruction is not named", done)

    blocked(context)


def blocked(context: harness.Context) -> None:
    """Correct programs in which one thread waits in the system for another: not tested, which is neither a defect nor a pass."""
    programs = [(context.build(context.sources / "unseen" / "blocked_beside_another.cpp"), "splice()")]
    if context.compiler == "g++":  # clang's OpenMP is another library
        programs.append((context.build(context.sources / "free" / "openmp.cpp", flags=("-fopenmp",)), "futex()"))
    for program, call in programs:
        done, report = context.run(program, "--iterations", 100, "--strategy", "run-on", "--hang", "500ms")
        context.check(done.code == harness.CANNOT_TEST and not report["findings"], f"{program.name}: exit code {done.code}", done)
        context.check([finding["kind"] for finding in report["doubtful"]] == ["hang"], f"{program.name}: {report['doubtful']}", done)
        context.check(call in report["reason"] and "--free" in report["reason"], f"{program.name}: {report['reason']}", done)
    joiner = context.build(context.sources / "unseen" / "blocked_beside_joiner.cpp")
    for seed in range(1, 7):
        done, report = context.run(joiner, "--iterations", 100, "--strategy", "random", "--seed", seed, "--hang", "300ms")
        context.check(done.code == harness.CANNOT_TEST and not report["findings"], f"{joiner.name}, seed {seed}: exit code {done.code}", done)
