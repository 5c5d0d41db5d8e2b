// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Static facts as strategies and policies see them: numbers only, by code locations of the program that runs. A view;
// the memory is read-only and outlives the campaign (wire/facts_table.h). Without facts everything is empty.
//
// Invariants: `places` is sorted by location and `points` too; ranges and indices are within their lists.
#pragma once

#include <cstdint>
#include <span>

#include "base/sorted.h"
#include "model/event.h"
#include "model/guide.h"
#include "model/kept_pair.h"
#include "model/plan.h"
#include "model/reach.h"

namespace ravel {

// Operations of the sources that one call-out of the program may be.
struct FactPlace {
  LocationId location = 0;
  std::uint32_t sites_begin = 0;  // of `place_sites`
  std::uint32_t sites_end = 0;
};

// An operation of one class of threads.
struct FactSite {
  std::uint32_t thread_class = 0;
  std::uint32_t kind = 0;            // SiteKind of statics/facts.h
  std::uint32_t partners_begin = 0;  // of `partners`
  std::uint32_t partners_end = 0;
};

struct FactPartner {
  std::uint32_t site = 0;
  std::uint32_t kind = 0;  // PairKind of statics/facts.h
  std::uint32_t must = 0;  // not 0: both touch one object, and it is the same
};

// Places at which threads are held back together: what a warning is about. 0 ends the list.
struct FactTry {
  LocationId at[kMaxParkPlaces] = {};
};

struct StaticFacts {
  std::span<const FactPlace> places{};
  std::span<const std::uint32_t> place_sites{};
  std::span<const FactSite> sites{};
  std::span<const FactPartner> partners{};
  std::span<const LocationId> points{};  // plain accesses that are scheduling points from the start
  std::span<const FactTry> tries{};      // warnings, the likeliest first
  Guide guide{};                         // of a guided search
  ReachTable reach{};                    // of a search by goals
  std::span<const LocationId> focus{};   // ... places of the user's code that it looks at first, sorted
  std::span<const KeptPair> kept{};      // ... what earlier runs have shown

  // The operations that `location` may be; empty: none that is known.
  [[nodiscard]] std::span<const std::uint32_t> sites_at(LocationId location) const {
    const std::size_t at = first_not(places.size(), [&](std::size_t i) { return places[i].location < location; });
    if (at == places.size() || places[at].location != location) return {};
    return place_sites.subspan(places[at].sites_begin, places[at].sites_end - places[at].sites_begin);
  }
  [[nodiscard]] std::span<const FactPartner> partners_of(std::uint32_t site) const {
    const FactSite& one = sites[site];
    return partners.subspan(one.partners_begin, one.partners_end - one.partners_begin);
  }
};

}  // namespace ravel
