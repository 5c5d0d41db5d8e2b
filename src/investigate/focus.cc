// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/focus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "investigate/variable_name.h"
#include "model/text/near_names.h"
#include "model/text/path_text.h"
#include "statics/guide_table.h"
#include "statics/sequence.h"

namespace ravel {
namespace {

constexpr std::size_t kMostNear = 6;

bool is_place(const std::string& text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    const bool number = text[i + 1] >= '0' && text[i + 1] <= '9';
    if (number && (text[i] == '+' || (text[i] == ':' && text[i - 1] != ':'))) return true;
  }
  return false;
}

std::set<unsigned> members(const Facts& facts) {
  std::set<unsigned> sites;
  for (const SitePair& pair : facts.pairs) {
    sites.insert(pair.first);
    sites.insert(pair.second);
  }
  return sites;
}

Result<std::vector<LocationId>> place_locations(const std::string& text, const Facts& facts, const PlaceMatch& match,
                                                const std::vector<UserPlace>& places, const std::string& program) {
  auto sequence = parse_sequence(text);
  if (!sequence) return tl::make_unexpected(sequence.error());
  if (sequence->size() != 1) return usage_error("--focus is about one place", text);
  auto lists = GuideMaker(program, &facts, &match).make(*sequence);
  if (!lists) return tl::make_unexpected(lists.error());
  std::set<std::pair<std::string, unsigned>> lines;
  for (const unsigned site : members(facts))
    lines.insert({base_name(facts.sites[site].place.file), facts.sites[site].place.line});
  for (const UserPlace& place : places) {
    const bool meant =
        std::find(lists->locations.begin(), lists->locations.end(), place.location) != lists->locations.end();
    if (!meant || lines.count({base_name(place.place.file), place.place.line}) != 0) continue;
    std::vector<std::string> near;
    for (const auto& [file, line] : lines) {
      if (file == base_name(place.place.file) && near.size() < kMostNear)
        near.push_back(fmt::format("{}:{}", file, line));
    }
    return usage_error("no other thread has an access that conflicts with", text,
                       near.empty() ? "" : fmt::format("members of pairs are at {}", fmt::join(near, ", ")));
  }
  std::sort(lists->locations.begin(), lists->locations.end());
  return lists->locations;
}

Result<std::vector<LocationId>> variable_locations(const std::string& text, const Facts& facts, const PlaceMatch& match,
                                                   const std::vector<UserPlace>& places) {
  std::set<unsigned> sites;
  std::set<std::string> names;
  for (const unsigned site : members(facts)) {
    for (const std::string& object : facts.sites[site].objects) {
      names.insert(without_unnamed(object));
      if (is_variable(object, text)) sites.insert(site);
    }
  }
  if (sites.empty()) {
    return usage_error("no pair of the static facts is about", text,
                       near_hint(text, std::vector<std::string_view>(names.begin(), names.end()),
                                 fmt::format("there are pairs of {}", fmt::join(names, ", "))));
  }
  std::set<LocationId> locations = {LocationId{0}};
  for (const MatchedPlace& place : match.places) {
    for (const unsigned site : place.sites) {
      if (sites.count(site) == 0) continue;
      if (!place.in_library) locations.insert(place.location);
      const CodePlace& at = facts.sites[site].place;
      for (const UserPlace& call : places) {  // what the line calls does it
        const bool here = call.place.line == at.line && base_name(call.place.file) == base_name(at.file);
        if (place.in_library && here) locations.insert(call.location);
      }
    }
  }
  if (locations.size() == 1) return usage_error("no access of the variable is found in the program", text);
  return std::vector<LocationId>(locations.begin(), locations.end());
}

}  // namespace

Result<std::vector<LocationId>> focus_locations(const std::string& text, const Facts& facts, const PlaceMatch& match,
                                                const std::vector<UserPlace>& places, const std::string& program) {
  return is_place(text) ? place_locations(text, facts, match, places, program)
                        : variable_locations(text, facts, match, places);
}

}  // namespace ravel
