// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SYN-sequences as the worker sees them: operations that are held back until it is their turn. Threads and objects are
// named by hashes over what lasts from one execution to the next: the lineage of a thread, the kind, owner and number
// of an object. The worker has no symboliser: the tool turns the names of a file into these beforehand.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "model/event.h"
#include "model/tables.h"

namespace ravel {

inline constexpr std::uint32_t kMaxSequence = 1u << 14;

using LastingName = std::uint64_t;  // 0: none
inline constexpr LastingName kNobody = ~LastingName{0};

// main: `parent` 0.
inline constexpr LastingName lineage_name(LastingName parent, std::uint32_t ordinal) {
  return hash_combine(hash_combine(0x7468726561640000ull, parent), ordinal) | 1;
}

// An unknown object keeps its number, which lasts no longer than the execution.
inline constexpr LastingName place_name(const ObjectRecord& object, ObjectId id, LastingName owner,
                                        std::uint32_t offset) {
  const std::uint64_t number = object.kind == ObjectKind::kUnknown ? id.number() : object.ordinal;
  const std::uint64_t whose = object.kind == ObjectKind::kModule ? object.owner : owner;
  return hash_combine(hash_combine(hash_combine(static_cast<std::uint64_t>(object.kind), whose), number), offset) | 1;
}

// The thread of a table of threads; kNobody: the table does not have it.
inline LastingName thread_name_in(std::span<const ThreadRecord> threads, ThreadIndex thread) {
  constexpr unsigned kDeepest = 64;
  std::uint32_t path[kDeepest];
  unsigned depth = 0;
  for (; thread < threads.size() && depth < kDeepest; thread = threads[thread].parent) {
    path[depth++] = threads[thread].ordinal;
    if (threads[thread].parent >= thread) break;
  }
  if (depth == 0 || depth == kDeepest) return kNobody;
  LastingName name = 0;
  while (depth != 0) name = lineage_name(name, path[--depth]);
  return name;
}

// A place (object << 32 | offset) of an execution.
inline LastingName place_name_in(std::span<const ThreadRecord> threads, std::span<const ObjectRecord> objects,
                                 std::uint64_t place) {
  const auto id = static_cast<ObjectId>(place >> 32);
  if (id >= objects.size()) return kNobody;
  const ObjectRecord& object = objects[id];
  const bool owned =
      object.kind == ObjectKind::kHeap || object.kind == ObjectKind::kStack || object.kind == ObjectKind::kTls;
  const LastingName owner = owned ? thread_name_in(threads, object.owner) : 0;
  return place_name(object, id, owner, static_cast<std::uint32_t>(place));
}

// What a sequence is made of: synchronisation, but not the beginning and end of an object.
inline constexpr bool is_sequence_event(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kMutexUnlock:
    case OpKind::kCondWait:
    case OpKind::kCondReacquire:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
    case OpKind::kRwUnlock:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kBarrierArrive:
    case OpKind::kBarrierLeave:
    case OpKind::kOnceBegin:
    case OpKind::kOnceEnd:
    case OpKind::kOnceAbort:
    case OpKind::kFutexWait:
    case OpKind::kFutexResume:
    case OpKind::kFutexWake:
    case OpKind::kFutexRequeue:
    case OpKind::kMeet:
    case OpKind::kElse:
    case OpKind::kPut:
    case OpKind::kTryTake:
    case OpKind::kDeliver:
    case OpKind::kPhaseArrive:
    case OpKind::kPhaseWait:
    case OpKind::kPhaseTest:
    case OpKind::kSelect:
      return true;
    default:
      return false;
  }
}

// A label of the program (ravel::event, ravel::mark): part of a sequence that names it, and of no other. It orders
// nothing.
inline constexpr bool is_label(OpKind kind) {
  return kind == OpKind::kMark;
}
// Stands in files.
inline constexpr bool is_listed_event(OpKind kind) {
  return is_sequence_event(kind) || is_label(kind);
}

// A call that was withdrawn when its time was over: its object has completed nothing. (A thread that was woken from a
// condition by time-out is no such call: it completes on the mutex.)
inline constexpr bool is_withdrawn(std::uint8_t bits) {
  return (bits & (kFailed | kTimeout)) == (kFailed | kTimeout);
}

// An atomic is an object of the sequences of reachability testing, if the order of its accesses is not decided by other
// objects: kAtomic lists it. Files do not have them.
inline constexpr std::uint32_t kMaxSequenceAtomics = 64;

// The value is a place.
inline constexpr bool has_second_place(OpKind kind) {
  return kind == OpKind::kCondWait || kind == OpKind::kCondReacquire || kind == OpKind::kMeet ||
         kind == OpKind::kEnlist;
}
// A receiver that has found no message, or that goes on with a call, which was received before: no event of a sequence.
inline constexpr bool completes_nothing(OpKind kind, std::uint8_t bits, std::uint64_t value) {
  return (kind == OpKind::kDeliver && (bits & kFailed) != 0) || (kind == OpKind::kSelect && value == 0);
}
inline constexpr bool completes_nothing(const Event& event) {
  return completes_nothing(event.kind, event.bits, event.value);
}
// The place of the object whose sequence the operation is part of: a thread that was woken completes on the mutex, a
// call at the inbox of its port. A label is a place by its number, in the object that stands for no memory.
inline constexpr std::uint64_t sequence_place(OpKind kind, std::uint64_t place, std::uint64_t value) {
  return kind == OpKind::kCondReacquire || kind == OpKind::kMeet || kind == OpKind::kMark ? value : place;
}
inline constexpr LastingName label_name(std::uint32_t mark) {
  return place_name(ObjectRecord{}, 0, 0, mark);
}

// A message that travels by itself is known by its sender and a number: its n-th, from 1.
inline constexpr std::uint16_t kInOrder = 1;   // Event::size, bits: those of one sender arrive in order
inline constexpr std::uint16_t kLooks = 2;     // ... the receiver does not wait
inline constexpr std::uint16_t kWaitsFor = 4;  // ... or not for ever
inline constexpr std::uint64_t message_of(std::uint32_t sender, std::uint32_t number) {
  return static_cast<std::uint64_t>(sender) << 32 | number;
}
inline constexpr std::uint32_t sender_of(std::uint64_t message) {
  return static_cast<std::uint32_t>(message >> 32);
}
// It is received instead of a call: as if each message were a thread with one operation. (The messages of a queue that
// a select takes are operations of the queue, as if that were a thread.)
inline constexpr LastingName message_name(LastingName sender, std::uint32_t number) {
  return hash_combine(hash_combine(0x6d65737361676500ull, sender), number) | 1;
}

enum class SequenceMatch : std::uint8_t {
  kExact,   // thread, and kind and number if they are given
  kAnyNew,  // any operation but the first `number` of each thread that SequenceEvent kOld names
  kOld,     // no event: of `thread`, the first `number` operations are old
  kScope,   // no event: `object` is in scope
  kAtomic,  // no event: accesses to the atomic `object` are events of it
};
enum class SequenceEnding : std::uint8_t { kAny, kSucceeds, kFails };

struct SequenceEvent {
  LastingName thread = 0;
  LastingName object = 0;       // 0: any, in a total order
  LastingName woken = 0;        // of a signal: whom it has to wake; kNobody: it has to be lost; 0: any
  OpKind kind = OpKind::kNone;  // kNone: any
  SequenceMatch match = SequenceMatch::kExact;
  SequenceEnding ending = SequenceEnding::kAny;
  std::uint8_t pad = 0;
  std::uint32_t number = 0;  // the n-th event of its thread, from 1; 0: not given
};
static_assert(sizeof(SequenceEvent) == 32);

enum class SequenceOrder : std::uint8_t {
  kTotal,   // one event after the other
  kObject,  // those of one object in this order
};

// How the list of a plan is to be taken.
struct SequenceRules {
  std::uint32_t count = 0;  // entries in use; 0: nothing is held back
  SequenceOrder order = SequenceOrder::kTotal;
  std::uint8_t open = 0;     // anything may follow
  std::uint8_t listed = 0;   // only objects that are named in the list are in scope
  std::uint8_t atomics = 0;  // entries kAtomic, which are the last of the list
  std::uint32_t calls = 0;   // not 0: calls that are withdrawn, and messages that no select took, are no events of the
                             // list, but still count as calls
};

}  // namespace ravel
