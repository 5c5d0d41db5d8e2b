// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/findings.h"

#include <cstring>
#include <string_view>

#include "base/hash.h"
#include "wire/shared_block.h"

namespace ravel {
namespace {

constexpr unsigned kSeenBits = 24;
constexpr std::uint64_t kSeenMask = (std::uint64_t{1} << kSeenBits) - 1;

std::uint64_t waiting_key(const ExecutionResult& result) {
  const std::uint32_t n = result.waiting < kMaxWaiting ? result.waiting : kMaxWaiting;
  std::uint64_t sum = 0;  // in any order
  for (std::uint32_t i = 0; i < n; ++i) {
    const WaitingRecord& w = result.waiting_table[i];
    sum += mix64(hash_combine(static_cast<std::uint64_t>(w.wants), w.location));
  }
  return sum;
}

}  // namespace

std::uint64_t outcome_key(const ExecutionResult& result) {
  std::uint64_t key = hash_combine(0, static_cast<std::uint64_t>(result.outcome));
  if (result.outcome == OutcomeKind::kDeadlock || result.outcome == OutcomeKind::kStepLimit) {
    return hash_combine(key, waiting_key(result));
  }
  key = hash_combine(key, result.location);
  if (result.outcome == OutcomeKind::kSignal) key = hash_combine(key, static_cast<std::uint32_t>(result.signal));
  if (result.outcome == OutcomeKind::kExitCode) key = hash_combine(key, static_cast<std::uint32_t>(result.exit_status));
  if (is_about_heap(result.outcome)) {
    // Places only: offset and size may differ between uses of one mistake.
    return hash_combine(hash_combine(key, result.heap.freed.location), result.heap.allocated.location);
  }
  return hash_bytes(key, std::string_view(result.message, strnlen(result.message, kMessageBytes)));
}

std::uint64_t race_key(const RaceRecord& race) {
  const std::uint64_t a = race.first.location;
  const std::uint64_t b = race.second.location;
  const std::uint64_t pair = a < b ? (a << 32 | b) : (b << 32 | a);
  return hash_combine(hash_combine(0, static_cast<std::uint64_t>(OutcomeKind::kDataRace)), pair);
}

void Findings::begin(std::uint64_t number, std::uint32_t committed, std::uint64_t racy_offset) {
  number_ = number;
  count_ = committed;
  dropped_ = 0;
  racy_offset_ = racy_offset;
  segments_offset_ = 0;
}

void Findings::add(SharedBlock& block, Arena& memory, std::uint64_t key, OutcomeKind kind, FindingSource source,
                   EventPair pair) {
  const std::uint64_t stamp = (number_ + 1) << kSeenBits;
  for (std::uint32_t i = 0; i < count_; ++i) {
    FindingSeed& known = block.findings[i];
    if (known.key != key || known.source != source) continue;
    if ((seen_[i] & ~kSeenMask) == stamp) return;
    const std::uint64_t times = (seen_[i] & kSeenMask) + 1;
    seen_[i] = stamp | (times & kSeenMask);
    known.times_seen = static_cast<std::uint32_t>(times);
    return;
  }
  if (count_ == kMaxFindings) {
    ++dropped_;
    return;
  }
  const std::uint32_t segments = block.result.segments < kMaxSegments ? block.result.segments : kMaxSegments;
  if (segments_offset_ == 0 && segments != 0) {  // one copy for all findings of this execution
    void* copy = memory.try_allocate(sizeof(Segment) * segments);
    if (copy == nullptr) {
      ++dropped_;
      return;
    }
    std::memcpy(copy, block.schedule, sizeof(Segment) * segments);
    segments_offset_ = static_cast<std::uint64_t>(static_cast<unsigned char*>(copy) - block.arena);
  }
  FindingSeed& seed = block.findings[count_];
  seed.key = key;
  seed.kind = kind;
  seed.source = source;
  seed.pair = pair;
  seed.execution = number_;
  seed.plan = block.plan;
  seed.plan.prefix_segments = segments;
  seed.plan.prefix_kind = PrefixKind::kDecisions;
  seed.plan.record_steps = 0;
  seed.plan.without_shortcuts = 0;
  seed.plan.record_also = RecordAlso::kNothing;
  seed.plan.sequence = {};  // the schedule means the same without it
  seed.segments_offset = segments_offset_;
  seed.segments = segments;
  seed.times_seen = 1;
  seed.racy_offset = racy_offset_;
  seen_[count_] = stamp | 1;
  ++count_;
}

}  // namespace ravel
