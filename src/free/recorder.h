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

inline FreeEvent& next_event(FreeThread& self) {
  const std::uint64_t at = self.events.load(std::memory_order_relaxed);
  FreeLog* const log = g_logs != nullptr ? &g_logs[index_of(&self)] : nullptr;
  FreeEvent& event = log != nullptr ? log->events[at % kFreeTracedEvents] : self.ring[at % kFreeEvents];
  event.kind = OpKind::kNone;  // not complete
  if (log != nullptr) log->times[at % kFreeTracedEvents] = time_stamp();
  self.events.store(at + 1, std::memory_order_release);
  return event;
}

inline FreeEvent& record(FreeThread& self, OpKind kind, std::uint64_t address, std::uint64_t pc,
                         std::uint32_t value = 0, std::uint8_t bits = 0, std::uint16_t size = 0) {
  FreeEvent& event = next_event(self);
  event.order = g_block->order.fetch_add(1, std::memory_order_relaxed) + 1;
  if (g_logs != nullptr) note_order(self, g_logs[index_of(&self)], event.order);
  event.address = address;
  event.pc = pc;
  if (g_logs != nullptr) event.user = user_place(pc);
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
    self_.wait_epoch.fetch_add(1, std::memory_order_relaxed);
    self_.waits.store(kind, std::memory_order_release);
  }
  ~Waits() { end(self_); }
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;

  static void end(FreeThread& self) {
    self.waits.store(OpKind::kNone, std::memory_order_release);
    self.wait_epoch.fetch_add(1, std::memory_order_release);
  }

 private:
  FreeThread& self_;
};

}  // namespace ravel::fr
