// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/reads_from_pairs.h"

#include "explore/event_scan.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostPairs = 1u << 13;
constexpr std::uint32_t kPlaces = 1u << 12;  // slots; a place that is pushed out counts as never written
constexpr std::uint64_t kMostEvents = 1u << 14;

}  // namespace

ReadsFromPairs::ReadsFromPairs(std::pmr::memory_resource& memory)
    : pairs_(memory, kMostPairs),
      last_(static_cast<LastWrite*>(memory.allocate(sizeof(LastWrite) * kPlaces, alignof(LastWrite)))) {
  for (std::uint32_t i = 0; i < kPlaces; ++i) last_[i] = LastWrite{};
}

std::uint32_t ReadsFromPairs::learn(std::uint32_t& count, const TraceView& trace) {
  ++scans_;
  const std::uint32_t known = count;
  scan_events(trace, kMostEvents, [&](const Event& e, std::uint64_t) {
    const bool memory = is_memory_access(e.kind);
    if (!memory && op_class(e.kind) != OpClass::kSync) return;
    const std::uint64_t place = place_of(e);
    LastWrite& last = last_[mix64(place) % kPlaces];
    if (!memory || has_read_effect(e.kind)) {
      const bool written = last.scan == scans_ && last.place == place;
      pairs_.add(count, std::uint64_t{e.location} << 32 | (written ? last.location : LocationId()));
    }
    if (!memory || has_write_effect(e.kind, e.bits)) last = {place, scans_, e.location};
  });
  return count - known;
}

}  // namespace ravel
