// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/core/recorder.h"

#include <linux/futex.h>

#include "runtime/core/finish.h"
#include "runtime/core/raw.h"
#include "runtime/core/spin_watch.h"
#include "runtime/core/state.h"

namespace ravel::rt {

namespace {

std::uint64_t written = 0;  // events so far; the shared counter follows
std::uint64_t steps = 0;
std::uint64_t operand = kNoPoint;  // of the event to be recorded next

// At most one plain write is waiting for its value: the thread that made it cannot be left without passing here.
Event* open_write = nullptr;
std::uintptr_t open_address = 0;
std::uint16_t open_size = 0;

void wait_for_room() {
  SharedBlock& block = *g.block;
  if (g.direct) {
    block.ring_consumed.store(written, std::memory_order_release);
    return;
  }
  for (;;) {
    const std::uint64_t consumed = block.ring_consumed.load(std::memory_order_acquire);
    if (written - consumed < kRingEvents) return;
    // The worker polls; it wakes us when it has made room. The low half of the counter is the futex word.
    raw_syscall(SYS_futex, reinterpret_cast<long>(&block.ring_consumed), FUTEX_WAIT,
                static_cast<long>(static_cast<std::uint32_t>(consumed)), 0);
  }
}

// Operations that others can see, or after which the thread need not do the same again: it does not spin.
bool makes_progress(OpKind kind, std::uint8_t bits) {
  if ((bits & kFailed) != 0) return false;
  const OpClass cls = op_class(kind);
  return cls == OpClass::kSync || cls == OpClass::kLifecycle || kind == OpKind::kSleep;
}

}  // namespace

void count_step() {
  ++steps;
  g.block->result.steps.store(steps, std::memory_order_relaxed);
  if (steps > g.block->plan.max_steps) finish_step_limit();
}

void fill_in_plain_write() {
  if (open_write == nullptr) return;
  open_write->value = peek(open_address, open_size);
  open_write = nullptr;
}

void forget_plain_write() {
  open_write = nullptr;
}

void remember_plain_write(std::uintptr_t address, std::uint16_t size) {
  if (size > 8 || (size & (size - 1)) != 0) return;
  open_write = &g.block->ring[(written - 1) & (kRingEvents - 1)];
  open_address = address;
  open_size = size;
}

void set_operand(std::uint64_t value) {
  operand = value;
}

void record(OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address, LocationId location,
            std::uint64_t value) {
  fill_in_plain_write();
  SharedBlock& block = *g.block;
  if (written - block.ring_consumed.load(std::memory_order_relaxed) >= kRingEvents) wait_for_room();
  VirtualThread& self = *g.current;
  const Place place = address != 0 || size != 0 ? place_of_address(address) : Place{};
  block.ring[written & (kRingEvents - 1)] = {
      kind, bits, size, self.index, place.object, place.offset, location, self.calls.context(), value};
  block.operands[written & (kRingEvents - 1)] = operand;
  operand = kNoPoint;
  ++written;
  block.result.events.store(written, std::memory_order_release);
  ++block.threads[self.index].steps;
  self.clock_reads = 0;
  if (makes_progress(kind, bits)) self.spin.progress();
  count_step();
  if (block.plan.stop_at != 0 && written == block.plan.stop_at) stop_for_debugger();
}

// Kinds whose operand is of their own; for all others it is when and whether they could time out.
bool has_own_operand(OpKind kind) {
  return op_class(kind) == OpClass::kPlain || op_class(kind) == OpClass::kAtomic || kind == OpKind::kCondSignal ||
         kind == OpKind::kBarrierArrive || kind == OpKind::kChoice || kind == OpKind::kFutexWait;
}

std::uint64_t time_operand(const Pending& pending, std::uint8_t bits) {
  const bool timed = pending.deadline != kNever || (bits & kTimeout) != 0;
  return std::uint64_t{g.advances} << 1 | (timed ? 1 : 0);
}

void record_pending(std::uint8_t extra_bits, std::uint64_t value) {
  VirtualThread& self = *g.current;
  const Pending& p = self.pending;
  if (!has_own_operand(p.kind)) operand = time_operand(p, extra_bits);
  if (operand == kNoPoint) operand = 0;
  if (self.spun) {
    self.spun = false;
    extra_bits |= kHadToWait;
  }
  record(p.kind,
         static_cast<std::uint8_t>(p.bits | extra_bits | (self.had_to_wait ? kHadToWait : 0) |
                                   (self.chosen ? kChosen : 0)),
         p.size, p.address, p.location, value);
}

}  // namespace ravel::rt
