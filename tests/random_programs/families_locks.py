# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Memory, mutexes of all kinds, reader-writer locks, spin locks. Each function makes one operation of its family."""
from __future__ import annotations

from maker import Maker
from model import Op, Thing


def made_with(attribute: str) -> str:
    return f"{{ pthread_mutexattr_t t; pthread_mutexattr_init(&t); {attribute}; pthread_mutex_init(&@, &t); }}"


def mutex(name: str, attribute: str) -> Thing:
    return Thing(name, f"pthread_mutex_t {name};", made_with(attribute).replace("@", name))


def lock_of_kind(name: str, kind: str) -> Thing:
    return Thing(name, f"pthread_rwlock_t {name};",
                 f"{{ pthread_rwlockattr_t t; pthread_rwlockattr_init(&t); pthread_rwlockattr_setkind_np(&t, {kind}); pthread_rwlock_init(&{name}, &t); }}")


THINGS = (
    Thing("mutex", "pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;", kind="mutex"),
    Thing("second", "std::mutex second;", kind="mutex"),
    mutex("checked", "pthread_mutexattr_settype(&t, PTHREAD_MUTEX_ERRORCHECK)"),
    mutex("recursive", "pthread_mutexattr_settype(&t, PTHREAD_MUTEX_RECURSIVE)"),
    mutex("robust", "pthread_mutexattr_setrobust(&t, PTHREAD_MUTEX_ROBUST)"),
    lock_of_kind("readers_first", "PTHREAD_RWLOCK_PREFER_READER_NP"),
    lock_of_kind("writers_first", "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP"),
    Thing("shared", "std::shared_mutex shared;"),
    Thing("spin", "pthread_spinlock_t spin;", "pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);"),
)


def memory(maker: Maker) -> Op:
    code, steps = maker.access()
    return Op("memory", code, steps)


def mutex_block(maker: Maker) -> Op:
    code, steps = maker.inside()
    label = maker.label()
    if maker.random.random() < 0.5:
        whole, name, lock, unlock, attempt = "pthread_mutex", "mutex", "pthread_mutex_lock(&mutex);", "pthread_mutex_unlock(&mutex);", "pthread_mutex_trylock(&mutex) == 0"
    else:
        whole, name, lock, unlock, attempt = "std", "second", "second.lock();", "second.unlock();", "second.try_lock()"
    del whole
    if maker.random.random() < 0.35:
        return Op("mutex", f"{{ bool k = {attempt}; o(\"{label}\", k); if (k) {{ {code} {unlock} }} }}",
                  (("try", name, label, steps + (("unlock", name),)),))
    return Op("mutex", f"{lock} {code} {unlock}", (("lock", name), *steps, ("unlock", name)))


def two_locks(maker: Maker) -> Op:
    """Both mutexes, in either order: deadlocks are outcomes too."""
    code, steps = maker.access()
    locks = ["pthread_mutex_lock(&mutex);", "second.lock();"]
    names = ["mutex", "second"]
    if maker.random.random() < 0.5:
        locks.reverse()
        names.reverse()
    return Op("mutex", f"{' '.join(locks)} {code} second.unlock(); pthread_mutex_unlock(&mutex);",
              (("lock", names[0]), ("lock", names[1]), *steps, ("unlock", "second"), ("unlock", "mutex")))


def checked(maker: Maker) -> Op:
    code, _ = maker.inside()
    label, again = maker.label(), maker.label()
    return Op("checked", maker.pick([
        f"o(\"{label}\", pthread_mutex_lock(&checked)); {code} pthread_mutex_unlock(&checked);",
        f"pthread_mutex_lock(&checked); o(\"{again}\", pthread_mutex_lock(&checked)); {code} pthread_mutex_unlock(&checked);",
        f"o(\"{label}\", pthread_mutex_unlock(&checked));",
        f"{{ int r = pthread_mutex_trylock(&checked); o(\"{label}\", r); if (r == 0) {{ {code} pthread_mutex_unlock(&checked); }} }}",
    ]))


def recursive(maker: Maker) -> Op:
    code, _ = maker.inside()
    label = maker.label()
    return Op("recursive", maker.pick([
        f"pthread_mutex_lock(&recursive); pthread_mutex_lock(&recursive); {code} pthread_mutex_unlock(&recursive); {maker.access()[0]} pthread_mutex_unlock(&recursive);",
        f"pthread_mutex_lock(&recursive); o(\"{label}\", pthread_mutex_trylock(&recursive)); {code} pthread_mutex_unlock(&recursive); pthread_mutex_unlock(&recursive);",
        f"{{ int r = pthread_mutex_trylock(&recursive); o(\"{label}\", r); if (r == 0) {{ {code} pthread_mutex_unlock(&recursive); }} }}",
    ]))


def robust(maker: Maker) -> Op:
    code, _ = maker.inside()
    label = maker.label()
    call = maker.pick(["lock", "lock", "trylock"])
    if maker.last and maker.random.random() < 0.6:
        return Op("robust", f"o(\"{label}\", pthread_mutex_{call}(&robust)); {code}", last=True)
    repair = maker.pick(["pthread_mutex_consistent(&robust);", "pthread_mutex_consistent(&robust);", ""])
    return Op("robust", f"{{ int r = pthread_mutex_{call}(&robust); o(\"{label}\", r); if (r == EOWNERDEAD) {{ {repair} }} "
                        f"if (r == 0 || r == EOWNERDEAD) {{ {code} pthread_mutex_unlock(&robust); }} }}")


def timed_lock(maker: Maker) -> Op:
    code, _ = maker.inside()
    label = maker.label()
    call = maker.pick(["pthread_mutex_timedlock(&mutex, &t)", "pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &t)"])
    return Op("timed", f"{{ timespec t = soon(); int r = {call}; o(\"{label}\", r); if (r == 0) {{ {code} pthread_mutex_unlock(&mutex); }} }}")


def rwlock(maker: Maker, name: str, family: str) -> Op:
    code, _ = maker.inside()
    label = maker.label()
    kind = maker.pick(["rd", "rd", "wr"])
    if maker.random.random() < 0.4:
        return Op(family, f"{{ int r = pthread_rwlock_try{kind}lock(&{name}); o(\"{label}\", r); if (r == 0) {{ {code} pthread_rwlock_unlock(&{name}); }} }}")
    if kind == "rd" and maker.random.random() < 0.3:
        return Op(family, f"pthread_rwlock_rdlock(&{name}); pthread_rwlock_rdlock(&{name}); {code} pthread_rwlock_unlock(&{name}); pthread_rwlock_unlock(&{name});")
    return Op(family, f"pthread_rwlock_{kind}lock(&{name}); {code} pthread_rwlock_unlock(&{name});")


def rwlock_readers(maker: Maker) -> Op:
    if maker.random.random() < 0.3:
        code, _ = maker.inside()
        return Op("rwlock", maker.pick([f"shared.lock(); {code} shared.unlock();", f"shared.lock_shared(); {code} shared.unlock_shared();",
                                        f"if (shared.try_lock()) {{ {code} shared.unlock(); }}",
                                        f"if (shared.try_lock_shared()) {{ {code} shared.unlock_shared(); }}"]))
    return rwlock(maker, "readers_first", "rwlock")


def rwlock_writers(maker: Maker) -> Op:
    return rwlock(maker, "writers_first", "writers-first")


def spin(maker: Maker) -> Op:
    code, _ = maker.inside()
    label = maker.label()
    return Op("spin", maker.pick([
        f"pthread_spin_lock(&spin); {code} pthread_spin_unlock(&spin);",
        f"{{ int r = pthread_spin_trylock(&spin); o(\"{label}\", r); if (r == 0) {{ {code} pthread_spin_unlock(&spin); }} }}",
    ]))


FAMILIES = {
    "memory": memory, "mutex": mutex_block, "two-locks": two_locks, "checked": checked, "recursive": recursive, "robust": robust, "timed": timed_lock,
    "rwlock": rwlock_readers, "writers-first": rwlock_writers, "spin": spin,
}
