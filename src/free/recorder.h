// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The flight recorder: a ring per thread in shared memory. Whoever records an acquisition has acquired, whoever records
// a release has not yet released: the numbers then order all operations on one object as they happened.
#pragma once

#include "free/access_log.h"
#include "free/call_stack.h"
#include "free/callers.h"
#include "free/state.h"

namespace ravel::fr {

// Takes the next one of the ring. It has its place in the order from here on, and is complete when it has its kind.
inline FreeEvent& next_event(FreeThread& self) {
  const std::uint64_t at = self.events.load(std::memory_order_relaxed);
  FreeEvent& event = self.ring[at % kFreeEvents];
  event.kind = OpKind::kNone;
  self.events.store(at + 1, std::memory_order_release);
  event.order = g_block->order.fetch_add(1, std::memory_order_relaxed) + 1;
  return event;
}

// Of a run that is traced: in the log, with its time and the user's place.
inline FreeEvent& next_logged_event(FreeThread& self, std::uint64_t pc) {
  FreeLog& log = g_logs[index_of(&self)];
  const std::uint64_t at = self.events.load(std::memory_order_relaxed);
  FreeEvent& event = log.events[at % kFreeTracedEvents];
  event.kind = OpKind::kNone;
  log.times[at % kFreeTracedEvents] = time_stamp();
  self.events.store(at + 1, std::memory_order_release);
  event.order = g_block->order.fetch_add(1, std::memory_order_relaxed) + 1;
  note_order(self, log, event.order);
  event.user = user_place(pc);
  return event;
}

inline FreeEvent& record(FreeThread& self, OpKind kind, std::uint64_t address, std::uint64_t pc,
                         std::uint32_t value = 0, std::uint8_t bits = 0, std::uint16_t size = 0) {
  FreeEvent& event = __builtin_expect(g_logs == nullptr, 1) ? next_event(self) : next_logged_event(self, pc);
  event.address = address;
  event.pc = pc;
  event.value = value;
  event.bits = bits;
  event.size = size;
  event.kind = kind;
  ++self.moves;
  return event;
}

// Before the thread exists; taken back when it could not be made.
inline FreeEvent& record_create(FreeThread& self, std::uint32_t child, std::uint64_t pc) {
  return record(self, OpKind::kThreadCreate, 0, pc, child);
}

// A wait that is shown to the tool from here to the end of the scope.
class Waits {
 public:
  Waits(FreeThread& self, OpKind kind, std::uint64_t object, std::uint64_t pc, bool timed) : self_(self) {
    self_.wait_object.store(object, std::memory_order_relaxed);
    note_wait_place(self_, pc);
    self_.wait_timed.store(timed, std::memory_order_relaxed);
    next_epoch(self_);
    self_.waits.store(kind, std::memory_order_release);
  }
  ~Waits() { end(self_); }
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;

  static void end(FreeThread& self) {
    self.waits.store(OpKind::kNone, std::memory_order_release);
    next_epoch(self);
  }

 private:
  // Nobody else writes it.
  static void next_epoch(FreeThread& self) {
    self.wait_epoch.store(self.wait_epoch.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  FreeThread& self_;
};

}  // namespace ravel::fr
