// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/facts_table.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "wire/facts_table.h"

namespace ravel {
namespace {

constexpr std::size_t kMostTries = 1'024;

bool is_plain(const MatchedPlace& place) {
  return std::any_of(place.kinds.begin(), place.kinds.end(),
                     [](SiteKind kind) { return kind == SiteKind::kRead || kind == SiteKind::kWrite; });
}

template <class T>
void append(std::string& bytes, const std::vector<T>& list) {
  bytes.append(reinterpret_cast<const char*>(list.data()), sizeof(T) * list.size());
}

class TableMaker {
 public:
  TableMaker(const Facts& facts, const PlaceMatch& match) : facts_(facts), match_(match) {
    for (const SitePair& pair : facts.pairs) {
      partners_[pair.first].push_back({pair.second, static_cast<std::uint32_t>(pair.kind), pair.must ? 1u : 0u});
      if (pair.first != pair.second)
        partners_[pair.second].push_back({pair.first, static_cast<std::uint32_t>(pair.kind), pair.must ? 1u : 0u});
    }
    for (const MatchedPlace& place : match.places) {
      for (const unsigned site : place.sites) locations_[line_of(site)].insert(place.location);
      const auto writes = [](SiteKind kind) { return kind == SiteKind::kWrite || kind == SiteKind::kAtomicWrite; };
      if (std::any_of(place.kinds.begin(), place.kinds.end(), writes)) writes_.insert(place.location);
    }
  }

  FactsTable make(FactPoints which, const GuideLists& guide, const ReachLists& reach) {
    add_tries();
    add_points(which);
    points_.insert(guide.points.begin(), guide.points.end());
    FactsTableHeader header;
    std::vector<FactPlace> places;
    std::vector<std::uint32_t> place_sites;
    for (const MatchedPlace& place : match_.places) {
      if (place.sites.empty()) continue;
      const auto begin = static_cast<std::uint32_t>(place_sites.size());
      place_sites.insert(place_sites.end(), place.sites.begin(), place.sites.end());
      places.push_back({place.location, begin, static_cast<std::uint32_t>(place_sites.size())});
    }
    std::vector<FactSite> sites;
    std::vector<FactPartner> partners;
    for (unsigned i = 0; i < facts_.sites.size(); ++i) {
      const auto begin = static_cast<std::uint32_t>(partners.size());
      if (const auto found = partners_.find(i); found != partners_.end()) {
        partners.insert(partners.end(), found->second.begin(), found->second.end());
      }
      sites.push_back({facts_.sites[i].thread_class, static_cast<std::uint32_t>(facts_.sites[i].kind), begin,
                       static_cast<std::uint32_t>(partners.size())});
    }
    const std::vector<LocationId> points(points_.begin(), points_.end());
    header.places = static_cast<std::uint32_t>(places.size());
    header.place_sites = static_cast<std::uint32_t>(place_sites.size());
    header.sites = static_cast<std::uint32_t>(sites.size());
    header.partners = static_cast<std::uint32_t>(partners.size());
    header.points = static_cast<std::uint32_t>(points.size());
    header.tries = static_cast<std::uint32_t>(tries_.size());
    count(header, guide, reach);
    header.bytes = facts_bytes(header);
    FactsTable table;
    table.points = header.points;
    table.tries = header.tries;
    table.bytes.assign(reinterpret_cast<const char*>(&header), sizeof header);
    append(table.bytes, places);
    append(table.bytes, place_sites);
    append(table.bytes, sites);
    append(table.bytes, partners);
    append(table.bytes, points);
    append(table.bytes, tries_);
    append(table.bytes, guide.entries);
    append(table.bytes, guide.locations);
    append(table.bytes, guide.places);
    append(table.bytes, guide.distances);
    append(table.bytes, guide.slice);
    append(table.bytes, guide.lines);
    append(table.bytes, guide.property);
    append(table.bytes, reach.places);
    append(table.bytes, reach.columns);
    append(table.bytes, reach.words);
    append(table.bytes, reach.creations);
    append(table.bytes, reach.focus);
    return table;
  }

 private:
  static void count(FactsTableHeader& header, const GuideLists& guide, const ReachLists& reach) {
    header.goal_entries = static_cast<std::uint32_t>(guide.entries.size());
    header.goal_locations = static_cast<std::uint32_t>(guide.locations.size());
    header.guide_places = static_cast<std::uint32_t>(guide.places.size());
    header.guide_distances = static_cast<std::uint32_t>(guide.distances.size());
    header.slice_threads = static_cast<std::uint32_t>(guide.slice.size());
    header.slice_lines = static_cast<std::uint32_t>(guide.lines.size());
    header.property = static_cast<std::uint32_t>(guide.property.size());
    header.reach_places = static_cast<std::uint32_t>(reach.places.size());
    header.reach_columns = static_cast<std::uint32_t>(reach.columns.size());
    header.reach_words = static_cast<std::uint32_t>(reach.words.size());
    header.creations = static_cast<std::uint32_t>(reach.creations.size());
    header.focus = static_cast<std::uint32_t>(reach.focus.size());
  }

  // A line and whether memory, locks or conditions are meant: compilers split and join the accesses of a line.
  using Line = std::tuple<std::string, unsigned, bool>;

  [[nodiscard]] Line line_of(unsigned site) const {
    const Site& one = facts_.sites[site];
    return {one.place.file, one.place.line, one.kind <= SiteKind::kAtomicWrite};
  }

  // All places of a warning together, so that threads gather there, and those of each line alone: both orders. Of an
  // atomicity violation the second access comes first: threads that are held back there have done the first. So of a
  // race the writes: an update that is no atomic one has been read by then.
  void add_tries() {
    for (const StaticWarning& warning : facts_.warnings) {
      std::set<LocationId> all;
      std::vector<std::set<LocationId>> lines;
      for (const unsigned site : warning.sites) {
        const auto found = locations_.find(line_of(site));
        if (found == locations_.end()) continue;
        all.insert(found->second.begin(), found->second.end());
        lines.push_back(found->second);
      }
      if (warning.kind == "race") add_try(writes_of(all));
      if (warning.kind != "atomicity") add_try(all);
      for (auto line = lines.rbegin(); line != lines.rend(); ++line) add_try(*line);
      add_try(all);
    }
  }

  [[nodiscard]] std::set<LocationId> writes_of(const std::set<LocationId>& places) const {
    std::set<LocationId> writes;
    for (const LocationId place : places) {
      if (writes_.count(place) != 0) writes.insert(place);
    }
    return writes;
  }

  void add_try(const std::set<LocationId>& places) {
    if (places.empty() || places.size() > kMaxParkPlaces || tries_.size() == kMostTries) return;
    if (!known_.insert(places).second) return;
    FactTry one;
    std::copy(places.begin(), places.end(), one.at);
    tries_.push_back(one);
  }

  void add_points(FactPoints which) {
    std::set<LocationId> wanted;
    for (const FactTry& one : tries_) wanted.insert(std::begin(one.at), std::end(one.at));
    for (const MatchedPlace& place : match_.places) {
      if (!is_plain(place) || which == FactPoints::kNone) continue;
      const bool member =
          std::any_of(place.sites.begin(), place.sites.end(), [&](unsigned site) { return in_rw(site); });
      if (which == FactPoints::kPairs ? member : wanted.count(place.location) != 0) points_.insert(place.location);
    }
  }

  [[nodiscard]] bool in_rw(unsigned site) const {
    const auto found = partners_.find(site);
    if (found == partners_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [](const FactPartner& partner) {
      return partner.kind == static_cast<std::uint32_t>(PairKind::kRW);
    });
  }

  const Facts& facts_;
  const PlaceMatch& match_;
  std::map<unsigned, std::vector<FactPartner>> partners_;
  std::map<Line, std::set<LocationId>> locations_;
  std::set<LocationId> writes_;
  std::set<std::set<LocationId>> known_;
  std::vector<FactTry> tries_;
  std::set<LocationId> points_;
};

}  // namespace

FactsTable make_facts_table(const Facts& facts, const PlaceMatch& match, FactPoints points, const GuideLists* guide,
                            const ReachLists* reach) {
  return TableMaker(facts, match)
      .make(points, guide != nullptr ? *guide : GuideLists{}, reach != nullptr ? *reach : ReachLists{});
}

void add_kept_pairs(FactsTable& table, std::span<const KeptPair> kept) {
  FactsTableHeader header;
  std::memcpy(&header, table.bytes.data(), sizeof header);
  header.kept = static_cast<std::uint32_t>(kept.size());
  header.bytes = facts_bytes(header);
  std::memcpy(table.bytes.data(), &header, sizeof header);
  table.bytes.append(reinterpret_cast<const char*>(kept.data()), kept.size_bytes());
}

}  // namespace ravel
