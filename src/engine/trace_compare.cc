// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/trace_compare.h"

namespace ravel {

void TraceCompare::begin(Mode mode) {
  mode_ = kept_ != nullptr ? mode : Mode::kOff;
  if (mode_ == Mode::kKeep) kept_count_ = 0;
  seen_ = 0;
  differs_ = false;
}

void TraceCompare::consume(std::span<const Event> events, std::uint64_t first) {
  if (mode_ == Mode::kOff) return;
  for (const Event& e : events) {
    const std::uint64_t at = first++;
    if (mode_ == Mode::kKeep) {
      if (at < kMaxKept) kept_[at] = e;
      kept_count_ = at + 1;
      continue;
    }
    seen_ = at + 1;
    if (differs_ || at >= kMaxKept) continue;
    if (at < kept_count_ && Fingerprint::same(kept_[at], e)) continue;
    differs_ = true;
    differs_at_ = at;
    other_ = e;
  }
}

void TraceCompare::report(DifferenceRecord& out, std::uint64_t execution, OutcomeKind first, OutcomeKind second) const {
  if (mode_ != Mode::kCompare || out.found.load(std::memory_order_relaxed) != 0) return;
  out.execution = execution;
  out.first_outcome = first;
  out.second_outcome = second;
  out.first_ended = out.second_ended = 0;
  std::uint32_t found = 0;
  if (differs_) {
    found = 1;
    out.sequence = differs_at_;
    out.first_ended = differs_at_ >= kept_count_ ? 1 : 0;
    if (out.first_ended == 0) out.first = kept_[differs_at_];
    out.second = other_;
  } else if (seen_ < kept_count_ && seen_ < kMaxKept) {
    found = 1;
    out.sequence = seen_;
    out.second_ended = 1;
    out.first = kept_[seen_];
  } else if (kept_count_ <= kMaxKept && first != second) {
    found = 2;
  }
  out.found.store(found, std::memory_order_release);
}

}  // namespace ravel
