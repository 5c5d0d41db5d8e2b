// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What plain and atomic accesses have in common on their way to a point and an event.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/record/stretch.h"
#include "runtime/schedule/spin_point.h"
#include "runtime/state/spin_watch.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

inline constexpr std::uint16_t kWordBytes = 8;  // longer values are not looked at

inline void announce(VirtualThread& self, OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address,
                     LocationId location) {
  Pending& pending = self.pending;
  pending.kind = kind;
  pending.bits = bits;
  pending.size = size;
  pending.location = location;
  pending.address = address;
  pending.value = 0;
  pending.enabled = nullptr;
  pending.deadline = kNever;
  pending.may_wake_spuriously = false;
  pending.spinning = false;
  pending.silent = false;
}

// How the thread came to execute what it had announced.
inline std::uint8_t with_scheduling_bits(VirtualThread& self, std::uint8_t bits) {
  const bool waited = self.had_to_wait | self.spun;
  self.spun = false;
  return static_cast<std::uint8_t>(bits | waited * kHadToWait | self.chosen * kChosen);
}

}  // namespace ravel::rt
