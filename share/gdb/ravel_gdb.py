# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# gdb and virtual threads. All threads of a program under Ravel are fibers on one OS thread, so gdb sees one thread; these
# commands show the others:
#
#   ravel threads      list the virtual threads
#   ravel thread N     look at thread N: registers are set to where it is parked, `bt`, `up`, `info locals` work
#   ravel why [N]      why thread N (or each blocked one) cannot go on
#   ravel step [N]     go on to the next (N-th next) visible operation
#   ravel step-back [N]  go back by one (by N): the program is run again up to there
#   ravel goto N       the state before event N, forwards or backwards
#   ravel switch       go on to the next switch to another thread
#   ravel back         return to the thread that runs (done by itself before the program goes on)
#   ravel-start        run the program to the point the replay was asked to stop at (done by `ravel replay --gdb`)
#
# What the runtime offers (symbols of libravel_rt.so):
#   ravel_gdb_threads        table of { unsigned index; unsigned state; unsigned long rsp; unsigned long fs_base;
#                            char name[32]; unsigned long object; unsigned holder; unsigned spinning;
#                            char wants[32]; unsigned role; } ordered by index
#   ravel_gdb_thread_count   entries in use (unsigned)
#   ravel_gdb_current        index of the thread that runs (unsigned)
#   ravel_gdb_control        three addresses of words: how many events have happened; stop when so many have (written here);
#                            0 is written to the third when the second changes.
#   ravel_gdb_begin          called before the program's first instruction
#   ravel_switch_resume      label: the program counter of a parked thread; at its rsp lie the saved registers
#   ravel_switch_entered     label: where every switch to another thread comes by
# No function of the program is called: gdb restores all registers after a call, the extended state included, and gdb 13
# cannot write that state on CPUs with AMX.
import gdb

STATES = ["unused", "ready", "running", "blocked", "sleeping", "ended"]
ENDED = 5
NOBODY = 0xFFFFFFFF
# By HolderRole of the runtime.
HOLDERS = [", held by T%d", ", behind T%d, which waits to write", ", run by T%d", ", which T%d could end"]
SAVED = ["rsp", "rip", "fs_base"]
MOST_FRAMES = 64


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
        self.object = int(entry["object"])
        self.holder = int(entry["holder"])
        self.spinning = int(entry["spinning"])
        self.wants = entry["wants"].string(errors="replace")
        self.role = int(entry["role"])

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


def is_runtime(frame):
    return "libravel_rt" in (gdb.solib_name(frame.pc()) or "")


def select_program_frame():
    """The innermost frame that is neither the runtime's nor the C++ library's; else the innermost."""
    frame = gdb.newest_frame()
    while frame is not None:
        table = frame.find_sal().symtab
        if table is not None and not is_runtime(frame) and not table.filename.startswith("/usr/"):
            frame.select()
            gdb.execute("frame")
            return
        frame = frame.older()
    gdb.execute("frame 0")


class HideRuntime:
    """Backtraces begin at the program's own call: the frames of the runtime inside it are left out."""

    def __init__(self):
        self.name = "ravel"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (one for one in frames if not is_runtime(one.inferior_frame()))


def member_path(kind, offset):
    """".mutex_" for the place `offset` bytes into a value of that type; what is inside library types has no name."""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        element = kind.target()
        size = element.strip_typedefs().sizeof
        return "[%d]%s" % (offset // size, member_path(element, offset % size)) if size else ""
    if kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return ""
    for field in kind.fields():
        if not hasattr(field, "bitpos") or field.type is None:
            continue  # static
        begin = field.bitpos // 8
        if not begin <= offset < begin + field.type.strip_typedefs().sizeof:
            continue
        if field.is_base_class or not field.name:
            return member_path(field.type, offset - begin)
        if field.name.startswith("__") or (field.name.startswith("_") and field.name[1:2].isupper()):
            return ""
        return "." + field.name + member_path(field.type, offset - begin)
    return ""


def variables_of(frame):
    """Names and values of the variables that are in scope there."""
    try:
        block = frame.block()
    except RuntimeError:
        return
    while block is not None and not (block.is_global or block.is_static):
        for one in block:
            if one.is_variable or one.is_argument:
                try:
                    yield one.name, one.value(frame)
                except (gdb.error, RuntimeError):
                    continue  # optimised away
        block = block.superblock


def name_in_frame(frame, address):
    """The variable that the address is part of, or the member of an object that the frame has a pointer to."""
    by_pointer = None
    for name, value in variables_of(frame):
        kind = value.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_PTR and by_pointer is None and not value.is_optimized_out:
            target = kind.target().strip_typedefs()
            inside = address - int(value)
            if target.code == gdb.TYPE_CODE_STRUCT and 0 <= inside < target.sizeof:
                member = member_path(target, inside)
                by_pointer = "%s::%s" % (target.unqualified().name, member[1:]) if member else None
        if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF) or value.address is None:
            continue
        inside = address - int(value.address)
        if 0 <= inside < kind.sizeof:
            return "local '%s%s'" % (name, member_path(kind, inside)), True
    return by_pointer, False


def object_name(thread, address):
    """As reports call it: a global with its member, a local variable of a thread, a member of a heap object."""
    text = gdb.execute("info symbol %d" % address, to_string=True).strip()
    if not text.startswith("No symbol"):
        name, _, rest = text.split(" in section")[0].partition(" + ")
        try:
            return name + member_path(gdb.parse_and_eval("'%s'" % name.replace("'", "")).type, int(rest or 0))
        except (gdb.error, ValueError):
            return name if not rest else "%s+%s" % (name, rest)
    saved, shown = gdb.selected_frame(), None
    by_pointer = None
    for other in [thread] + [one for one in all_threads() if one.index != thread.index]:
        if other.index == current_index():
            Registers.back()
        elif other.rsp == 0 or other.state == ENDED:
            continue
        else:
            Registers.look_at(other)
        frame = gdb.newest_frame()
        for _ in range(MOST_FRAMES):
            if frame is None or shown is not None:
                break
            if not is_runtime(frame):
                name, local = name_in_frame(frame, address)
                if local:
                    shown = "%s of T%d" % (name, other.index)
                elif by_pointer is None and other.index == thread.index:
                    by_pointer = name
            frame = frame.older()
        if shown is not None:
            break
    Registers.back()
    if saved.is_valid():
        saved.select()
    return shown or by_pointer or "0x%x" % address


class RavelCommand(gdb.Command):
    """Virtual threads of a program under Ravel, and its visible operations one by one."""

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
            select_program_frame()
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


def read_word(address):
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 8)), "little")


def write_word(address, value):
    gdb.selected_inferior().write_memory(address, value.to_bytes(8, "little"))


def control():
    """The addresses of the three words of ravel_gdb_control."""
    place = int(symbol("(unsigned long)&ravel_gdb_control"))
    return [read_word(place + 8 * i) for i in range(3)]


def events():
    return read_word(control()[0])


def stop_before(event):
    _, wanted, next_check = control()
    write_word(wanted, event)
    write_word(next_check, 0)


def is_alive():
    return gdb.selected_inferior().pid != 0


def need_program():
    if not is_alive():
        raise gdb.GdbError("ravel: the program is not running: `ravel goto N` starts it again")
    Registers.back()


def number(argument, default):
    text = argument.strip() or str(default)
    if not text.isdigit() or int(text) == 0:
        raise gdb.GdbError("ravel: not a number: %s" % text)
    return int(text)


def show_where():
    """The innermost frame of the program's own code."""
    if not is_alive():
        return
    print("before event %d, T%d runs" % (events() + 1, current_index()))
    select_program_frame()


def run_again(event):
    """From the beginning to the state before `event` happens."""
    first = gdb.Breakpoint("ravel_gdb_begin", temporary=True, internal=True)
    Registers.saved = None
    Registers.shown = None
    gdb.execute("set confirm off", to_string=True)
    gdb.execute("run", to_string=True)
    if first.is_valid():
        first.delete()
    if not is_alive():
        raise gdb.GdbError("ravel: the program ended at once")
    stop_before(event)
    gdb.execute("continue", to_string=True)


class RavelStep(gdb.Command):
    """Go on to the next visible operation, or to the N-th next."""

    def __init__(self):
        super().__init__("ravel step", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        del from_tty
        need_program()
        stop_before(events() + number(argument, 1))
        gdb.execute("continue", to_string=True)
        show_where()


class RavelStepBack(gdb.Command):
    """Go back by one visible operation, or by N: the program is run again up to there."""

    def __init__(self):
        super().__init__("ravel step-back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        del from_tty
        need_program()
        back = number(argument, 1)
        here = events()
        if back >= here:
            raise gdb.GdbError("ravel: only %d events have happened" % here)
        run_again(here - back)
        show_where()


class RavelGoto(gdb.Command):
    """The state before event N, forwards or backwards."""

    def __init__(self):
        super().__init__("ravel goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        del from_tty
        wanted = number(argument, 0) - 1
        if wanted == 0:
            raise gdb.GdbError("ravel: the first event that can be stopped before is 2")
        if is_alive() and events() < wanted:
            Registers.back()
            stop_before(wanted)
            gdb.execute("continue", to_string=True)
        else:
            run_again(wanted)
        show_where()


class RavelSwitch(gdb.Command):
    """Go on to the next switch to another thread."""

    def __init__(self):
        super().__init__("ravel switch", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        del argument, from_tty
        need_program()
        place = int(gdb.parse_and_eval("(unsigned long)&ravel_switch_entered"))
        gdb.Breakpoint("*%d" % place, temporary=True, internal=True)
        gdb.execute("continue", to_string=True)
        show_where()


class RavelWhy(gdb.Command):
    """Why thread N cannot go on; without N: each that cannot."""

    def __init__(self):
        super().__init__("ravel why", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        del from_tty
        text = argument.strip().lstrip("T")
        if text and not text.isdigit():
            raise gdb.GdbError("ravel: which thread? `ravel threads` lists them")
        wanted = [t for t in all_threads() if (t.index == int(text) if text else t.state_name() == "blocked")]
        if text and not wanted:
            raise gdb.GdbError("ravel: there is no thread T%s" % text)
        if not wanted:
            print("no thread is blocked")
        for thread in wanted:
            print(self.reason(thread))

    @staticmethod
    def reason(thread):
        if thread.index == current_index() or thread.state_name() != "blocked":
            return "T%d is not blocked: its next operation is `%s'" % (thread.index, thread.wants)
        line = "T%d waits in `%s'" % (thread.index, thread.wants)
        if thread.object:
            line += " for %s" % object_name(thread, thread.object)
        if thread.holder != NOBODY:
            line += HOLDERS[thread.role] % thread.holder
        if thread.spinning:
            line += ", by reading the same value again and again"
        return line


class RavelPrepare(gdb.Command):
    """What a replay needs of gdb; `run` comes from elsewhere."""

    def __init__(self):
        super().__init__("ravel-prepare", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        del argument, from_tty
        gdb.execute("set pagination off", to_string=True)
        gdb.execute("set startup-with-shell off", to_string=True)
        gdb.execute("set disable-randomization on", to_string=True)
        # The runtime switches stacks; gdb must not take that for a stepped-over call.
        gdb.execute("handle SIGTRAP stop print nopass", to_string=True)


class RavelStart(gdb.Command):
    """Run the replay to the point it was asked to stop at."""

    def __init__(self):
        super().__init__("ravel-start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        del argument, from_tty
        gdb.execute("ravel-prepare", to_string=True)
        gdb.execute("run")
        print("`help ravel` lists the commands. Type `ravel threads` for the virtual threads, `ravel thread N` to look at one.")


RavelCommand()
RavelThreads()
RavelThread()
RavelBack()
RavelStep()
RavelStepBack()
RavelGoto()
RavelSwitch()
RavelWhy()
RavelPrepare()
RavelStart()
HideRuntime()
# The program must go on with its own registers.
for command in ["continue", "step", "stepi", "next", "nexti", "finish", "until", "advance", "call", "detach"]:
    gdb.execute("define hook-%s\nravel back quietly\nend" % command)
