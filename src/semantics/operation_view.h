// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What semantics and policies see of an operation, whether it is still pending (runtime) or already an Event (trace).
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel {

struct OperationView {
  OpKind kind = OpKind::kNone;
  std::uint8_t bits = 0;   // order and flags as in Event::bits
  std::uint16_t size = 0;  // bytes accessed
  ThreadIndex thread = 0;
  std::uint64_t place = 0;  // address (runtime) or place_of (trace): equal places are equal, ranges overlap by size
  std::uint64_t value = 0;  // as Event::value; for a pending create/join the other thread
  LocationId location = 0;
};

inline OperationView view_of(const Event& e) {
  return {e.kind, e.bits, e.size, e.thread, place_of(e), e.value, e.location};
}

}  // namespace ravel
