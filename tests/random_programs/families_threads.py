# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Threads that come and go in the middle, thread-local state, the heap, exceptions, choices, the end of the process."""
from __future__ import annotations

from maker import Maker
from model import MAIN, Op, Thing

THINGS = (
    Thing("child", "void* child(void* v) { x.fetch_add((long)v); return nullptr; }", needs=("x",)),
    Thing("child_twice", "void* child_twice(void* v) { x.fetch_add((long)v); o(\"child\", x.fetch_add(1)); return nullptr; }", needs=("x",)),
    Thing("swap_child", "void* swap_child(void* a) { int e = 0; auto* p = static_cast<std::atomic<int>*>(a); p->compare_exchange_strong(e, 5); return nullptr; }"),
    Thing("c_child", "int c_child(void* v) { x.fetch_add((long)v); return 4; }", needs=("x",)),
    Thing("own", "thread_local int own;"),
    Thing("Leaver", "struct Leaver { int on = 0; ~Leaver() { if (on) x.fetch_add(on); } };", needs=("x",)),
    Thing("leaver", "thread_local Leaver leaver;", needs=("Leaver", "x")),
    Thing("leave_key", "pthread_key_t leave_key;", "pthread_key_create(&leave_key, [](void* v) { x.fetch_add((long)v); });", needs=("x",)),
    Thing("box", "std::atomic<int*> box;"),
    Thing("atomic_box", "std::atomic<std::atomic<int>*> atomic_box;"),
    Thing("held", "std::shared_ptr<int> held;"),
    Thing("held_lock", "std::mutex held_lock;"),
)


def create(maker: Maker) -> Op:
    """Threads that an operation makes and waits for, or does not."""
    value, code, label = maker.value(), maker.access()[0], maker.label()
    begin = f"pthread_t n; pthread_create(&n, nullptr, child, (void*)long({value}));"
    return Op("create", maker.pick([
        f"{{ {begin} {code} pthread_join(n, nullptr); }} {maker.access()[0]}",
        f"{{ std::jthread n([] {{ x.fetch_add({value}); }}); {code} }}",
        f"{{ thrd_t n; int r = 0; thrd_create(&n, c_child, (void*)long({value})); {code} thrd_join(n, &r); o(\"{label}\", r); }}",
        f"for (int i = 0; i < 2; ++i) {{ std::atomic<int> a{{i}}; pthread_t n; pthread_create(&n, nullptr, swap_child, &a); int e = i; "
        f"bool k = a.compare_exchange_strong(e, 7); pthread_join(n, nullptr); o(i == 0 ? \"{label}\" : \"{label}b\", k * 10 + a.load()); }}",
    ]))


def detach(maker: Maker) -> Op:
    value, code = maker.value(), maker.access()[0]
    function = maker.pick(["child", "child", "child_twice"])
    return Op("detach", f"{{ pthread_t n; pthread_create(&n, nullptr, {function}, (void*)long({value})); pthread_detach(n); {code} }}")


def early_end(maker: Maker) -> Op:
    """Main joins, tries to join or detaches a worker before the end; workers end in the middle."""
    code, label = maker.access()[0], maker.label()
    if maker.thread == MAIN:
        maker.ended_early = True
        maker.handles = True
        n = maker.pick(range(1, maker.workers + 1))
        return Op("early-end", maker.pick([
            f"if (!j{n}) {{ int r = pthread_tryjoin_np(h{n}, nullptr); o(\"{label}\", r); j{n} = r == 0; }} {code}",
            f"if (!j{n}) {{ int r = pthread_tryjoin_np(h{n}, nullptr); o(\"{label}\", r); j{n} = r == 0; }} {code}",
            f"if (!j{n}) {{ pthread_detach(h{n}); j{n} = true; }} {code}",
            f"if (!j{n}) {{ pthread_join(h{n}, nullptr); j{n} = true; }} {code}",
        ]))
    if maker.last and maker.random.random() < 0.4:
        return Op("early-end", f"{code} pthread_exit((void*)long({maker.value()}));", last=True)
    return Op("early-end", maker.pick([code, "if (x.load() == 0) return nullptr;", "sched_yield();"]))


def timed_join(maker: Maker) -> Op:
    code, label = maker.access()[0], maker.label()
    if maker.thread != MAIN:
        return Op("timed", code)
    maker.ended_early = True
    maker.handles = True
    n = maker.pick(range(1, maker.workers + 1))
    return Op("timed", f"if (!j{n}) {{ timespec t = soon(); int r = pthread_timedjoin_np(h{n}, nullptr, &t); o(\"{label}\", r); j{n} = r == 0; }} {code}")


def thread_local(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    return Op("thread-local", maker.pick([
        f"o(\"{label}\", own++); {maker.access()[0]}", f"leaver.on = {value};", f"pthread_setspecific(leave_key, (void*)long({value}));",
    ]))


def heap(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    give = f"{{ int* p = new int({value}); p = box.exchange(p); if (p) {{ o(\"{label}\", *p); delete p; }} }}"
    take = f"{{ int* p = box.exchange(nullptr); o(\"{label}\", p ? *p : -1); delete p; }}"
    give_atomic = f"delete atomic_box.exchange(new std::atomic<int>({value % 2}));"
    take_atomic = (f"{{ auto* p = atomic_box.exchange(nullptr); int e = 1; if (p) {{ bool k = p->compare_exchange_strong(e, 9); o(\"{label}\", k * 10 + e); "
                   f"delete atomic_box.exchange(p); }} }}")
    share = f"{{ std::shared_ptr<int> p; {{ std::lock_guard g(held_lock); p = held; }} o(\"{label}\", p ? *p : -1); }}"
    replace = f"{{ auto p = std::make_shared<int>({value}); std::lock_guard g(held_lock); held.swap(p); }}"
    reuse = (f"for (int i = 0; i < 2; ++i) {{ std::unique_ptr<int> p(new int(i)); *p += int(x.load()); "
             f"o(i == 0 ? \"{label}\" : \"{label}b\", *p); }}")
    return Op("heap", maker.pick([give, take, give_atomic, take_atomic, share, replace, reuse]))


def exceptions(maker: Maker) -> Op:
    label, value, code = maker.label(), maker.value(), maker.access()[0]
    return Op("exception", maker.pick([
        f"try {{ if (x.fetch_add({value}) == 0) throw {value}; {code} }} catch (int e) {{ o(\"{label}\", e); }}",
        f"try {{ std::lock_guard g(held_lock); if (x.load() > {value}) throw long({value}); {code} }} catch (long e) {{ o(\"{label}\", e); }}",
        f"{{ std::exception_ptr p; try {{ {code} throw {value}; }} catch (int) {{ p = std::current_exception(); }} "
        f"try {{ std::rethrow_exception(p); }} catch (int e) {{ o(\"{label}\", e + long(x.load())); }} }}",
    ]))


def choices(maker: Maker) -> Op:
    label, number = maker.label(), maker.pick([2, 2, 3])
    parts = [maker.access() for _ in range(number)]
    branches = " else ".join(f"if (c == {i}) {{ {code} }}" for i, (code, _) in enumerate(parts))
    return Op("choose", f"{{ unsigned c = ravel::choose({number}); o(\"{label}\", c); {branches} }}",
              (("choose", number, label, tuple(steps for _, steps in parts)),))


def process_end(maker: Maker) -> Op:
    """Whoever ends the process takes all others along."""
    code = maker.access()[0]
    if maker.last and maker.thread != MAIN and maker.random.random() < 0.3:
        return Op("process-end", maker.pick(["exit(0);", "_exit(0);", "quick_exit(0);"]), last=True)
    return Op("process-end", code)


FAMILIES = {
    "create": create, "detach": detach, "early-end": early_end, "timed-join": timed_join, "thread-local": thread_local, "heap": heap,
    "exception": exceptions, "choose": choices, "process-end": process_end,
}
