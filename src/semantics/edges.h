// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Happens-before edges of locks, semaphores, barriers, one-time initialisation, descriptors, signals: which events give
// something away at a place, and which take it. A condition variable orders nothing: its mutex does. A futex orders
// nothing either: the atomics around it do. (Atomics and the life of threads are causality/'s own: each has one rule.)
//
// One row per kind, read by everybody who follows happens-before: clocks (causality/) and locksets
// (detect/transfer_log.h) differ in what they keep, not in the rules. A kind without a row orders nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/event.h"
#include "semantics/barrier.h"
#include "semantics/effects.h"

namespace ravel {

enum class Edge : std::uint8_t {
  kNone,
  kNewObject,     // what came before is another object's
  kTakes,         // what was given at the place
  kGives,         // instead of what others have given
  kAdds,          // beside what others have given
  kGivesMutex,    // a condition wait gives away its mutex
  kTakesMutex,    // and has it again, even after a time-out
  kReader,        // comes in: takes what writers gave
  kWriter,        // comes in: takes what writers and readers gave
  kLeavesLock,    // a writer gives to all, a reader to later writers only
  kArrives,       // at a barrier
  kLeaves,        // with what all arrivals of its round had
  kTakesChannel,  // where the order bits say so
  kTakesAny,      // of all channels
  kAddsChannel,   // where the order bits say so; may take as well
  kMeets,         // takes and gives, at the place that is the value
  kSelects,       // takes, also from the place that is the value, if there is one
  kSends,         // a message that is known by its value
  kReceives,
};

struct EdgeRow {
  OpKind kind;
  Edge edge;
  bool only_if_done;  // not when it failed or timed out
};

inline constexpr EdgeRow kEdgeRows[] = {
    {OpKind::kMutexInit, Edge::kNewObject, false},
    {OpKind::kRwInit, Edge::kNewObject, false},
    {OpKind::kSemInit, Edge::kNewObject, false},
    {OpKind::kBarrierInit, Edge::kNewObject, false},
    {OpKind::kMutexLock, Edge::kTakes, true},
    {OpKind::kMutexTryLock, Edge::kTakes, true},
    {OpKind::kMutexUnlock, Edge::kGives, true},
    {OpKind::kCondWait, Edge::kGivesMutex, false},
    {OpKind::kCondReacquire, Edge::kTakesMutex, false},
    {OpKind::kRwReadLock, Edge::kReader, true},
    {OpKind::kRwTryReadLock, Edge::kReader, true},
    {OpKind::kRwWriteLock, Edge::kWriter, true},
    {OpKind::kRwTryWriteLock, Edge::kWriter, true},
    {OpKind::kRwUnlock, Edge::kLeavesLock, true},
    {OpKind::kSemWait, Edge::kTakes, true},
    {OpKind::kSemTryWait, Edge::kTakes, true},
    {OpKind::kSemPost, Edge::kAdds, true},  // a wait takes its unit from all posts before it
    {OpKind::kBarrierArrive, Edge::kArrives, false},
    {OpKind::kBarrierLeave, Edge::kLeaves, false},
    {OpKind::kOnceBegin, Edge::kTakes, false},  // also an attempt after one that threw is ordered behind it
    {OpKind::kOnceEnd, Edge::kGives, false},
    {OpKind::kOnceAbort, Edge::kGives, false},
    {OpKind::kOpen, Edge::kGives, false},
    {OpKind::kMeet, Edge::kMeets, false},  // caller and receiver know of each other
    {OpKind::kAccept, Edge::kTakes, true},
    {OpKind::kElse, Edge::kTakes, true},
    {OpKind::kSelect, Edge::kSelects, true},
    {OpKind::kReply, Edge::kGives, false},
    {OpKind::kReturn, Edge::kTakes, false},
    {OpKind::kPut, Edge::kAdds, false},
    {OpKind::kTake, Edge::kTakes, true},
    {OpKind::kTryTake, Edge::kTakes, true},
    {OpKind::kCast, Edge::kSends, false},
    {OpKind::kDeliver, Edge::kReceives, true},
    {OpKind::kPhaseArrive, Edge::kAdds, false},
    {OpKind::kPhaseWait, Edge::kTakes, false},
    {OpKind::kPhaseTest, Edge::kTakes, true},
    {OpKind::kIoRead, Edge::kTakesChannel, true},
    {OpKind::kIoWait, Edge::kTakesAny, false},
    {OpKind::kIoWrite, Edge::kAddsChannel, true},
    {OpKind::kIoClose, Edge::kAddsChannel, true},
    {OpKind::kSignalSend, Edge::kAdds, false},
    {OpKind::kCancel, Edge::kAdds, false},
    {OpKind::kSignalHandle, Edge::kTakes, true},
    {OpKind::kSignalWait, Edge::kTakes, true},
    {OpKind::kCancelled, Edge::kTakes, true},
};

// The rows by kind.
struct EdgeColumn {
  EdgeRow of[static_cast<std::size_t>(OpKind::kCount)] = {};
  constexpr EdgeColumn() {
    for (const EdgeRow& row : kEdgeRows) of[static_cast<std::size_t>(row.kind)] = row;
  }
};
inline constexpr EdgeColumn kEdges;

// No place has this number: all that went into any channel.
inline constexpr std::uint64_t kAnyChannel = (std::uint64_t{1} << 56) - 1;

// Nor this one: a message, by its sender and number.
inline constexpr std::uint64_t place_of_message(std::uint64_t message) {
  return std::uint64_t{1} << 55 | (message & ((std::uint64_t{1} << 55) - 1));
}

// Calls what the event's row means, of
//   new_object(place), take(place), give(place), add(place), wait_with(mutex), resume(),
//   reader(place), writer(place), leave_lock(place), arrive(place, fills the round), leave().
template <class Sink>
[[gnu::always_inline]] inline void follow_edges(const Event& e, Sink& sink) {
  const EdgeRow& row = kEdges.of[static_cast<std::size_t>(e.kind)];
  if (row.only_if_done && (e.bits & (kFailed | kTimeout)) != 0) return;
  const std::uint64_t place = place_of(e);
  switch (row.edge) {
    case Edge::kNone:
      return;
    case Edge::kNewObject:
      return sink.new_object(place);
    case Edge::kTakes:
      return sink.take(place);
    case Edge::kGives:
      return sink.give(place);
    case Edge::kAdds:
      return sink.add(place);
    case Edge::kGivesMutex:
      return sink.wait_with(e.value);
    case Edge::kTakesMutex:
      return sink.resume();
    case Edge::kReader:
      return sink.reader(place);
    case Edge::kWriter:
      return sink.writer(place);
    case Edge::kLeavesLock:
      return sink.leave_lock(place);
    case Edge::kArrives:
      return sink.arrive(place, e.value == kFilledRound);
    case Edge::kLeaves:
      return sink.leave();
    case Edge::kTakesChannel:
      if (is_acquire(e.order())) sink.take(place);
      return;
    case Edge::kTakesAny:
      return sink.take(kAnyChannel);
    case Edge::kAddsChannel:
      if (!is_release(e.order())) return;
      sink.add(place);
      sink.add(kAnyChannel);
      if (is_acquire(e.order())) sink.take(place);
      return;
    case Edge::kMeets:
      sink.take(e.value);
      return sink.give(e.value);
    case Edge::kSelects:
      sink.take(place);
      if (e.value != 0) sink.take(e.value);
      return;
    case Edge::kSends:
      return sink.give(place_of_message(e.value));
    case Edge::kReceives:
      return sink.take(place_of_message(e.value));
  }
}

}  // namespace ravel
