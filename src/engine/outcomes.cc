// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/outcomes.h"

#include <cstring>
#include <string_view>

#include "base/hash.h"
#include "model/outcome_listing.h"
#include "wire/shared_block.h"

namespace ravel {
namespace {

std::string_view text_of(const char* text, std::size_t room) {
  return {text, strnlen(text, room)};
}

std::uint32_t observations_of(const ExecutionResult& result) {
  return result.observations < kMaxObservations ? result.observations : kMaxObservations;
}

// In any order: names differ.
std::uint64_t key_of(const ExecutionResult& result) {
  std::uint64_t sum = mix64(static_cast<std::uint64_t>(result.outcome) + 1);
  for (std::uint32_t i = 0; i < observations_of(result); ++i) {
    const ObservationRecord& seen = result.observation_table[i];
    const std::uint64_t name = hash_bytes(1, text_of(seen.name, sizeof(seen.name)));
    sum += mix64(hash_bytes(name, text_of(seen.value, sizeof(seen.value))));
  }
  // Each event of a sequence that was the first not to come is an end of its own.
  if (result.sequence_done != 0 || result.outcome == OutcomeKind::kHeld) {
    sum += mix64(hash_combine(result.sequence_done, result.sequence_fits));
  }
  return sum == 0 ? 1 : sum;
}

// Two executions with the same one are listed once.
std::uint64_t listed_key(const SharedBlock& block, std::uint64_t sequence) {
  const bool lists_sequences = block.campaign.outcomes == kListSequences;
  if (block.campaign.outcomes == kListTraces || (lists_sequences && sequence == 0)) return block.result.fingerprint | 1;
  return lists_sequences ? hash_combine(sequence, key_of(block.result)) | 1 : key_of(block.result);
}

std::uint64_t offset_of(const SharedBlock& block, const void* at) {
  return static_cast<std::uint64_t>(static_cast<const unsigned char*>(at) - block.arena);
}

}  // namespace

void Outcomes::add(SharedBlock& block, Arena& memory, std::uint64_t number, std::uint32_t committed,
                   std::uint64_t racy_offset, std::uint64_t sequence) {
  count_ = committed;
  dropped_ = false;
  const std::uint64_t key = listed_key(block, sequence);
  const std::uint64_t stamp = (number + 1) << 32;
  std::uint32_t slot = static_cast<std::uint32_t>(key) % kSlots;
  std::uint32_t tried = 0;
  for (; tried < kSlots && slots_[slot] != 0; ++tried, slot = (slot + 1) % kSlots) {
    const std::uint32_t at = slots_[slot] - 1;
    if (at >= count_) break;  // free again
    OutcomeRecord& known = block.outcomes[at];
    if (known.key != key) continue;
    // One store: a repeated execution is not counted again.
    if ((known.seen ^ stamp) >> 32 != 0) known.seen = stamp | ((known.seen + 1) & 0xffffffffu);
    return;
  }
  OutcomeRecord fresh;
  if (count_ == kMaxOutcomes || tried == kSlots || !fill(fresh, block, memory)) {
    dropped_ = true;
    return;
  }
  fresh.key = key;
  fresh.seen = stamp | 1;
  fresh.execution = number;
  fresh.racy_offset = racy_offset;
  block.outcomes[count_] = fresh;
  slots_[slot] = ++count_;
}

bool Outcomes::fill(OutcomeRecord& record, SharedBlock& block, Arena& memory) const {
  const ExecutionResult& result = block.result;
  record.kind = result.outcome;
  record.plan = block.plan;
  record.plan.prefix_kind = PrefixKind::kDecisions;
  record.plan.record_steps = 0;
  record.plan.without_shortcuts = 0;
  record.plan.record_also = RecordAlso::kNothing;
  record.plan.sequence = {};
  record.sequence_fits = result.sequence_fits;
  record.sequence_done = result.sequence_done;
  record.segments = result.segments < kMaxSegments ? result.segments : kMaxSegments;
  record.plan.prefix_segments = record.segments;
  record.observations = observations_of(result);
  if (record.segments != 0) {
    void* copy = memory.try_allocate(sizeof(Segment) * record.segments);
    if (copy == nullptr) return false;
    std::memcpy(copy, block.schedule, sizeof(Segment) * record.segments);
    record.segments_offset = offset_of(block, copy);
  }
  if (record.observations == 0) return true;
  void* room = memory.try_allocate(sizeof(ObservationRecord) * record.observations);
  if (room == nullptr) return false;
  auto* list = static_cast<ObservationRecord*>(room);
  for (std::uint32_t i = 0; i < record.observations; ++i) {
    std::uint32_t at = i;
    for (; at > 0 && std::strncmp(list[at - 1].name, result.observation_table[i].name, sizeof(list[0].name)) > 0;
         --at) {
      list[at] = list[at - 1];
    }
    list[at] = result.observation_table[i];
  }
  record.observations_offset = offset_of(block, room);
  return true;
}

}  // namespace ravel
