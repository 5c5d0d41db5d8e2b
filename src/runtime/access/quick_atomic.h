// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomic operations of up to 8 bytes in their most frequent form: by the program's own code, on an object that was
// accessed before, at a quick point. All of it is inline, and does what atomic_begin() and atomic_end() do then.
#pragma once

#include <cstdint>

#include "runtime/access/access_common.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/schedule/stack_check.h"
#include "runtime/state/locations.h"

namespace ravel::rt {

// The operation of the running thread at a quick point, where another thread was drawn. Returns when it is its turn
// again; the address may be in another object then. False: the long way has to be taken, and nothing was done; it finds
// the draw.
bool pass_drawn_point(const PendingOperation& operation, Place& place);

template <typename Word>
class QuickAtomic {
 public:
  static constexpr bool kPossible = sizeof(Word) <= kWordBytes;

  __attribute__((always_inline)) QuickAtomic(const volatile Word* p, std::uintptr_t pc)
      : self_(*g.current),
        address_(reinterpret_cast<std::uintptr_t>(p)),
        in_code_(pc - g_executable.base),
        recent_(recent_object(address_)),
        place_{recent_.object, static_cast<std::uint32_t>(address_ - recent_.base)} {}

  // False: this one goes the long way, and nothing was done.
  __attribute__((always_inline)) bool begins(OpKind kind, int order) {
    const std::uintptr_t offset = address_ - recent_.base;
    const bool ordinary = in_code_ < g_executable.bytes && offset + (sizeof(Word) - 1) < recent_.bytes &&
                          may_be_quick_point(self_) && self_.calls.context_is_known() && address_ % sizeof(Word) == 0 &&
                          (!in_stacks(address_) || address_ - self_.stack_low < self_.stack_bytes);
    if (__builtin_expect(!ordinary, 0)) return false;
    settle_quiet_accesses(self_);
    if (kind != OpKind::kAtomicStore && !self_.spin.is_new(address_)) return false;
    if (!draws_running(self_)) {
      if (!pass_drawn_point({kind, order_bits(order), sizeof(Word), location(), address_, 0}, place_)) return false;
      bits_ = with_scheduling_bits(self_, 0);
      return true;
    }
    self_.accessing = location();
    fill_in_plain_write();
    bits_ = pass_quick_point(self_);
    return true;
  }

  // After the operation. `read`: what stood there, `value` and `operand`: as the event has them.
  __attribute__((always_inline)) void ends(OpKind kind, int order, bool failed, bool wrote, std::uint64_t read,
                                           std::uint64_t value, std::uint64_t operand) {
    if (wrote) {
      if (self_.spin.active()) self_.spin.progress();
    } else if (kind != OpKind::kAtomicStore) {
      self_.spin.first_read(address_, sizeof(Word), read, location());
    }
    if (__builtin_expect(g.block->plan.record_steps != 0, 0)) {
      g.block->operands[g_recorder.written & (kRingEvents - 1)] = operand;
    }
    const auto bits = static_cast<std::uint8_t>(bits_ | order_bits(order) | (failed ? kFailed : 0));
    const bool check = put_event(self_, next_event(), kind, bits, sizeof(Word), place_, location(),
                                 self_.calls.known_context(), value);
    if (is_filtered(address_)) forget_word(address_ - kFilteredFrom);
    begin_stretch(self_);
    if (__builtin_expect(check, 0)) {
      // The execution may end here: this is what the thread was at.
      announce(self_, kind, order_bits(order), sizeof(Word), address_, location());
      check_after_event();
    }
  }

 private:
  static std::uint8_t order_bits(int order) { return static_cast<std::uint8_t>(order & kOrderMask); }
  [[nodiscard]] LocationId location() const { return static_cast<LocationId>(in_code_); }

  VirtualThread& self_;
  const std::uintptr_t address_;
  const std::uintptr_t in_code_;
  const RecentObject& recent_;
  Place place_;
  std::uint8_t bits_ = 0;
};

}  // namespace ravel::rt
