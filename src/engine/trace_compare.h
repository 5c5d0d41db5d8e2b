// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// TraceCompare: keeps the events of one run of a plan and finds the first event in which another run of it differs, by
// what the fingerprint is made of. The first difference of a campaign is written into shared memory for the report.
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"
#include "engine/fingerprint.h"
#include "wire/progress.h"

namespace ravel {

class TraceCompare {
 public:
  static constexpr std::uint32_t kMaxKept = 1u << 18;  // events; a later difference is not named

  TraceCompare(Arena& memory, bool needed) {
    if (needed) kept_ = static_cast<Event*>(memory.try_allocate(sizeof(Event) * kMaxKept));
  }

  // What the next events are: those to keep, those to compare, or of no interest.
  enum class Mode : std::uint8_t { kOff, kKeep, kCompare };
  void begin(Mode mode);
  void consume(std::span<const Event> events, std::uint64_t first);
  // After both runs: writes the difference down, if it is the first one.
  void report(DifferenceRecord& out, std::uint64_t execution, OutcomeKind first, OutcomeKind second) const;

 private:
  Event* kept_ = nullptr;
  std::uint64_t kept_count_ = 0;  // of the first run, also beyond what is kept
  std::uint64_t seen_ = 0;        // of the second run
  std::uint64_t differs_at_ = 0;
  bool differs_ = false;
  Event other_;
  Mode mode_ = Mode::kOff;
};

}  // namespace ravel
