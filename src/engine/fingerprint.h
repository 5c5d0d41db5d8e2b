// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fingerprint of an execution: a hash over the events as they are, equal for the same binary and the same schedule.
// Left out: values (addresses may be in them) but those that are alternatives of the schedule, context numbers (they
// depend on what ran before in this process; the location is in), and the two bits that tell how the event came to run
// rather than what it did.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "model/event.h"

namespace ravel {

class Fingerprint {
 public:
  // Of the event by itself.
  [[nodiscard]] static std::uint64_t word_of(const Event& e) {
    const std::uint64_t bits = e.bits & ~(kChosen | kHadToWait);
    std::uint64_t word =
        static_cast<std::uint64_t>(e.kind) | bits << 8 | std::uint64_t{e.size} << 16 | std::uint64_t{e.thread} << 32;
    word = fold(word * kFactor, place_of(e));
    word = fold(word, e.location);
    if (has_alternative(e.kind)) word = fold(word, e.value);
    return word;
  }
  // The value says what the schedule chose: a data choice, whom a signal woke, which message arrived. Two executions
  // can differ in nothing else, as when everybody is woken by a broadcast in the end.
  [[nodiscard]] static constexpr bool has_alternative(OpKind kind) {
    return kind == OpKind::kChoice || kind == OpKind::kCondSignal || kind == OpKind::kDeliver;
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
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ull;
  std::uint64_t state_ = 0x243f6a8885a308d3ull;
};

}  // namespace ravel
