// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Dependence: may the order of two operations matter? Two operations are independent when, wherever both can run,
// either order leaves the other able to run with the same outcome and ends in the same state, and neither makes the
// other able to run. Exhaustive search explores one order of independent neighbours, so "independent" must be right;
// "dependent" may be coarse, and then the row says why.
//
// The answer uses the outcome (kFailed, and Event::value where the table says so). A pending operation has none yet:
// zero stands for the safe answer, except kOnceBegin, which carries begin_value(). Operations of one thread are always
// dependent. On different threads and the same object ("!" = failed):
//
//   pair                                        dependent    reason
//   ------------------------------------------  -----------  -------------------------------------------------------
//   exit x anything                             always       it takes away everyone's turn
//   create x start, end x join                  that thread  one enables the other
//   join/detach x join/detach                   same target  the second is a misuse; never in a correct program
//   create x create, start, end x data, ...     never        threads are named by lineage, not by order of creation
//   access x access                             one writes,  what is read or left differs. A failed CAS is a read; RMWs
//                                               ranges meet  do not commute (their result tells the order)
//   fence, yield, sleep, wake-up, choice x any  never        no shared effect under sequential consistency
//   mutex: lock, trylock, unlock, lock!, ...    unless both  who gets it; unlock enables lock and decides a trylock.
//                                               failed       Not adjacent, hence coarse for free: unlock x unlock and
//                                                            lock x unlock of two owners. Lock order counts.
//   mutex x access of its first word            unless both  the mutex is copied, or written over
//                                               only looked
//   failed x failed                             never        both only looked
//   init/destroy x any on that object           always       use before or after: different result. Coarse where both
//                                                            come out alike: such an execution ends as a misuse
//   cond: wait/reacquire x mutex ops            as unlock/   they release and take the mutex
//                                               lock
//   wait x signal, broadcast                    always       a wake-up before the wait is lost
//   wait x wait                                 always       same mutex: as unlock x unlock; another mutex: misuse
//   wait x reacquire after a time-out           always       whether the wait finds waiters with another mutex: misuse
//   signal x signal                             unless both  the woken thread is taken from the other. Coarse when they
//                                               lost         wake different threads: a pending signal cannot know
//   signal x broadcast                          always       whom the signal wakes
//   broadcast x broadcast                       never        all are woken either way, and no thread learns by whom
//   signal x reacquire                          woke it, or  enables it; a time-out or spurious wake-up takes a waiter
//                                               timed out    away from the signal
//   broadcast x reacquire                       always       enables it. Coarse for one woken before: the number of
//                                                            woken threads does not name them
//   rwlock: readers enter or leave, both        never        counting up and down commutes while no writer is inside
//   any other pair                              unless both  as mutex. kRwUnlock with kReaderUnlock is a reader's
//                                               failed
//   ... of a lock that prefers writers          unless both  the last reader to leave lets others in, a writer that
//                                               failed       comes to wait (kQueued) keeps them out
//   semaphore: post x post                      never        additions commute (overflow is a misuse)
//   any other pair                              unless both  the last unit; post enables wait. Coarse for large values:
//                                               failed or    independence by value is not stable under swaps
//                                               only looked
//   barrier: arrive x arrive                    always       who is the serial thread. Coarse far from the full round,
//                                                            for the same reason as with semaphores
//   arrive x leave                              arrive fills the filling arrival enables. Coarse for another round
//   leave x leave                               never        counts down
//   phase: count-down x count-down              always       who ends the phase. Coarse as with barriers
//   count-down x pass                           ends the     enables it. Coarse for another phase
//                                               phase
//   count-down x try-pass                       always       whether the phase is over. Coarse unless it ends it
//   pass, try-pass x pass, try-pass             never        they only look
//   once: begin x begin                         unless both  who runs the initialiser
//                                               found done
//   begin x end, abort                          always       enables
//   end, abort x access of its first byte       ranges meet  compiled code looks at the guard of a static by itself
//   futex: wait x write of its word             ranges meet  the wait compares the word in the same step
//   wait x wait, wait x wake                    unless one   order of the queue; a wake before the wait is lost
//                                               wait failed
//   wake x wake, wake x resume                  always       who is woken by whom, and how many; enables. Coarse for a
//                                                            thread woken before
//   resume x resume, resume x wait              never        each takes only itself out
//   io: read, write, wait, close                same place,  who gets the bytes, and whether a wait finds any. A wait
//                                               or unknown   on several descriptors has no place: dependent with all.
//                                                            Two that failed only looked
//   kill, cancel x anything of that thread      always       the handler runs, or the thread ends, at its next point.
//                                                            For the process (kNoThread): x anything
//   kill, cancel x join, detach                 same target  it is not there any more: the sender gets an error
//   sigwait, handle x sigwait, handle           always       who takes a signal that is for the process
//   rendezvous: any two at one inbox            always       whose call is received; open enables it, it enables
//                                                            accept. Coarse for free where the receiver has to come
//                                                            in between
//   reply x return                              same call    enables it
//   queue: send x send                          always       order of the messages
//   send x receive, receive x receive           same         enables it, or whose message it is. Coarse for a receive
//                                               message, or  that is pending or found nothing
//                                               unknown
//   send x select                               always       what there is to take. Coarse for queues that are no
//                                                            alternatives of the inbox, or are closed: two operations
//                                                            do not show it
//   cast x cast                                 never        a message is known by its sender, and all are on their way
//   cast x deliver, deliver x deliver           always       what can arrive, or whose message it is. Coarse where the
//                                                            message that arrives is another one: which it is, is a
//                                                            choice among those that were sent
//   heap: free x access or use in its range     always       use after free. Allocation: never (memory is not reused)
#pragma once

#include <cstdint>

#include "semantics/barrier.h"
#include "semantics/effects.h"
#include "semantics/futex.h"
#include "semantics/message.h"
#include "semantics/mutex.h"
#include "semantics/once.h"
#include "semantics/operation_view.h"
#include "semantics/rwlock.h"

namespace ravel {

namespace dependence_detail {

inline bool failed(const OperationView& op) {
  return (op.bits & kFailed) != 0;
}
inline bool both_failed(const OperationView& a, const OperationView& b) {
  return failed(a) && failed(b);
}

inline bool lifecycle(const OperationView& a, const OperationView& b) {
  const auto one_way = [](const OperationView& x, const OperationView& y) {
    if (x.kind == OpKind::kThreadCreate) return y.kind == OpKind::kThreadStart && x.value == y.thread;
    if (x.kind == OpKind::kThreadEnd) return y.kind == OpKind::kThreadJoin && y.value == x.thread;
    return false;
  };
  const auto collects = [](OpKind kind) { return kind == OpKind::kThreadJoin || kind == OpKind::kThreadDetach; };
  if (collects(a.kind) && collects(b.kind)) return a.value == b.value;
  return one_way(a, b) || one_way(b, a);
}

inline bool memory(const OperationView& a, const OperationView& b) {
  return (has_write_effect(a.kind, a.bits) || has_write_effect(b.kind, b.bits)) &&
         ranges_meet(a.place, a.size, b.place, b.size);
}

// The mutex an operation acts on: its own, or the one a condition wait releases and takes again.
inline bool touches_mutex(const OperationView& op, std::uint64_t& mutex) {
  if (family_of(op.kind) == OpFamily::kMutex) {
    mutex = op.place;
    return true;
  }
  mutex = op.value;
  return op.kind == OpKind::kCondWait || op.kind == OpKind::kCondReacquire;
}
inline bool mutex(const OperationView& a, const OperationView& b) {
  std::uint64_t of_a = 0;
  std::uint64_t of_b = 0;
  return touches_mutex(a, of_a) && touches_mutex(b, of_b) && of_a == of_b && !both_failed(a, b);
}

// A mutex is copied, or written over. What the table says of mutexes does not hold behind that: searches that meet it
// are not complete (Steps::look_for_copied_mutex).
inline bool meets_mutex(const OperationView& access, const OperationView& lock) {
  return (!failed(lock) || has_write_effect(access.kind, access.bits)) &&
         ranges_meet(access.place, access.size, lock.place, kMutexWordBytes);
}

inline bool ended_by_itself(const OperationView& reacquire) {
  return (reacquire.bits & (kTimeout | kSpurious)) != 0;
}
// For a condition variable both act on; `a` is the one with the smaller kind.
inline bool condvar(const OperationView& a, const OperationView& b) {
  switch (a.kind) {
    case OpKind::kCondWait:
      return b.kind != OpKind::kCondReacquire || ended_by_itself(b);
    case OpKind::kCondReacquire:
      if (b.kind == OpKind::kCondSignal) return ended_by_itself(a) || b.value == a.thread;
      return b.kind == OpKind::kCondBroadcast;
    case OpKind::kCondSignal:
      return b.kind != OpKind::kCondSignal || a.value != kNoThread || b.value != kNoThread;
    case OpKind::kCondBroadcast:
      return false;
    default:  // init, destroy
      return true;
  }
}

inline bool is_reader_step(const OperationView& op) {
  if (failed(op) || (op.value & kPrefersWriters) != 0) return false;
  return op.kind == OpKind::kRwReadLock || op.kind == OpKind::kRwTryReadLock ||
         (op.kind == OpKind::kRwUnlock && op.value == kReaderUnlock);
}
// A writer that comes to wait keeps readers outside, so it does more than fail.
inline bool only_looked(const OperationView& op) {
  return failed(op) && (op.value & kQueued) == 0;
}
inline bool rwlock(const OperationView& a, const OperationView& b) {
  return !(only_looked(a) && only_looked(b)) && !(is_reader_step(a) && is_reader_step(b));
}

inline bool semaphore(const OperationView& a, const OperationView& b) {
  const auto looks = [](const OperationView& op) { return failed(op) || op.kind == OpKind::kSemValue; };
  const bool posts = a.kind == OpKind::kSemPost && b.kind == OpKind::kSemPost && !failed(a) && !failed(b);
  return !(looks(a) && looks(b)) && !posts;
}

inline bool barrier(const OperationView& a, const OperationView& b) {
  const auto leaves = [](const OperationView& op) { return op.kind == OpKind::kBarrierLeave; };
  const auto passes_by = [&](const OperationView& op) {
    return leaves(op) || (op.kind == OpKind::kBarrierArrive && op.value == kOthersMissing);
  };
  return !((leaves(a) && passes_by(b)) || (leaves(b) && passes_by(a)));
}

inline bool phase(const OperationView& a, const OperationView& b) {
  const auto arrives = [](const OperationView& op) { return op.kind == OpKind::kPhaseArrive; };
  if (arrives(a) && arrives(b)) return true;
  if (!arrives(a) && !arrives(b)) return false;
  const OperationView& other = arrives(a) ? b : a;
  return other.kind == OpKind::kPhaseTest || (arrives(a) ? a : b).value == kFilledRound;
}

inline bool once(const OperationView& a, const OperationView& b) {
  const auto found_done = [](const OperationView& op) {
    return op.kind == OpKind::kOnceBegin && op.value == kOnceDone;
  };
  return !found_done(a) || !found_done(b);
}

inline bool futex(const OperationView& a, const OperationView& b) {
  if (failed(a) || failed(b)) return false;
  const auto wakes = [](OpKind kind) { return kind == OpKind::kFutexWake || kind == OpKind::kFutexRequeue; };
  const bool wake = wakes(a.kind) || wakes(b.kind);
  return wake || (a.kind == OpKind::kFutexWait && b.kind == OpKind::kFutexWait);
}

// Sends do not commute, so the number of a message stays what it is.
inline bool queue(const OperationView& a, const OperationView& b) {
  if (both_failed(a, b)) return false;
  if (a.kind == OpKind::kPut && b.kind == OpKind::kPut) return true;
  return a.value == b.value || a.value == 0 || b.value == 0;
}

inline bool parcel(const OperationView& a, const OperationView& b) {
  return a.kind == OpKind::kDeliver || b.kind == OpKind::kDeliver;
}

// Unknown places are zero: a wait on several descriptors at once.
inline bool io(const OperationView& a, const OperationView& b) {
  return (a.place == b.place || a.place == 0 || b.place == 0) && !both_failed(a, b);
}

// A signal or a cancellation acts on whatever its target does next. Once the target was joined or is detached, whoever
// sends it something is told that it is not there.
inline bool reaches(const OperationView& sent, const OperationView& other) {
  if (sent.kind != OpKind::kSignalSend && sent.kind != OpKind::kCancel) return false;
  const bool collects = other.kind == OpKind::kThreadJoin || other.kind == OpKind::kThreadDetach;
  return sent.value == kNoThread || sent.value == other.thread || (collects && sent.value == other.value);
}

// A free against anything that uses memory in its range. Event::value of kHeapFree is the size.
inline bool heap(const OperationView& free, const OperationView& other) {
  if (free.kind != OpKind::kHeapFree) return false;
  switch (family_of(other.kind)) {
    case OpFamily::kNone:
    case OpFamily::kLifecycle:
    case OpFamily::kObservation:
    case OpFamily::kExit:
      return false;
    case OpFamily::kHeap:
      return other.kind == OpKind::kHeapFree && other.place == free.place;
    default:
      break;
  }
  std::uint64_t lock = 0;
  return ranges_meet(free.place, free.value, other.place, other.size) ||
         (touches_mutex(other, lock) && ranges_meet(free.place, free.value, lock, 1));
}

inline bool same_family(OpFamily family, const OperationView& a, const OperationView& b) {
  switch (family) {
    case OpFamily::kLifecycle:
      return lifecycle(a, b);
    case OpFamily::kMemory:
      return memory(a, b);
    case OpFamily::kMutex:
      return mutex(a, b);
    case OpFamily::kIo:
      return io(a, b);
    case OpFamily::kSignal:
      return true;
    case OpFamily::kHeap:
      return heap(a, b) || heap(b, a);
    case OpFamily::kMeet:
      return inbox_of(a) == inbox_of(b);
    case OpFamily::kObservation:  // the last one counts
      return a.value == b.value;
    case OpFamily::kCond:
      return mutex(a, b) || (a.place == b.place && (a.kind <= b.kind ? condvar(a, b) : condvar(b, a)));
    default:
      break;
  }
  if (a.place != b.place) return false;
  switch (family) {
    case OpFamily::kRw:
      return rwlock(a, b);
    case OpFamily::kSem:
      return semaphore(a, b);
    case OpFamily::kBarrier:
      return barrier(a, b);
    case OpFamily::kPhase:
      return phase(a, b);
    case OpFamily::kOnce:
      return once(a, b);
    case OpFamily::kFutex:
      return futex(a, b);
    case OpFamily::kReply:
      return true;
    case OpFamily::kQueue:
      return queue(a, b);
    case OpFamily::kParcel:
      return parcel(a, b);
    default:
      return false;
  }
}

// The bridges between families; `a` has the smaller family.
inline bool across(OpFamily of_a, OpFamily of_b, const OperationView& a, const OperationView& b) {
  if (of_b == OpFamily::kHeap) return heap(b, a);
  if (of_a == OpFamily::kMutex && of_b == OpFamily::kCond) return mutex(a, b);
  if (of_a == OpFamily::kMemory && of_b == OpFamily::kMutex) return meets_mutex(a, b);
  if (of_a == OpFamily::kMemory && of_b == OpFamily::kOnce) {
    return b.kind != OpKind::kOnceBegin && ranges_meet(a.place, a.size, b.place, 1);
  }
  if (a.kind == OpKind::kSelect) return b.kind == OpKind::kPut;
  if (of_a == OpFamily::kMemory && b.kind == OpKind::kFutexWait) {
    return has_write_effect(a.kind, a.bits) && ranges_meet(a.place, a.size, b.place, kFutexWordBytes);
  }
  return false;
}

}  // namespace dependence_detail

inline bool dependent(const OperationView& a, const OperationView& b) {
  if (a.thread == b.thread) return true;
  const OpFamily of_a = family_of(a.kind);
  const OpFamily of_b = family_of(b.kind);
  if (of_a == OpFamily::kExit || of_b == OpFamily::kExit) return true;
  if (dependence_detail::reaches(a, b) || dependence_detail::reaches(b, a)) return true;
  if (of_a == of_b) return dependence_detail::same_family(of_a, a, b);
  return of_a < of_b ? dependence_detail::across(of_a, of_b, a, b) : dependence_detail::across(of_b, of_a, b, a);
}

}  // namespace ravel
