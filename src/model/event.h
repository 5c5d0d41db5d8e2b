// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Event: one executed visible operation, 32 bytes. Its position in the trace is its sequence number.
// Names (threads, objects, locations, calling contexts) live in the side tables of model/tables.h.
#pragma once

#include <cstdint>

#include "model/ids.h"
#include "model/operation.h"

namespace ravel {

// The low three bits of Event::bits are the memory order as the compilers number it (__ATOMIC_*).
inline constexpr std::uint8_t kOrderMask = 0x07;
inline constexpr std::uint8_t kVolatile = 0x01;   // instead, of a plain access: through a volatile lvalue
inline constexpr std::uint8_t kFailed = 0x08;     // try-lock, CAS, timed lock that did not succeed
inline constexpr std::uint8_t kTimeout = 0x10;    // ended by time-out
inline constexpr std::uint8_t kSpurious = 0x20;   // woken without a signal
inline constexpr std::uint8_t kChosen = 0x40;     // a real choice (two or more enabled threads) preceded it
inline constexpr std::uint8_t kHadToWait = 0x80;  // was disabled for a while before it could run

struct Event {
  OpKind kind = OpKind::kNone;
  std::uint8_t bits = 0;
  std::uint16_t size = 0;  // bytes of a memory access; longer ranges are several events
  ThreadIndex thread = 0;
  ObjectId object = 0;
  std::uint32_t offset = 0;  // within the object
  LocationId location = 0;
  ContextId context = 0;
  std::uint64_t value = 0;  // meaning by kind, see OpKind

  [[nodiscard]] int order() const { return bits & kOrderMask; }
  [[nodiscard]] bool failed() const { return (bits & kFailed) != 0; }
};
static_assert(sizeof(Event) == 32);

// One memory place: what dependence, locks and clocks are keyed by.
inline constexpr std::uint64_t place_of(const Event& e) {
  return (static_cast<std::uint64_t>(e.object) << 32) | e.offset;
}

}  // namespace ravel
