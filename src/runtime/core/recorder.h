// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Writes events into the ring. The worker takes them out at the other end; when the ring is full the program waits for
// it. Recording never switches threads and never allocates.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/core/hidden.h"
#include "runtime/core/objects.h"
#include "runtime/core/spin_watch.h"
#include "runtime/core/stretch.h"

namespace ravel::rt {

// Where the next event goes.
struct Recorder {
  std::uint64_t written = 0;      // events so far; the shared counter follows
  std::uint64_t check_after = 0;  // when that many are written: is there room for more, is the debugger to be called
  std::uint64_t steps = 0;
  std::uint64_t step_limit = 0;
  std::uint64_t operand = 0;  // SharedBlock::operands of the event to be recorded next
};
RAVEL_HIDDEN extern Recorder g_recorder;
void check_after_event();

// For plans by step, which are the only ones that have operands recorded.
inline void set_operand(std::uint64_t value) {
  g_recorder.operand = value;
}

// A plain write is announced before it happens: the value is filled in at the thread's next call-out. At most one is
// waiting for it: the thread that made it cannot be left without passing here.
struct OpenWrite {
  Event* event = nullptr;
  std::uintptr_t address = 0;
  std::uint16_t size = 0;
};
RAVEL_HIDDEN extern OpenWrite g_open_write;
// The access failed: there is no value to look up.
void forget_plain_write();
inline void fill_in_plain_write() {
  if (g_open_write.event == nullptr) return;
  g_open_write.event->value = peek(g_open_write.address, g_open_write.size);
  g_open_write.event = nullptr;
  g_filter.stamp = g.current->stamp;
}
inline void remember_plain_write(std::uintptr_t address, std::uint16_t size) {
  if (size > 8 || (size & (size - 1)) != 0) return;
  g_open_write = {&g.block->ring[(g_recorder.written - 1) & (kRingEvents - 1)], address, size};
  g_filter.stamp = kNoStamp;  // the next access must come here, whatever it is
}

// A visible operation that is not recorded as an event (re-read of a spinning thread) still counts towards the step
// limit.
[[noreturn]] void step_limit_reached();
inline void count_step() {
  const std::uint64_t steps = ++g_recorder.steps;
  g.block->result.steps.store(steps, std::memory_order_relaxed);
  if (__builtin_expect(steps > g_recorder.step_limit, 0)) step_limit_reached();
}

// Accesses that the filter let pass are steps too, counted in the lump.
void count_quiet_accesses();

// An event of the running thread. Inline where it matters; an open write has been filled in.
__attribute__((always_inline)) inline void append_event(VirtualThread& self, OpKind kind, std::uint8_t bits,
                                                        std::uint16_t size, Place place, LocationId location,
                                                        std::uint64_t value) {
  SharedBlock& block = *g.block;
  block.ring[g_recorder.written & (kRingEvents - 1)] = {
      kind, bits, size, self.index, place.object, place.offset, location, self.calls.context(), value};
  if (__builtin_expect(block.plan.by_step != 0, 0)) {
    block.operands[g_recorder.written & (kRingEvents - 1)] = g_recorder.operand;
    g_recorder.operand = 0;
  }
  const std::uint64_t written = ++g_recorder.written;
  block.result.events.store(written, std::memory_order_release);
  ++*self.steps;
  self.clock_reads = 0;
  count_step();
  if (__builtin_expect(written >= g_recorder.check_after, 0)) check_after_event();
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
std::uint64_t time_operand(const Pending& pending, std::uint8_t bits);

// The program says that it gets somewhere: the step limit counts anew, up to a multiple of it.
void restart_step_limit();

}  // namespace ravel::rt
