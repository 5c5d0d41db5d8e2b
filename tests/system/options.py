# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""One table of options: help, manual pages, completion, RAVEL_OPTIONS and ravel.toml say the same."""
import os
import pathlib
import pty
import re
import select
import signal
import time

import harness
from usage import one_line

SHELLS = ("bash", "zsh", "fish")


def commands_of(context: harness.Context) -> list[str]:
    done = context.tool("--help")
    names = re.findall(r"^  (\S+)\s", done.out, re.MULTILINE)
    context.check(done.code == 0 and {"c++", "run", "replay", "completion"} <= set(names), "list of commands", done)
    return names


def options_of(context: harness.Context, command: str) -> set[str]:
    done = context.tool(command, "--help")
    context.check(done.code == 0 and done.out.startswith(f"usage: ravel {command} "), f"{command} --help", done)
    return set(re.findall(r"^  (--[a-z-]+)", done.out, re.MULTILINE)) | {"--help"}


def roff_errors(context: harness.Context, page: pathlib.Path) -> harness.Finished:
    return context.command(["groff", "-man", "-ww", "-Tutf8", page])


def pages(context: harness.Context) -> None:
    """Every option of --help is in the manual page, with its words; groff has nothing to say against the pages."""
    folder = context.folder / "man"
    done = context.tool("man", "--directory", folder)
    context.check(done.code == 0, "man --directory", done)
    commands = commands_of(context)
    for name in ["ravel", *(f"ravel-{command}" for command in commands)]:
        page = folder / f"{name}.1"
        if not context.check(page.is_file(), f"no manual page {name}"):
            continue
        shown = roff_errors(context, page)
        context.check(shown.code == 0 and not shown.err, f"{name}: groff warns", shown)
        built = context.ravel.parent.parent / "share/man/man1" / page.name
        context.check(built.is_file() and built.read_text() == page.read_text(), f"{name}: the build has another page, or none", built)
        text = re.sub(r"\s+", " ", re.sub(r".\x08|\x1b\[[0-9;]*m", "", shown.out))
        if name == "ravel":
            missing = [command for command in commands if f"ravel-{command}(1)" not in text]
            context.check(not missing, f"ravel(1) does not name {missing}", shown)
            continue
        command = name.removeprefix("ravel-")
        known = options_of(context, command)
        listed = set(re.findall(r"^\\fB(\\-\\-[a-z\\-]+)\\fR", page.read_text(), re.MULTILINE))
        listed = {option.replace("\\", "") for option in listed}
        context.check(listed == known, f"{name}: options differ: {listed ^ known}", shown)
    installed = context.folder / "installed"
    done = context.command(["cmake", "--install", context.ravel.parent.parent, "--prefix", installed])
    wanted = [f"man/man1/{page.name}" for page in folder.iterdir()]
    wanted += ["bash-completion/completions/ravel", "zsh/site-functions/_ravel", "fish/vendor_completions.d/ravel.fish"]
    missing = [name for name in wanted if not (installed / "share" / name).is_file()]
    context.check(done.code == 0 and not missing, f"not installed: {missing}", done)
    # The judge: a page with an error in it is not passed over.
    broken = context.folder / "broken.1"
    broken.write_text((folder / "ravel-run.1").read_text() + ".no_such_macro\n")
    context.check(bool(roff_errors(context, broken).err), "groff does not see an unknown macro")
    one_line(context, "man of nothing", context.tool("man", "rnu"), "rnu")
    one_line(context, "completion of nothing", context.tool("completion", "csh"), "bash")


def typed(shell: list[str], setup: str, keys: str, wanted: str, folder: pathlib.Path) -> str:
    """What a shell on a terminal shows after `keys`, until `wanted` is there or nothing comes any more."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ.update(TERM="dumb", PS1="READY", HOME=str(folder), INPUTRC="/dev/null")
        os.execvp(shell[0], shell)
    shown = ""

    def read_until(word: str, seconds: float) -> None:
        nonlocal shown
        end = time.monotonic() + seconds
        while word not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    shown += os.read(terminal, 65536).decode(errors="replace")
                except OSError:
                    return

    try:
        os.write(terminal, (setup + "; echo RE''ADY-TO-TYPE\r").encode())
        read_until("READY-TO-TYPE", harness.WATCHDOG)
        shown = ""
        os.write(terminal, keys.encode())
        read_until(wanted, harness.WATCHDOG)
    finally:
        os.close(terminal)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\x07\x08]", "", shown)


def shells(context: harness.Context) -> None:
    """Every option is in every completion; bash and zsh complete what is typed on a terminal, fish by its own command."""
    texts = {}
    for shell in SHELLS:
        done = context.tool("completion", shell)
        context.check(done.code == 0, f"completion {shell}", done)
        texts[shell] = done.out
        (context.folder / f"ravel.{shell}").write_text(done.out)
        checked = context.command([shell, "-n", context.folder / f"ravel.{shell}"])
        context.check(checked.code == 0 and not checked.err, f"{shell} does not accept the completion", checked)
        built = {"bash": "bash-completion/completions/ravel", "zsh": "zsh/site-functions/_ravel",
                 "fish": "fish/vendor_completions.d/ravel.fish"}[shell]
        path = context.ravel.parent.parent / "share" / built
        context.check(path.is_file() and path.read_text() == done.out, f"{shell}: the build has another completion, or none", path)
    for command in commands_of(context):
        known = options_of(context, command)
        words = dict(re.findall(r"^ +(\S+)\) options='([^']*)'", texts["bash"], re.MULTILINE))
        context.check(set(words.get(command, "").split()) == known, f"bash: options of {command}", words.get(command))
        part = re.search(rf"^  {re.escape(command)}\)\n(.*?);;", texts["zsh"], re.MULTILINE | re.DOTALL)
        listed = set(re.findall(r"'(--[a-z-]+)[=\[]", part.group(1))) if part else set()
        context.check(listed == known, f"zsh: options of {command}: {listed ^ known}")
        listed = {f"--{name}" for name in
                  re.findall(rf"^complete -c ravel -n '__fish_seen_subcommand_from {re.escape(command)}' -l (\S+)", texts["fish"], re.MULTILINE)}
        context.check(listed == known, f"fish: options of {command}: {listed ^ known}")

    (context.folder / "a_program").write_text("")
    table = [("ravel ru", "run "), ("ravel run --itera", "--iterations "), ("ravel run --points sha", "shared "),
             ("ravel run --detect avio,data-r", "avio,data-race"), ("ravel verify-fix --preem", "--preemptions "),
             ("ravel run --seed 4 a_pro", "a_program "), ("ravel completion zs", "zsh ")]
    for keys, wanted in table:
        shown = typed(["bash", "--norc", "--noprofile", "-i"], "source ravel.bash", keys + "\t", wanted, context.folder)
        context.check(wanted in shown, f"bash: `{keys}' and the tabulator do not give `{wanted}'", repr(shown))
        if "," in keys:
            continue
        setup = "autoload -U compinit && compinit -u -D && source ./ravel.zsh"
        shown = typed(["zsh", "-f", "-i"], setup, keys + "\t", wanted.strip(), context.folder)
        context.check(wanted.strip() in shown, f"zsh: `{keys}' and the tabulator do not give `{wanted}'", repr(shown))
    shown = typed(["bash", "--norc", "--noprofile", "-i"], "source ravel.bash", "ravel run --points=sha\t", "=shared", context.folder)
    context.check("=shared" in shown, "bash: --points=sha is not completed", repr(shown))
    for keys, wanted in [*table[:3], *table[4:]]:
        done = context.command(["fish", "--no-config", "-c", f"source ravel.fish; complete -C '{keys}'"])
        offered = [line.split("\t")[0] for line in done.out.splitlines()]
        context.check(wanted.split()[0] in offered, f"fish: `{keys}' does not offer `{wanted}'", done)


def sources(context: harness.Context) -> None:
    """Command line above RAVEL_OPTIONS above ravel.toml above the default; mistakes are one line with their place."""
    inner = context.folder / "project/inner"
    inner.mkdir(parents=True)
    config = inner.parent / "ravel.toml"

    def value_of(name: str, *words, variable: str | None = None, cwd=inner) -> tuple[str, str]:
        env = dict(os.environ, **({"RAVEL_OPTIONS": variable} if variable is not None else {}))
        done = context.tool("run", "--show-config", *words, cwd=cwd, env=env)
        context.check(done.code == 0, f"--show-config {words}", done)
        found = re.search(rf"^{name} +(default|command line|RAVEL_OPTIONS|\S+:\d+) +(.*)$", done.out, re.MULTILINE)
        return (found.group(1), found.group(2)) if found else ("", done.out)

    config.write_text("# options of the project\n[run]\nseed = 3\nkeep-going = true\n"
                      'points = "all"\nsuppressions = "known.txt"\nfaults = ["eintr", "eagain"]\nmax_steps = 500\n\n[replay]\ntimes = 2\n')
    above = f"{config}:3"
    for name, words, variable, wanted in [
        ("jobs", [], None, ("default", "1")),
        ("seed", [], None, (above, "3")),
        ("seed", [], "seed=7", ("RAVEL_OPTIONS", "7")),
        ("seed", ["--seed", "9"], "seed=7", ("command line", "9")),
        ("seed", ["--seed", "9"], None, ("command line", "9")),
        ("seed", ["--no-config"], "seed=7", ("default", "1")),
        ("keep-going", [], None, (f"{config}:4", "on")),
        ("keep-going", [], "keep_going=0", ("RAVEL_OPTIONS", "off")),
        ("keep-going", ["--keep-going=false"], "keep-going", ("command line", "off")),
        ("suppressions", [], None, (f"{config}:6", str(config.parent / "known.txt"))),
        ("faults", [], "faults=alloc", ("RAVEL_OPTIONS", "alloc")),
        ("max-steps", [], None, (f"{config}:8", "500")),
        ("strategy", [], 'times=4:strategy=pct,depth=2:output="a:b"', ("RAVEL_OPTIONS", "pct,depth=2")),
        ("output", [], 'times=4:strategy=pct,depth=2:output="a:b"', ("RAVEL_OPTIONS", "a:b")),
    ]:
        got = value_of(name, *words, variable=variable)
        context.check(got == wanted, f"{name} with {words}, RAVEL_OPTIONS={variable}: {got}, not {wanted}")
    context.check(value_of("seed", cwd=config.parent) == ("ravel.toml:3", "3"), "the file of the present folder has its short name")
    other = context.folder / "other.toml"
    other.write_text("[run]\nseed = 11\n")
    context.check(value_of("seed", "--config", other) == (f"{other}:2", "11"), "--config names another file")

    # What is shown is what is done.
    program = context.build(context.sources / "corpus/core/two_stage.cpp", name="two_stage-fixed", defines=("FIXED",))
    if program is not None:
        config.write_text("[run]\nseed = 3\niterations = 40\nstrategy = \"random\"\n")
        env = dict(os.environ, RAVEL_OPTIONS="iterations=30")
        for words, executions in (([], 30), (["--iterations", 20], 20)):
            listed = context.folder / "shown.json"
            done = context.tool("run", "--json", listed, "--color", "never", *words, program, cwd=inner, env=env)
            report = harness.read_json(listed)
            told = (report.get("seed"), report.get("strategy"), report.get("executions"))
            context.check(told == (3, "random", executions), f"a run with {words}: {told}", done)

    for what, text, words in [
        ("unknown key", "[run]\n\nitreations = 5\n", r"ravel\.toml:3: itreations; did you mean `iterations'"),
        ("unknown key of another command", "[run]\nseed = 1\n[replay]\ntims = 5\n", r"ravel\.toml:4: tims; did you mean `times'"),
        ("unknown section", "\n[replays]\n", r"ravel\.toml:2: \[replays\]; did you mean `replay'"),
        ("outside of a section", "seed = 1\n", r"ravel\.toml:1: seed; .*\[run\]"),
        ("wrong type of a number", "[run]\nseed = true\n", r"ravel\.toml:2: seed: an integer is expected, not a boolean"),
        ("wrong type of a flag", "[run]\nverify = \"yes\"\n", r"ravel\.toml:2: verify: true or false is expected, not a string"),
        ("wrong type of a name", "[run]\npoints = 3\n", r"ravel\.toml:2: points: a string is expected, not an integer"),
        ("wrong type in a list", "[run]\ndetect = [\"avio\", 3]\n", r"ravel\.toml:2: detect: .*an integer"),
        ("bad value", "[run]\nseed = 1\npoints = \"sharde\"\n", r"ravel\.toml:3: points = sharde: one of .*shared"),
        ("not TOML", "[run]\nseed = 1\niterations =\n", r"ravel\.toml:3: "),
        ("twice", "[run]\nseed = 1\nseed = 2\n", r"ravel\.toml:3: "),
        ("words for gdb", "[replay]\ngdb-args = \"x\"\n", r"only on the command line.*ravel\.toml:2: gdb-args"),
    ]:
        config.write_text(text)
        one_line(context, f"ravel.toml, {what}", context.tool("run", "./program", cwd=inner), words)
    config.unlink()
    for what, text, words in [
        ("unknown name", "seed=1:itertions=4", "RAVEL_OPTIONS: itertions; did you mean `iterations'"),
        ("bad value", "seed=many", "RAVEL_OPTIONS: seed = many: not a number"),
        ("no value", "seed", "RAVEL_OPTIONS: seed; NAME=VALUE"),
    ]:
        env = dict(os.environ, RAVEL_OPTIONS=text)
        one_line(context, f"RAVEL_OPTIONS, {what}", context.tool("run", "./program", cwd=inner, env=env), words)
    one_line(context, "no such --config", context.tool("run", "--config", "absent.toml", "./program"), "absent.toml")
    done = context.tool("replay", "absent.plan", env=dict(os.environ, RAVEL_OPTIONS="iterations=4"))
    one_line(context, "an option of another command is passed by", done, "absent.plan")
    done = context.tool("run", "./program", env=dict(os.environ, RAVEL_OPTIONS="help=1"))
    context.check(done.code == 0 and "--iterations" in done.out, "help=1", done)
