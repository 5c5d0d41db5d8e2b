// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The vocabulary of visible operations. One row of kOperationTable per kind is the only place that lists them:
// text forms, filters and reports read the table. Adding a kind at the end keeps old traces readable; changing
// the order of rows is a change of the wire version (wire/version.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace ravel {

enum class OpKind : std::uint8_t {
  kNone,
  // life of threads; Event::value is the other thread's index (child, joined thread)
  kThreadCreate,
  kThreadStart,
  kThreadEnd,
  kThreadJoin,
  kThreadDetach,
  // plain memory
  kRead,
  kWrite,
  // atomics; Event::value is the value read (load, rmw, cas) or stored (store)
  kAtomicLoad,
  kAtomicStore,
  kAtomicRmw,
  kAtomicCas,  // kFailed: a read
  kFence,
  // mutexes (pthread_mutex, pthread_spin): lock with kFailed is a try or timed lock that did not get it
  kMutexInit,
  kMutexDestroy,
  kMutexLock,
  kMutexTryLock,
  kMutexUnlock,
  // condition variables: a wait is two events, release+enqueue and later reacquire
  kCondInit,
  kCondDestroy,
  kCondWait,       // releases the mutex; value: the mutex' place (place_of)
  kCondReacquire,  // value as of the wait; kTimeout / kSpurious tell why it ended
  kCondSignal,     // value: index of the woken thread, kNoThread when nobody waited
  kCondBroadcast,  // value: number of threads woken
  // reader-writer locks
  kRwInit,
  kRwDestroy,
  kRwReadLock,
  kRwTryReadLock,
  kRwWriteLock,
  kRwTryWriteLock,
  kRwUnlock,
  // semaphores
  kSemInit,
  kSemDestroy,
  kSemWait,
  kSemTryWait,
  kSemPost,
  // barriers: arrive, and leave when the round is full
  kBarrierInit,
  kBarrierDestroy,
  kBarrierArrive,
  kBarrierLeave,
  // one-time initialisation (pthread_once, __cxa_guard)
  kOnceBegin,  // value: 1 this thread runs the initialiser, 0 it is done already
  kOnceEnd,
  kOnceAbort,
  // futex (std::counting_semaphore, latch, barrier, atomic::wait, future)
  kFutexWait,    // enqueue; kFailed: the word had another value
  kFutexResume,  // kTimeout when the wait ended by time-out
  kFutexWake,    // value: number of threads woken
  // time
  kYield,
  kSleep,   // begins to sleep; value: nanoseconds
  kWakeUp,  // sleep over
  // data choice (ravel::choose, faults); value: the alternative taken
  kChoice,
  // heap; value: size. Not scheduling points, but observers need them.
  kHeapAlloc,
  kHeapFree,
  // end of the execution as the program caused it
  kExit,  // value: exit status
  // descriptors (pipes, sockets, eventfd, epoll); value: bytes or descriptors that are ready, errno when kFailed. The
  // order bits say whether it orders threads.
  kIoRead,   // takes something out: read, recv, accept
  kIoWrite,  // puts something in: write, send, connect, shutdown
  kIoWait,   // looks at several: poll, select, epoll_wait
  kIoClose,
  // signals and cancellation between threads; size: number of the signal
  kSignalSend,    // value: the thread it is for, kNoThread: the process
  kSignalHandle,  // a handler begins; value: number of the signal
  kSignalWait,    // sigwait and its kin; value: number of the signal
  kCancel,        // value: the thread it is for
  kCancelled,     // a thread acts on its cancellation
  // what the program says about itself (include/ravel/ravel.h); never scheduling points
  kObserve,      // value: index into the table of observations
  kRegionBegin,  // atomic_region; value: nesting
  kRegionEnd,
  // an exception is thrown, a step of one thread alone; object and offset: its type
  kThrow,
  kCount
};

// What kind of point an operation is, for --points and --points-exclude.
enum class OpClass : std::uint8_t { kInternal, kLifecycle, kPlain, kAtomic, kSync, kTime, kHeap, kChoice };

struct OperationRow {
  std::string_view name;  // the word of the text form
  OpClass cls;
};

inline constexpr OperationRow kOperationTable[] = {
    {"none", OpClass::kInternal},     {"create", OpClass::kLifecycle},     {"start", OpClass::kLifecycle},
    {"end", OpClass::kLifecycle},     {"join", OpClass::kLifecycle},       {"detach", OpClass::kLifecycle},
    {"read", OpClass::kPlain},        {"write", OpClass::kPlain},          {"load", OpClass::kAtomic},
    {"store", OpClass::kAtomic},      {"rmw", OpClass::kAtomic},           {"cas", OpClass::kAtomic},
    {"fence", OpClass::kAtomic},      {"mutex-init", OpClass::kSync},      {"mutex-destroy", OpClass::kSync},
    {"lock", OpClass::kSync},         {"trylock", OpClass::kSync},         {"unlock", OpClass::kSync},
    {"cond-init", OpClass::kSync},    {"cond-destroy", OpClass::kSync},    {"wait", OpClass::kSync},
    {"reacquire", OpClass::kSync},    {"signal", OpClass::kSync},          {"broadcast", OpClass::kSync},
    {"rw-init", OpClass::kSync},      {"rw-destroy", OpClass::kSync},      {"rdlock", OpClass::kSync},
    {"tryrdlock", OpClass::kSync},    {"wrlock", OpClass::kSync},          {"trywrlock", OpClass::kSync},
    {"rwunlock", OpClass::kSync},     {"sem-init", OpClass::kSync},        {"sem-destroy", OpClass::kSync},
    {"sem-wait", OpClass::kSync},     {"sem-trywait", OpClass::kSync},     {"sem-post", OpClass::kSync},
    {"barrier-init", OpClass::kSync}, {"barrier-destroy", OpClass::kSync}, {"arrive", OpClass::kSync},
    {"leave", OpClass::kSync},        {"once-begin", OpClass::kSync},      {"once-end", OpClass::kSync},
    {"once-abort", OpClass::kSync},   {"futex-wait", OpClass::kSync},      {"futex-resume", OpClass::kSync},
    {"futex-wake", OpClass::kSync},   {"yield", OpClass::kTime},           {"sleep", OpClass::kTime},
    {"wake-up", OpClass::kTime},      {"choice", OpClass::kChoice},        {"alloc", OpClass::kHeap},
    {"free", OpClass::kHeap},         {"exit", OpClass::kLifecycle},       {"io-read", OpClass::kSync},
    {"io-write", OpClass::kSync},     {"io-wait", OpClass::kSync},         {"io-close", OpClass::kSync},
    {"kill", OpClass::kSync},         {"handle", OpClass::kSync},          {"sigwait", OpClass::kSync},
    {"cancel", OpClass::kSync},       {"cancelled", OpClass::kSync},       {"observe", OpClass::kInternal},
    {"region", OpClass::kInternal},   {"region-end", OpClass::kInternal},  {"throw", OpClass::kInternal},
};
static_assert(sizeof(kOperationTable) / sizeof(kOperationTable[0]) == static_cast<std::size_t>(OpKind::kCount));

inline constexpr std::string_view op_name(OpKind kind) {
  return kOperationTable[static_cast<std::size_t>(kind)].name;
}

// The column of classes by itself: asked of every event.
struct OpClassColumn {
  OpClass of[static_cast<std::size_t>(OpKind::kCount)] = {};
  constexpr OpClassColumn() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) of[i] = kOperationTable[i].cls;
  }
};
inline constexpr OpClassColumn kOpClasses;
inline constexpr OpClass op_class(OpKind kind) {
  return kOpClasses.of[static_cast<std::size_t>(kind)];
}

}  // namespace ravel
