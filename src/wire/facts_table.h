// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Static facts as one flat table: a header, then the lists of StaticFacts one behind the other. The tool writes it into
// a memfd, seals it and hands the descriptor over (Campaign::facts_fd); the runtime maps it read-only at kFactsAddress,
// so that neither the program nor a strategy can change it and a resumed campaign finds it where it was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/static_facts.h"
#include "wire/version.h"

namespace ravel {

inline constexpr std::uint64_t kFactsAddress = 0x50c000000000ull;
inline constexpr std::size_t kMaxFactsBytes = std::size_t{256} << 20;

struct FactsTableHeader {
  std::uint64_t magic = kWireMagic;
  std::uint32_t version = kWireVersion;
  std::uint32_t places = 0;  // how many of each
  std::uint32_t place_sites = 0;
  std::uint32_t sites = 0;
  std::uint32_t partners = 0;
  std::uint32_t points = 0;
  std::uint32_t tries = 0;
  std::uint32_t goal_entries = 0;
  std::uint32_t goal_locations = 0;
  std::uint32_t guide_places = 0;
  std::uint32_t guide_distances = 0;
  std::uint32_t slice_threads = 0;
  std::uint32_t slice_lines = 0;
  std::uint32_t property = 0;
  std::uint32_t reach_places = 0;
  std::uint32_t reach_columns = 0;
  std::uint32_t reach_words = 0;
  std::uint32_t creations = 0;
  std::uint32_t focus = 0;
  std::uint32_t kept = 0;
  std::uint32_t pad = 0;
  std::uint64_t bytes = 0;  // of all, the header included
};

inline std::uint64_t facts_bytes(const FactsTableHeader& header) {
  return sizeof(FactsTableHeader) + sizeof(FactPlace) * std::uint64_t{header.places} +
         sizeof(std::uint32_t) * std::uint64_t{header.place_sites} + sizeof(FactSite) * std::uint64_t{header.sites} +
         sizeof(FactPartner) * std::uint64_t{header.partners} + sizeof(LocationId) * std::uint64_t{header.points} +
         sizeof(FactTry) * std::uint64_t{header.tries} + sizeof(GoalEntry) * std::uint64_t{header.goal_entries} +
         sizeof(LocationId) * std::uint64_t{header.goal_locations} +
         sizeof(GuidePlace) * std::uint64_t{header.guide_places} +
         sizeof(std::uint32_t) * std::uint64_t{header.guide_distances} +
         sizeof(SliceThread) * std::uint64_t{header.slice_threads} +
         sizeof(std::uint32_t) * std::uint64_t{header.slice_lines} +
         sizeof(PropertyStep) * std::uint64_t{header.property} +
         sizeof(ReachPlace) * std::uint64_t{header.reach_places} +
         sizeof(LocationId) * std::uint64_t{header.reach_columns} +
         sizeof(std::uint32_t) * std::uint64_t{header.reach_words} +
         sizeof(ReachCreation) * std::uint64_t{header.creations} + sizeof(LocationId) * std::uint64_t{header.focus} +
         sizeof(KeptPair) * std::uint64_t{header.kept};
}

// Whether `bytes` bytes at `header` are a table of this version.
inline bool is_facts_table(const FactsTableHeader& header, std::uint64_t bytes) {
  return header.magic == kWireMagic && header.version == kWireVersion && header.bytes == bytes &&
         facts_bytes(header) == bytes;
}

// Null: no facts. All records consist of 32-bit numbers, so that each list is aligned where the one before ends.
inline StaticFacts facts_in(const FactsTableHeader* header) {
  StaticFacts facts;
  if (header == nullptr) return facts;
  const auto* at = reinterpret_cast<const unsigned char*>(header + 1);
  const auto take = [&]<class T>(std::span<const T>& list, std::uint32_t count) {
    list = {reinterpret_cast<const T*>(at), count};
    at += sizeof(T) * std::uint64_t{count};
  };
  take(facts.places, header->places);
  take(facts.place_sites, header->place_sites);
  take(facts.sites, header->sites);
  take(facts.partners, header->partners);
  take(facts.points, header->points);
  take(facts.tries, header->tries);
  take(facts.guide.entries, header->goal_entries);
  take(facts.guide.locations, header->goal_locations);
  take(facts.guide.places, header->guide_places);
  take(facts.guide.distances, header->guide_distances);
  take(facts.guide.slice, header->slice_threads);
  take(facts.guide.lines, header->slice_lines);
  take(facts.guide.property, header->property);
  take(facts.reach.places, header->reach_places);
  take(facts.reach.columns, header->reach_columns);
  take(facts.reach.words, header->reach_words);
  take(facts.reach.creations, header->creations);
  take(facts.focus, header->focus);
  take(facts.kept, header->kept);  // the last: a resumed campaign may have other ones
  return facts;
}

}  // namespace ravel
