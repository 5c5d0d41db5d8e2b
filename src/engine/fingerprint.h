// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fingerprint of an execution: a hash over the events as they are, equal for the same binary and the same schedule.
// Left out: values (addresses may be in them) but those that are alternatives of the schedule, context numbers (they
// depend on what ran before in this process; the location is in), and the two bits that tell how the event came to run
// rather than what it did.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/hash.h"
#include "model/event.h"

namespace ravel {

class Fingerprint {
 public:
  // Of the event by itself.
  [[nodiscard]] static std::uint64_t word_of(const Event& e) {
    std::uint64_t word = fold(what_and_who(e) * kFactor, place_of(e));
    word = fold(word, e.location);
    if (has_alternative(e.kind)) word = fold(word, e.value);
    return word;
  }
  // The value says what the schedule chose: a data choice, whom a signal woke, which message arrived. Two executions
  // can differ in nothing else, as when everybody is woken by a broadcast in the end.
  [[nodiscard]] static constexpr bool has_alternative(OpKind kind) {
    return kind == OpKind::kChoice || kind == OpKind::kCondSignal || kind == OpKind::kDeliver ||
           kind == OpKind::kSelect;
  }
  void add(std::uint64_t word) { state_ = fold(state_, word); }
  void add(const Event& e) { add(word_of(e)); }
  // Whether two events add the same.
  [[nodiscard]] static bool same(const Event& a, const Event& b) {
    constexpr std::uint8_t kLeftOut = kChosen | kHadToWait;
    return a.kind == b.kind && (a.bits & ~kLeftOut) == (b.bits & ~kLeftOut) && a.size == b.size &&
           a.thread == b.thread && place_of(a) == place_of(b) && a.location == b.location &&
           (!has_alternative(a.kind) || a.value == b.value);
  }
  [[nodiscard]] std::uint64_t value() const { return mix64(state_); }

  static std::uint64_t fold(std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * kFactor;
    return state ^ (state >> 29);
  }

 private:
  // Kind, bits, size and thread as they lie in memory: one load, where putting the four together takes nine operations.
  static std::uint64_t what_and_who(const Event& e) {
    static_assert(std::endian::native == std::endian::little && offsetof(Event, kind) == 0 &&
                  offsetof(Event, bits) == 1 && offsetof(Event, size) == 2 && offsetof(Event, thread) == 4 &&
                  offsetof(Event, object) == 8);
    constexpr std::uint64_t kLeftOut = kChosen | kHadToWait;
    std::uint64_t word = 0;
    std::memcpy(&word, &e, sizeof(word));
    return word & ~(kLeftOut << 8);
  }

  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ull;
  std::uint64_t state_ = 0x243f6a8885a308d3ull;
};

}  // namespace ravel
