// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Questions about one operation alone: its family, whether it writes, whether it can be disabled, what its memory order
// promises.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/event.h"
#include "semantics/operation_view.h"

namespace ravel {

// Operations of one family act on the same sort of object; dependence.h compares within families, with few bridges.
enum class OpFamily : std::uint8_t {
  kNone,  // touches nothing that others see: fences (under sequential consistency), time, choices
  kLifecycle,
  kMemory,
  kMutex,
  kCond,
  kRw,
  kSem,
  kBarrier,
  kPhase,  // latches, barriers whose arrivals need not wait
  kOnce,
  kFutex,
  kMeet,    // rendezvous
  kReply,   // to a call
  kQueue,   // of messages
  kParcel,  // messages that travel by themselves
  kIo,
  kSignal,
  kHeap,
  kObservation,  // of one name
  kExit,
};

// Kinds in the order of their enumeration. What is in no row belongs to kNone.
struct FamilyRow {
  OpKind first;
  OpKind last;
  OpFamily family;
};
inline constexpr FamilyRow kFamilyRows[] = {
    {OpKind::kThreadCreate, OpKind::kThreadDetach, OpFamily::kLifecycle},
    {OpKind::kRead, OpKind::kAtomicCas, OpFamily::kMemory},
    {OpKind::kMutexInit, OpKind::kMutexUnlock, OpFamily::kMutex},
    {OpKind::kCondInit, OpKind::kCondBroadcast, OpFamily::kCond},
    {OpKind::kRwInit, OpKind::kRwUnlock, OpFamily::kRw},
    {OpKind::kSemInit, OpKind::kSemPost, OpFamily::kSem},
    {OpKind::kSemValue, OpKind::kSemValue, OpFamily::kSem},
    {OpKind::kBarrierInit, OpKind::kBarrierLeave, OpFamily::kBarrier},
    {OpKind::kOnceBegin, OpKind::kOnceAbort, OpFamily::kOnce},
    {OpKind::kFutexWait, OpKind::kFutexWake, OpFamily::kFutex},
    {OpKind::kFutexRequeue, OpKind::kFutexRequeue, OpFamily::kFutex},
    {OpKind::kOpen, OpKind::kElse, OpFamily::kMeet},
    {OpKind::kSelect, OpKind::kSelect, OpFamily::kMeet},
    {OpKind::kReply, OpKind::kReturn, OpFamily::kReply},
    {OpKind::kPut, OpKind::kTryTake, OpFamily::kQueue},
    {OpKind::kCast, OpKind::kDeliver, OpFamily::kParcel},
    {OpKind::kPhaseArrive, OpKind::kPhaseTest, OpFamily::kPhase},
    {OpKind::kIoRead, OpKind::kIoClose, OpFamily::kIo},
    {OpKind::kSignalSend, OpKind::kCancelled, OpFamily::kSignal},
    {OpKind::kHeapAlloc, OpKind::kHeapFree, OpFamily::kHeap},
    {OpKind::kObserve, OpKind::kObserve, OpFamily::kObservation},
    {OpKind::kExit, OpKind::kExit, OpFamily::kExit},
};

// The rows by kind.
struct FamilyColumn {
  OpFamily of[static_cast<std::size_t>(OpKind::kCount)] = {};
  constexpr FamilyColumn() {
    for (const FamilyRow& row : kFamilyRows) {
      for (auto kind = static_cast<std::size_t>(row.first); kind <= static_cast<std::size_t>(row.last); ++kind) {
        of[kind] = row.family;
      }
    }
  }
};
inline constexpr FamilyColumn kFamilies;

inline constexpr OpFamily family_of(OpKind kind) {
  return kind < OpKind::kCount ? kFamilies.of[static_cast<std::size_t>(kind)] : OpFamily::kNone;
}

inline constexpr bool is_memory_access(OpKind kind) {
  return kind >= OpKind::kRead && kind <= OpKind::kAtomicCas;
}

// A failed CAS is a read. Every other read-modify-write is a write, also `fetch_add(0)`: increments do not commute,
// because the value they return tells the order.
inline constexpr bool has_write_effect(OpKind kind, std::uint8_t bits) {
  switch (kind) {
    case OpKind::kWrite:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
      return true;
    case OpKind::kAtomicCas:
      return (bits & kFailed) == 0;
    default:
      return false;
  }
}
inline constexpr bool has_read_effect(OpKind kind) {
  return is_memory_access(kind) && kind != OpKind::kWrite && kind != OpKind::kAtomicStore;
}

// Others can see it, or the thread need not do the same again after it: it does not spin. Beside writes to memory.
inline constexpr bool ends_spin(OpKind kind, std::uint8_t bits) {
  if ((bits & kFailed) != 0 || kind == OpKind::kSemValue) return false;
  const OpClass cls = op_class(kind);
  return cls == OpClass::kSync || cls == OpClass::kLifecycle || kind == OpKind::kSleep;
}

// Operations that can be pending and disabled. All others can run whenever their thread is the one to run.
inline constexpr bool is_conditional(OpKind kind) {
  switch (kind) {
    case OpKind::kThreadStart:
    case OpKind::kThreadJoin:
    case OpKind::kMutexLock:
    case OpKind::kCondReacquire:
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kSemWait:
    case OpKind::kBarrierLeave:
    case OpKind::kOnceBegin:
    case OpKind::kFutexResume:
    case OpKind::kWakeUp:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
    case OpKind::kIoWait:
    case OpKind::kSignalWait:
    case OpKind::kMeet:
    case OpKind::kAccept:
    case OpKind::kReturn:
    case OpKind::kTake:
    case OpKind::kDeliver:
    case OpKind::kPhaseWait:
    case OpKind::kSelect:
      return true;
    default:
      return false;
  }
}

// Memory orders by the compilers' numbers; consume is treated as acquire, as every compiler does.
inline constexpr bool is_acquire(int order) {
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}
inline constexpr bool is_release(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// Do the byte ranges [a, a + a_bytes) and [b, b + b_bytes) meet? An unknown size counts as one byte.
inline constexpr bool ranges_meet(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a < b + (b_bytes == 0 ? 1 : b_bytes) && b < a + (a_bytes == 0 ? 1 : a_bytes);
}

// Whether two accesses have bytes in common. Memory without a name has none that anybody knows.
inline constexpr bool accesses_meet(const Event& a, const Event& b) {
  return a.object != 0 && a.object == b.object && ranges_meet(a.offset, a.size, b.offset, b.size);
}

}  // namespace ravel
