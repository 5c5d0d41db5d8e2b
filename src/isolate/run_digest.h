// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a run of a plan was, in short: two runs are the same when their digests are.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "engine/event_sink.h"
#include "engine/fingerprint.h"
#include "wire/shared_block.h"

namespace ravel {

struct RunDigest {
  std::uint64_t fingerprint = 0;
  std::uint64_t events = 0;
  std::uint64_t steps = 0;
  std::uint64_t output = 0;
  OutcomeKind outcome = OutcomeKind::kNotRun;
  std::int32_t exit_status = 0;
  std::int32_t signal = 0;
  std::uint32_t decisions = 0;
  std::uint32_t threads = 0;
  std::uint32_t objects = 0;
  std::uint64_t virtual_ns = 0;
  LocationId location = 0;
};

// Everything that decides which memory an execution writes: the choices made, and what the runtime itself does besides
// following them. Never 0.
inline std::uint64_t choices_key(const SharedBlock& block) {
  const PolicySpec& policy = block.plan.policy;
  std::uint64_t hash = hash_combine(static_cast<std::uint64_t>(policy.kind), policy.depth);
  hash = hash_combine(hash, (std::uint64_t{block.plan.points_version} << 32) | block.plan.prefix_segments);
  hash = hash_combine(hash, block.result.steps.load(std::memory_order_relaxed));
  for (std::uint32_t i = 0; i < block.result.segments; ++i) {
    hash = hash_combine(hash, (std::uint64_t{block.schedule[i].thread} << 32) | block.schedule[i].count);
  }
  return hash == 0 ? 1 : hash;
}

// Computes the fingerprint on the way to another sink, if there is one.
class DigestSink final : public EventSink {
 public:
  explicit DigestSink(EventSink* behind) : behind_(behind) {}
  void consume(std::span<const Event> events, std::uint64_t first) override {
    for (const Event& event : events) fingerprint_.add(event);
    if (behind_ != nullptr) behind_->consume(events, first);
  }
  [[nodiscard]] RunDigest digest(const ExecutionResult& result, std::uint64_t output) const {
    return {fingerprint_.value(), result.events.load(), result.steps.load(), output,
            result.outcome,       result.exit_status,   result.signal,       result.decisions,
            result.threads,       result.objects,       result.virtual_ns,   result.location};
  }

 private:
  Fingerprint fingerprint_;
  EventSink* behind_;
};

// The first thing that differs, nullptr if nothing does.
inline const char* difference(const RunDigest& a, const RunDigest& b) {
  if (a.outcome != b.outcome || a.signal != b.signal || a.location != b.location) return "it ended differently";
  if (a.exit_status != b.exit_status) return "its exit status differed";
  if (a.threads != b.threads) return "the number of threads differed";
  if (a.decisions != b.decisions || a.steps != b.steps || a.events != b.events) return "the number of events differed";
  if (a.fingerprint != b.fingerprint || a.objects != b.objects) return "the events differed";
  if (a.virtual_ns != b.virtual_ns) return "the virtual time differed";
  if (a.output != b.output) return "the output differed";
  return nullptr;
}

}  // namespace ravel
