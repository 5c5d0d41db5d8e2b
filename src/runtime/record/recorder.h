// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Writes events into the ring. The worker takes them out at the other end; when the ring is full the program waits for
// it. Recording never switches threads and never allocates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/event.h"
#include "runtime/platform/hidden.h"
#include "runtime/record/objects.h"
#include "runtime/record/stretch.h"
#include "runtime/state/spin_watch.h"

namespace ravel::rt {

// Where the next event goes.
struct Recorder {
  std::uint64_t written = 0;      // events so far; the shared counter follows
  std::uint64_t check_after = 0;  // when that many are written: room for more? the debugger? too many steps?
  std::uint64_t unrecorded = 0;   // steps that are no events
  std::uint64_t step_limit = 0;
  std::uint64_t watch_from = 0;      // step from which on the execution is watched for a repetition
  std::uint32_t limits = 0;          // how often the limit was set: another one, another watch
  std::uint64_t sorted = 0;          // events before that one are known to count towards the limit, or not to
  std::uint64_t started_ms = 0;      // of an open-ended execution, in real time
  std::uint64_t operand = kNoPoint;  // SharedBlock::operands of the event to be recorded next
};
RAVEL_HIDDEN extern Recorder g_recorder;
void check_after_event();

// For plans by step, which are the only ones that have operands recorded.
inline void set_operand(std::uint64_t value) {
  g_recorder.operand = value;
}

// A plain write is announced before it happens: the value is filled in at the thread's next call-out. At most one is
// waiting for it: the thread that made it cannot be left without passing here. `address` is where 8 bytes can be read
// that have the value in them, `shift` bits above the lowest.
struct OpenWrite {
  Event* event = nullptr;
  std::uintptr_t address = 0;
  std::uint64_t shift = 0;
  std::uint64_t mask = 0;
};
RAVEL_HIDDEN extern OpenWrite g_open_write;
// The access failed: there is no value to look up.
void forget_plain_write();
inline void fill_in_plain_write() {
  if (g_open_write.event == nullptr) return;
  std::uint64_t word;
  __builtin_memcpy(&word, reinterpret_cast<const void*>(g_open_write.address), sizeof word);
  g_open_write.event->value = word >> g_open_write.shift & g_open_write.mask;
  g_open_write.event = nullptr;
  show_stamp(g.current->stamp);
}
// The write of the last event: 1, 2, 4 or 8 bytes.
inline void remember_plain_write(Event& event, std::uintptr_t address, std::uint16_t size) {
  // Eight bytes from an address near the end of a page may lie on the next one, which need not be there.
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t in_page = address % kPage;
  const std::uintptr_t beyond = in_page > kPage - 8 && in_page + size <= kPage ? in_page - (kPage - 8) : 0;
  g_open_write = {&event, address - beyond, 8 * beyond, ~std::uint64_t{0} >> (64 - 8 * size)};
  g_filter.stamp = kNoStamp;  // the next access must come here, whatever it is
}

// A visible operation that is not recorded as an event (re-read of a spinning thread) still counts towards the step
// limit.
void step_limit_reached();  // returns only where the limit has grown
inline std::uint64_t steps_so_far() {
  return g_recorder.written + g_recorder.unrecorded;
}
void count_unrecorded(std::uint64_t steps);
inline void count_step() {
  count_unrecorded(1);
  if (__builtin_expect(steps_so_far() > g_recorder.step_limit, 0)) step_limit_reached();
}

// Accesses that the filter let pass are steps too, counted in the lump.
void count_quiet_accesses();

// An event of the running thread, with the context of its calls. An open write has been filled in. True: something is
// to be looked at, by check_after_event().
__attribute__((always_inline)) inline bool put_event(VirtualThread& self, Event& event, OpKind kind, std::uint8_t bits,
                                                     std::uint16_t size, Place place, LocationId location,
                                                     ContextId context, std::uint64_t value) {
  SharedBlock& block = *g.block;
  // As four words: compilers gather the fields in slower ways.
  static_assert(sizeof event == 32 && offsetof(Event, bits) == 1 && offsetof(Event, thread) == 4);
  auto* const words = reinterpret_cast<std::uint64_t*>(&event);
  words[0] = std::uint64_t{self.index} << 32 | std::uint64_t{size} << 16 | std::uint64_t{bits} << 8 |
             static_cast<std::uint64_t>(kind);
  words[1] = std::uint64_t{place.offset} << 32 | place.object;
  words[2] = std::uint64_t{context} << 32 | location;
  words[3] = value;
  const std::uint64_t written = ++g_recorder.written;
  block.result.events.store(written, std::memory_order_release);
  block.result.steps.store(written + g_recorder.unrecorded, std::memory_order_relaxed);
  ++*self.steps;
  self.clock_reads = 0;
  return __builtin_expect(written >= g_recorder.check_after, 0);
}
inline Event& next_event() {
  return g.block->ring[g_recorder.written & (kRingEvents - 1)];
}

// All of it. Inline where it matters.
__attribute__((always_inline)) inline Event& append_event(VirtualThread& self, OpKind kind, std::uint8_t bits,
                                                          std::uint16_t size, Place place, LocationId location,
                                                          std::uint64_t value) {
  const ContextId context = self.calls.context();
  if (__builtin_expect(g.block->plan.record_steps != 0, 0)) {
    g.block->operands[g_recorder.written & (kRingEvents - 1)] = g_recorder.operand;
    g_recorder.operand = kNoPoint;
  }
  Event& event = next_event();
  if (put_event(self, event, kind, bits, size, place, location, context, value)) check_after_event();
  return event;
}

// Once, at the start of an execution.
void begin_recorder();

// The operation just executed by the running thread. `address` 0: no object.
void record(OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address, LocationId location,
            std::uint64_t value);

// The running thread's pending operation, now executed; adds what the scheduler knows (it had to wait, it was a
// choice).
void record_pending(std::uint8_t extra_bits, std::uint64_t value);

// Kinds whose operand is of their own ...
bool has_own_operand(OpKind kind);
// ... and what it is of all others.
std::uint64_t time_operand(const VirtualThread& thread, std::uint8_t bits);

// The program says that it gets somewhere: the step limit counts again, up to a multiple of it.
void restart_step_limit();
// An open-ended execution goes on, unless its time is over.
bool extend_step_limit();

}  // namespace ravel::rt
