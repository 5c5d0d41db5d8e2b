// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Questions about one operation alone: its family, whether it writes, whether it can be disabled, what its memory order
// promises.
#pragma once

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
  kOnce,
  kFutex,
  kIo,
  kSignal,
  kHeap,
  kExit,
};

inline constexpr OpFamily family_of(OpKind kind) {
  switch (kind) {
    case OpKind::kThreadCreate:
    case OpKind::kThreadStart:
    case OpKind::kThreadEnd:
    case OpKind::kThreadJoin:
    case OpKind::kThreadDetach:
      return OpFamily::kLifecycle;
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
    case OpKind::kAtomicCas:
      return OpFamily::kMemory;
    case OpKind::kMutexInit:
    case OpKind::kMutexDestroy:
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kMutexUnlock:
      return OpFamily::kMutex;
    case OpKind::kCondInit:
    case OpKind::kCondDestroy:
    case OpKind::kCondWait:
    case OpKind::kCondReacquire:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      return OpFamily::kCond;
    case OpKind::kRwInit:
    case OpKind::kRwDestroy:
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
    case OpKind::kRwUnlock:
      return OpFamily::kRw;
    case OpKind::kSemInit:
    case OpKind::kSemDestroy:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
      return OpFamily::kSem;
    case OpKind::kBarrierInit:
    case OpKind::kBarrierDestroy:
    case OpKind::kBarrierArrive:
    case OpKind::kBarrierLeave:
      return OpFamily::kBarrier;
    case OpKind::kOnceBegin:
    case OpKind::kOnceEnd:
    case OpKind::kOnceAbort:
      return OpFamily::kOnce;
    case OpKind::kFutexWait:
    case OpKind::kFutexResume:
    case OpKind::kFutexWake:
      return OpFamily::kFutex;
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
    case OpKind::kIoWait:
    case OpKind::kIoClose:
      return OpFamily::kIo;
    case OpKind::kSignalSend:
    case OpKind::kSignalHandle:
    case OpKind::kSignalWait:
    case OpKind::kCancel:
    case OpKind::kCancelled:
      return OpFamily::kSignal;
    case OpKind::kHeapAlloc:
    case OpKind::kHeapFree:
      return OpFamily::kHeap;
    case OpKind::kExit:
      return OpFamily::kExit;
    case OpKind::kNone:
    case OpKind::kFence:
    case OpKind::kYield:
    case OpKind::kSleep:
    case OpKind::kWakeUp:
    case OpKind::kChoice:
    case OpKind::kObserve:
    case OpKind::kRegionBegin:
    case OpKind::kRegionEnd:
    case OpKind::kThrow:
    case OpKind::kCount:
      break;
  }
  return OpFamily::kNone;
}

inline constexpr bool is_memory_access(OpKind kind) {
  return kind >= OpKind::kRead && kind <= OpKind::kAtomicCas;
}
inline constexpr bool is_atomic_access(OpKind kind) {
  return kind >= OpKind::kAtomicLoad && kind <= OpKind::kAtomicCas;
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

}  // namespace ravel
