# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Semaphores, condition variables, barriers, latches, once, statics, futures, atomic waits, time."""
from __future__ import annotations

from maker import Maker
from model import Op, Thing

THINGS = (
    Thing("permits", "sem_t permits;", "sem_init(&permits, 0, 1);", kind="semaphore", value=1),
    Thing("empty", "sem_t empty;", "sem_init(&empty, 0, 0);", kind="semaphore", value=0),
    Thing("tokens", "std::counting_semaphore<4> tokens{1};"),
    Thing("guard", "pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;"),
    Thing("changed", "pthread_cond_t changed = PTHREAD_COND_INITIALIZER;"),
    Thing("ready", "int ready;"),
    Thing("meeting", "pthread_barrier_t meeting;", "pthread_barrier_init(&meeting, nullptr, 2);"),
    Thing("gate", "std::latch gate{2};"),
    Thing("phase", "std::barrier<> phase{2};"),
    Thing("control", "pthread_once_t control = PTHREAD_ONCE_INIT;"),
    Thing("first_time", "void first_time() { x.fetch_add(1); }", needs=("x",)),
    Thing("once_flag", "std::once_flag once_flag;"),
    Thing("attempts", "int attempts;"),
    Thing("made", "long made() { static const long value = long(x.fetch_add(1)) + 10; return value; }", needs=("x",)),
    Thing("made_late", "long made_late() { static const long value = [] { long v = x.load(); if (v == 0) throw 5; return v; }(); return value; }",
          needs=("x",)),
    Thing("promise", "std::promise<int> promise;"),
    Thing("result", "std::shared_future<int> result;", "result = promise.get_future().share();", needs=("promise",)),
)


def semaphore(maker: Maker) -> Op:
    label, name = maker.label(), maker.pick(["permits", "empty"])
    return maker.pick([
        Op("semaphore", f"sem_wait(&{name});", (("wait", name),)),
        Op("semaphore", f"sem_post(&{name});", (("post", name),)),
        Op("semaphore", f"sem_post(&{name});", (("post", name),)),
        Op("semaphore", f"o(\"{label}\", sem_trywait(&{name}) == 0);", (("trywait", name, label),)),
    ])


def semaphore_value(maker: Maker) -> Op:
    label, name = maker.label(), maker.pick(["permits", "empty"])
    if maker.random.random() < 0.5:
        return semaphore(maker)
    return Op("semaphore-value", f"{{ int v; sem_getvalue(&{name}, &v); o(\"{label}\", v); }}", (("load", name, label),))


def semaphore_timed(maker: Maker) -> Op:
    label, name = maker.label(), maker.pick(["permits", "empty"])
    return maker.pick([
        Op("timed", f"{{ timespec t = soon(); o(\"{label}\", sem_timedwait(&{name}, &t) == 0 ? 0 : errno); }}"),
        Op("timed", f"{{ timespec t = soon(CLOCK_MONOTONIC); o(\"{label}\", sem_clockwait(&{name}, CLOCK_MONOTONIC, &t) == 0 ? 0 : errno); }}"),
        Op("timed", f"sem_post(&{name});"),
    ])


def standard_semaphore(maker: Maker) -> Op:
    label = maker.label()
    if maker.once("tokens.release", 3):
        return Op("std-semaphore", "tokens.release();")
    return Op("std-semaphore", maker.pick(["tokens.acquire();", f"o(\"{label}\", tokens.try_acquire());"]))


def condition(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    lock, unlock = "pthread_mutex_lock(&guard);", "pthread_mutex_unlock(&guard);"
    return Op("condition", maker.pick([
        f"{lock} while (ready == 0) pthread_cond_wait(&changed, &guard); o(\"{label}\", ready); {unlock}",
        f"{lock} if (ready == 0) pthread_cond_wait(&changed, &guard); o(\"{label}\", ready); {unlock}",
        f"{lock} ready = {value}; pthread_cond_signal(&changed); {unlock}",
        f"{lock} ready = {value}; {unlock} pthread_cond_broadcast(&changed);",
        "pthread_cond_signal(&changed);",
        "pthread_cond_broadcast(&changed);",
    ]))


def condition_timed(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    lock, unlock = "pthread_mutex_lock(&guard);", "pthread_mutex_unlock(&guard);"
    return Op("timed", maker.pick([
        f"{lock} {{ timespec t = soon(); int r = ready; if (r == 0) r = pthread_cond_timedwait(&changed, &guard, &t); o(\"{label}\", r * 10 + ready); }} {unlock}",
        f"{lock} ready = {value}; pthread_cond_signal(&changed); {unlock}",
    ]))


def barrier(maker: Maker) -> Op:
    label = maker.label()
    choices = [f"o(\"{label}\", pthread_barrier_wait(&meeting));", "phase.arrive_and_wait();"]
    if maker.once("gate", 2):
        choices += ["gate.count_down();", "gate.arrive_and_wait();"]
    else:
        choices += ["gate.wait();", f"o(\"{label}\", gate.try_wait());"]
    return Op("barrier", maker.pick(choices))


def once(maker: Maker) -> Op:
    label = maker.label()
    return Op("once", maker.pick([
        f"pthread_once(&control, first_time); {maker.access()[0]}",
        f"std::call_once(once_flag, [] {{ x.fetch_add(2); }}); o(\"{label}\", x.load());",
    ]))


def throwing_once(maker: Maker) -> Op:
    label = maker.label()
    return Op("throwing-once", f"try {{ std::call_once(once_flag, [] {{ if (attempts++ == 0) throw 3; x.fetch_add(2); }}); o(\"{label}\", x.load()); }} "
                               f"catch (int e) {{ o(\"{label}\", -e); }}")


def statics(maker: Maker) -> Op:
    return Op("static", f"o(\"{maker.label()}\", made());")


def throwing_static(maker: Maker) -> Op:
    label = maker.label()
    return Op("throwing-static", f"try {{ o(\"{label}\", made_late()); }} catch (int e) {{ o(\"{label}\", -e); }}")


def future(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    return Op("future", maker.pick([
        f"try {{ promise.set_value({value}); o(\"{label}\", 1); }} catch (const std::future_error&) {{ o(\"{label}\", 0); }}",
        f"{{ auto mine = result; o(\"{label}\", mine.get()); }}",
        f"{{ auto f = std::async(std::launch::async, [] {{ return long(x.fetch_add({value})); }}); {maker.access()[0]} o(\"{label}\", f.get()); }}",
        f"{{ auto f = std::async(std::launch::async, [] {{ if (x.fetch_add(1) == 0) throw {value}; return 0; }}); "
        f"try {{ o(\"{label}\", f.get()); }} catch (int e) {{ o(\"{label}\", -e); }} }}",
    ]))


def atomic_wait(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    return Op("atomic-wait", maker.pick([
        f"x.wait(0); o(\"{label}\", x.load());", f"x.store({value}); x.notify_one();", f"x.fetch_add({value}); x.notify_all();",
    ]))


def polling(maker: Maker) -> Op:
    """Loops that give up."""
    label, times = maker.label(), maker.pick([2, 3, 5])
    wait = maker.pick(["", "sched_yield();", "std::this_thread::yield();"])
    return Op("polling", f"{{ int i = 0; while (i < {times} && x.load() == 0) {{ ++i; {wait} }} o(\"{label}\", i); }}",
              (("poll", "x", times, label, 0),))


def time(maker: Maker) -> Op:
    label, code = maker.label(), maker.inside()[0]
    return Op("time", maker.pick([
        f"usleep(100); {code}",
        f"std::this_thread::sleep_for(std::chrono::milliseconds(1)); {code}",
        f"{{ timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); usleep(5); clock_gettime(CLOCK_MONOTONIC, &b); "
        f"o(\"{label}\", b.tv_sec > a.tv_sec || b.tv_nsec >= a.tv_nsec + 5000); }} {code}",
    ]))


FAMILIES = {
    "semaphore": semaphore, "semaphore-value": semaphore_value, "semaphore-timed": semaphore_timed, "std-semaphore": standard_semaphore,
    "condition": condition, "condition-timed": condition_timed, "barrier": barrier, "once": once, "throwing-once": throwing_once, "static": statics,
    "throwing-static": throwing_static, "future": future, "atomic-wait": atomic_wait, "polling": polling, "time": time,
}
