// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sequence of places as the worker sees it (model/guide.h): which locations of the program each place is, and how far
// every call of the user's code is from it by the facts' code graph. Without facts distances are unknown and only the
// order of the places guides.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/guide.h"
#include "model/text/result.h"
#include "statics/distances.h"
#include "statics/facts.h"
#include "statics/place_match.h"
#include "statics/sequence.h"
#include "statics/user_places.h"

namespace ravel {

// The lists of Guide, and plain accesses that have to be scheduling points.
struct GuideLists {
  std::vector<GoalEntry> entries;
  std::vector<LocationId> locations;
  std::vector<GuidePlace> places;
  std::vector<std::uint32_t> distances;
  std::vector<LocationId> points;
  std::vector<SliceThread> slice;
  std::vector<std::uint32_t> lines;
  std::vector<PropertyStep> property;
};

// Of one program, for many sequences.
class GuideMaker {
 public:
  // `facts` and `match` live as long as the maker; null: there are none.
  GuideMaker(const std::string& program, const Facts* facts, const PlaceMatch* match);

  // An error names the place that no code is at, or that no thread can execute, and what is near.
  [[nodiscard]] Result<GuideLists> make(const LocationSequence& sequence) const;
  // Of a search by values: distances to the failing nodes, and how far the values in memory are.
  [[nodiscard]] GuideLists make_property(const std::vector<unsigned>& failing,
                                         std::vector<PropertyStep> property) const;
  // Of a sliced search: places that have to be reached all at once, the lines of the slice, and lines whose plain
  // accesses are points. Lines by the file's name without folders.
  using Lines = std::set<std::pair<std::string, unsigned>>;
  [[nodiscard]] Result<GuideLists> make_slice(const LocationSequence& targets, const Lines& lines,
                                              const Lines& points) const;
  // Beside GuideLists::places.
  [[nodiscard]] const std::vector<UserPlace>& places() const { return places_; }

 private:
  [[nodiscard]] Result<std::vector<LocationId>> locations_of(const SequencePlace& one) const;
  [[nodiscard]] std::vector<const UserPlace*> calls_at(const SequencePlace& one) const;
  [[nodiscard]] std::vector<unsigned> nodes_of(const CodePlace& place) const;
  [[nodiscard]] Error no_code_at(const SequencePlace& one) const;
  void add_points(const SequencePlace& one, const std::vector<LocationId>& locations, GuideLists& lists) const;
  [[nodiscard]] std::vector<Distances> columns_for(const LocationSequence& sequence,
                                                   const std::vector<unsigned>& failing, const GuideLists& lists) const;
  [[nodiscard]] std::vector<unsigned> failing_nodes() const;
  void add_distances(const std::vector<Distances>& columns, GuideLists& lists) const;
  [[nodiscard]] bool is_never_called(const SequencePlace& one) const;
  [[nodiscard]] Result<void> check_reachable(const LocationSequence& sequence) const;

  const Facts* facts_;
  const PlaceMatch* match_;
  std::vector<UserPlace> places_;
  std::map<std::pair<std::string, unsigned>, std::vector<unsigned>> nodes_;  // of the graph, by file's name and line
};

}  // namespace ravel
