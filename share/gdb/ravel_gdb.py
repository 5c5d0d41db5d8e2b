# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# gdb and virtual threads. All threads of a program under Ravel are fibers on one OS thread, so gdb sees one thread; these
# commands show the others:
#
#   ravel threads      list the virtual threads
#   ravel thread N     look at thread N: registers are set to where it is parked, `bt`, `up`, `info locals` work
#   ravel back         return to the thread that runs (done by itself before the program goes on)
#   ravel-start        run the program to the point the replay was asked to stop at (done by `ravel replay --gdb`)
#
# What the runtime offers (symbols of libravel_rt.so):
#   ravel_gdb_threads        table of { unsigned index; unsigned state; unsigned long rsp; unsigned long fs_base;
#                            char name[32]; } ordered by index
#   ravel_gdb_thread_count   entries in use (unsigned)
#   ravel_gdb_current        index of the thread that runs (unsigned)
#   ravel_switch_resume      label: the program counter of a parked thread; at its rsp lie the saved registers
import gdb

STATES = ["unused", "ready", "running", "blocked", "sleeping", "ended"]
ENDED = 5
SAVED = ["rsp", "rip", "fs_base"]


def symbol(name):
    try:
        return gdb.parse_and_eval(name)
    except gdb.error:
        raise gdb.GdbError("ravel: %s not found: is the program linked with libravel_rt.so, and started?" % name)


class Thread:
    def __init__(self, entry):
        self.index = int(entry["index"])
        self.state = int(entry["state"])
        self.rsp = int(entry["rsp"])
        self.fs_base = int(entry["fs_base"])
        self.name = entry["name"].string(errors="replace")

    def state_name(self):
        return STATES[self.state] if self.state < len(STATES) else str(self.state)


def all_threads():
    table = symbol("ravel_gdb_threads")
    count = int(symbol("ravel_gdb_thread_count"))
    return [Thread(table[i]) for i in range(count)]


def current_index():
    return int(symbol("ravel_gdb_current"))


class Registers:
    """The registers of the running thread while another one is looked at."""

    saved = None
    shown = None

    @classmethod
    def look_at(cls, thread):
        gdb.execute("frame 0", to_string=True)
        if cls.saved is None:
            cls.saved = {name: int(gdb.parse_and_eval("$" + name)) for name in SAVED}
        # Innermost first: a debugger that sees a new stack pointer reads the rest from the parked frame.
        gdb.execute("set $fs_base = %d" % thread.fs_base, to_string=True)
        gdb.execute("set $rsp = %d" % thread.rsp, to_string=True)
        gdb.execute("set $rip = (unsigned long)&ravel_switch_resume", to_string=True)
        cls.shown = thread.index

    @classmethod
    def back(cls):
        if cls.saved is None:
            return
        gdb.execute("frame 0", to_string=True)
        for name in SAVED:
            gdb.execute("set $%s = %d" % (name, cls.saved[name]), to_string=True)
        cls.saved = None
        cls.shown = None


class RavelCommand(gdb.Command):
    """Virtual threads of a program under Ravel: `ravel threads`, `ravel thread N`, `ravel back`."""

    def __init__(self):
        super().__init__("ravel", gdb.COMMAND_STACK, prefix=True)


class RavelThreads(gdb.Command):
    """List the virtual threads."""

    def __init__(self):
        super().__init__("ravel threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        del argument, from_tty
        running = current_index()
        shown = running if Registers.shown is None else Registers.shown
        for thread in all_threads():
            mark = "*" if thread.index == shown else " "
            state = "running" if thread.index == running else thread.state_name()
            print("%s T%-4d %-9s %s" % (mark, thread.index, state, thread.name))


class RavelThread(gdb.Command):
    """Look at virtual thread N: `ravel thread N`, then `bt`. `ravel back` before going on."""

    def __init__(self):
        super().__init__("ravel thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        del from_tty
        text = argument.strip().lstrip("T")
        if not text.isdigit():
            raise gdb.GdbError("ravel: which thread? `ravel threads` lists them")
        wanted = int(text)
        if wanted == current_index():
            Registers.back()
            gdb.execute("frame 0")
            return
        for thread in all_threads():
            if thread.index != wanted:
                continue
            if thread.state == ENDED or thread.rsp == 0:
                raise gdb.GdbError("ravel: T%d has no stack: it is %s" % (wanted, thread.state_name()))
            Registers.look_at(thread)
            gdb.execute("frame")
            return
        raise gdb.GdbError("ravel: there is no thread T%d" % wanted)


class RavelBack(gdb.Command):
    """Return to the thread that runs."""

    def __init__(self):
        super().__init__("ravel back", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        del from_tty
        Registers.back()
        if argument.strip() != "quietly":
            gdb.execute("frame 0")


class RavelStart(gdb.Command):
    """Run the replay to the point it was asked to stop at."""

    def __init__(self):
        super().__init__("ravel-start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        del argument, from_tty
        gdb.execute("set pagination off", to_string=True)
        gdb.execute("set startup-with-shell off", to_string=True)
        gdb.execute("set disable-randomization on", to_string=True)
        # The runtime switches stacks; gdb must not take that for a stepped-over call.
        gdb.execute("handle SIGTRAP stop print nopass", to_string=True)
        gdb.execute("run")
        print("Type `ravel threads` for the virtual threads, `ravel thread N` to look at one.")


RavelCommand()
RavelThreads()
RavelThread()
RavelBack()
RavelStart()
# The program must go on with its own registers.
for command in ["continue", "step", "stepi", "next", "nexti", "finish", "until", "advance", "call", "detach"]:
    gdb.execute("define hook-%s\nravel back quietly\nend" % command)
