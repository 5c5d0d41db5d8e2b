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
  // what the program says about itself (include/ravel/ravel.h); only kObserve can be a scheduling point
  kObserve,      // value: number of the name (mark_number)
  kRegionBegin,  // atomic_region; value: nesting
  kRegionEnd,
  // an exception is thrown, a step of one thread alone; object and offset: its type
  kThrow,
  kSemValue,      // sem_getvalue; value: as of every semaphore event, the count behind it
  kFutexRequeue,  // FUTEX_REQUEUE and wakes by mask: not the longest waiting, or the waiters move to another word;
                  // value: woken
  kWaitBegin,     // a call begins that a signal can interrupt: one that comes before it interrupts nothing
  kSignalReturn,  // a handler is over
  kFork,          // the process is copied, with what other threads have done so far
  kJob,           // ravel::job: the thread begins another piece of work; value: row of its first functions
  kMark,          // ravel::mark: a point with a name; value: its number (mark_number)
  // rendezvous (ravel/entry.h, sync ports): an inbox is what one receiver can be open to at once
  kOpen,    // the receiver is open to some of its ports; value: a bit for each
  kMeet,    // a call is received; object: the port, value: place of the inbox, size: number of the port's bit
  kAccept,  // the receiver goes on; kTimeout: nobody called
  kElse,    // ... with an alternative for when nobody calls; kFailed: nobody did
  kReply,   // object: the call
  kReturn,  // the caller goes on
  // queues of messages (ravel/port.h); value: n-th message, from 1; 0 when kFailed
  kPut,
  kTake,
  kTryTake,
  // messages that travel by themselves; value: the message (message_of), size: kInOrder or 0
  kCast,     // sent
  kDeliver,  // received: which of those that can arrive is a choice
  // latches and std::barrier (--whole-sync): a phase is over when so many have arrived
  kPhaseArrive,  // value: kFilledRound if that ends the phase, else kOthersMissing
  kPhaseWait,    // value: the phase
  kPhaseTest,    // ... without waiting; kFailed: it is not over
  kUnmap,        // memory is unmapped, moved or protected while other threads may use it; value: bytes
  kSetting,      // something that holds for the whole process is changed beside other threads: what a signal does, the
                 // locale, a limit. Nobody knows which calls look at it
  // a receiver waits for calls and for the messages of queues (ravel/select.h)
  kEnlist,  // a queue becomes an alternative; object: the queue, value: place of the inbox, size: number of its bit
  kSelect,  // the receiver goes on; object: the inbox, value: place of the queue whose first message it takes, 0: it
            // has a call, or nothing; size: the message's number, order bits: see SelectMode. kFailed: nothing came
  kCount
};

// What kind of point an operation is, for --points and --points-exclude.
enum class OpClass : std::uint8_t { kInternal, kLifecycle, kPlain, kAtomic, kSync, kTime, kHeap, kChoice };

// How far the searches that leave out schedules can reason about it (explore/prediction.h).
enum class Reasoning : std::uint8_t {
  kUnknown,  // nobody has said so: a search that meets it is not complete
  kTried,    // dependent with all it could touch; whether it can run is tried, not computed
  kExact,    // what it needs and does is in semantics/
};

struct OperationRow {
  std::string_view name;  // the word of the text form
  OpClass cls;
  Reasoning reasoning = Reasoning::kUnknown;
};

// clang-format off
inline constexpr OperationRow kOperationTable[] = {
    {"none", OpClass::kInternal, Reasoning::kExact},
    {"create", OpClass::kLifecycle, Reasoning::kExact},
    {"start", OpClass::kLifecycle, Reasoning::kExact},
    {"end", OpClass::kLifecycle, Reasoning::kExact},
    {"join", OpClass::kLifecycle, Reasoning::kExact},
    {"detach", OpClass::kLifecycle, Reasoning::kExact},
    {"read", OpClass::kPlain, Reasoning::kExact},
    {"write", OpClass::kPlain, Reasoning::kExact},
    {"load", OpClass::kAtomic, Reasoning::kExact},
    {"store", OpClass::kAtomic, Reasoning::kExact},
    {"rmw", OpClass::kAtomic, Reasoning::kExact},
    {"cas", OpClass::kAtomic, Reasoning::kExact},
    {"fence", OpClass::kAtomic, Reasoning::kExact},
    {"mutex-init", OpClass::kSync, Reasoning::kExact},
    {"mutex-destroy", OpClass::kSync, Reasoning::kExact},
    {"lock", OpClass::kSync, Reasoning::kExact},
    {"trylock", OpClass::kSync, Reasoning::kExact},
    {"unlock", OpClass::kSync, Reasoning::kExact},
    {"cond-init", OpClass::kSync, Reasoning::kExact},
    {"cond-destroy", OpClass::kSync, Reasoning::kExact},
    {"wait", OpClass::kSync, Reasoning::kExact},
    {"reacquire", OpClass::kSync, Reasoning::kExact},
    {"signal", OpClass::kSync, Reasoning::kExact},
    {"broadcast", OpClass::kSync, Reasoning::kExact},
    {"rw-init", OpClass::kSync, Reasoning::kExact},
    {"rw-destroy", OpClass::kSync, Reasoning::kExact},
    {"rdlock", OpClass::kSync, Reasoning::kExact},
    {"tryrdlock", OpClass::kSync, Reasoning::kExact},
    {"wrlock", OpClass::kSync, Reasoning::kExact},
    {"trywrlock", OpClass::kSync, Reasoning::kExact},
    {"rwunlock", OpClass::kSync, Reasoning::kExact},
    {"sem-init", OpClass::kSync, Reasoning::kExact},
    {"sem-destroy", OpClass::kSync, Reasoning::kExact},
    {"sem-wait", OpClass::kSync, Reasoning::kExact},
    {"sem-trywait", OpClass::kSync, Reasoning::kExact},
    {"sem-post", OpClass::kSync, Reasoning::kExact},
    {"barrier-init", OpClass::kSync, Reasoning::kExact},
    {"barrier-destroy", OpClass::kSync, Reasoning::kExact},
    {"arrive", OpClass::kSync, Reasoning::kExact},
    {"leave", OpClass::kSync, Reasoning::kExact},
    {"once-begin", OpClass::kSync, Reasoning::kExact},
    {"once-end", OpClass::kSync, Reasoning::kExact},
    {"once-abort", OpClass::kSync, Reasoning::kExact},
    {"futex-wait", OpClass::kSync, Reasoning::kExact},
    {"futex-resume", OpClass::kSync, Reasoning::kExact},
    {"futex-wake", OpClass::kSync, Reasoning::kExact},
    {"yield", OpClass::kTime, Reasoning::kExact},
    {"sleep", OpClass::kTime, Reasoning::kTried},
    {"wake-up", OpClass::kTime, Reasoning::kTried},
    {"choice", OpClass::kChoice, Reasoning::kExact},
    {"alloc", OpClass::kHeap, Reasoning::kExact},
    {"free", OpClass::kHeap, Reasoning::kExact},
    {"exit", OpClass::kLifecycle, Reasoning::kExact},
    {"io-read", OpClass::kSync, Reasoning::kTried},
    {"io-write", OpClass::kSync, Reasoning::kTried},
    {"io-wait", OpClass::kSync, Reasoning::kTried},
    {"io-close", OpClass::kSync, Reasoning::kTried},
    {"kill", OpClass::kSync, Reasoning::kTried},
    {"handle", OpClass::kSync, Reasoning::kTried},
    {"sigwait", OpClass::kSync, Reasoning::kTried},
    {"cancel", OpClass::kSync, Reasoning::kTried},
    {"cancelled", OpClass::kSync, Reasoning::kTried},
    {"observe", OpClass::kInternal, Reasoning::kExact},
    {"region", OpClass::kInternal, Reasoning::kExact},
    {"region-end", OpClass::kInternal, Reasoning::kExact},
    {"throw", OpClass::kInternal, Reasoning::kExact},
    {"sem-value", OpClass::kSync, Reasoning::kExact},
    {"futex-requeue", OpClass::kSync, Reasoning::kUnknown},
    {"wait-begin", OpClass::kSync, Reasoning::kExact},
    {"handled", OpClass::kInternal, Reasoning::kExact},
    {"fork", OpClass::kSync, Reasoning::kUnknown},
    {"job", OpClass::kInternal, Reasoning::kExact},
    {"mark", OpClass::kTime, Reasoning::kExact},
    {"open", OpClass::kSync, Reasoning::kExact},
    {"rendezvous", OpClass::kSync, Reasoning::kExact},
    {"accept", OpClass::kSync, Reasoning::kExact},
    {"else", OpClass::kSync, Reasoning::kExact},
    {"reply", OpClass::kSync, Reasoning::kExact},
    {"return", OpClass::kSync, Reasoning::kExact},
    {"send", OpClass::kSync, Reasoning::kExact},
    {"receive", OpClass::kSync, Reasoning::kExact},
    {"try-receive", OpClass::kSync, Reasoning::kExact},
    {"cast", OpClass::kSync, Reasoning::kExact},
    {"deliver", OpClass::kSync, Reasoning::kExact},
    {"count-down", OpClass::kSync, Reasoning::kExact},
    {"pass", OpClass::kSync, Reasoning::kExact},
    {"try-pass", OpClass::kSync, Reasoning::kExact},
    {"unmap", OpClass::kSync, Reasoning::kUnknown},
    {"setting", OpClass::kSync, Reasoning::kUnknown},
    {"enlist", OpClass::kSync, Reasoning::kExact},
    {"select", OpClass::kSync, Reasoning::kExact},
};
// clang-format on
static_assert(sizeof(kOperationTable) / sizeof(kOperationTable[0]) == static_cast<std::size_t>(OpKind::kCount));

inline constexpr bool is_atomic_access(OpKind kind) {
  return kind >= OpKind::kAtomicLoad && kind <= OpKind::kAtomicCas;
}

inline constexpr std::string_view op_name(OpKind kind) {
  return kOperationTable[static_cast<std::size_t>(kind)].name;
}

inline constexpr Reasoning reasoning_of(OpKind kind) {
  return kOperationTable[static_cast<std::size_t>(kind)].reasoning;
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
