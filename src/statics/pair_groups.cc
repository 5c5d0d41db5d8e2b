// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/pair_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace ravel {
namespace {

using Partner = std::tuple<PairKind, unsigned, bool, unsigned>;  // kind, site, must, number of the object's name

std::map<unsigned, std::vector<Partner>> partners_of(const std::vector<SitePair>& pairs,
                                                     std::vector<std::string_view>& names) {
  std::map<std::string_view, unsigned> numbers;
  std::map<unsigned, std::vector<Partner>> rows;
  for (const SitePair& pair : pairs) {
    const auto [name, fresh] = numbers.try_emplace(pair.object, static_cast<unsigned>(names.size()));
    if (fresh) names.push_back(pair.object);
    rows[pair.first].emplace_back(pair.kind, pair.second, pair.must, name->second);
    if (pair.first != pair.second) rows[pair.second].emplace_back(pair.kind, pair.first, pair.must, name->second);
  }
  for (auto& [site, row] : rows) std::sort(row.begin(), row.end());
  return rows;
}

}  // namespace

// Sites with equal rows of partners are alike: of two such lists either all pairs exist or none.
std::vector<PairGroup> group_pairs(const std::vector<SitePair>& pairs) {
  std::vector<std::string_view> names;
  const auto rows = partners_of(pairs, names);
  std::map<const std::vector<Partner>*, unsigned, bool (*)(const std::vector<Partner>*, const std::vector<Partner>*)>
      known([](const std::vector<Partner>* a, const std::vector<Partner>* b) { return *a < *b; });
  std::vector<std::vector<unsigned>> alike;
  std::map<unsigned, unsigned> list_of;
  for (const auto& [site, row] : rows) {
    const auto [found, fresh] = known.try_emplace(&row, static_cast<unsigned>(alike.size()));
    if (fresh) alike.emplace_back();
    alike[found->second].push_back(site);
    list_of[site] = found->second;
  }
  std::vector<PairGroup> groups;
  for (unsigned list = 0; list < alike.size(); ++list) {
    std::set<std::tuple<PairKind, unsigned, bool, unsigned>> written;
    for (const auto& [kind, partner, must, name] : rows.at(alike[list][0])) {
      const unsigned other = list_of.at(partner);
      if (other < list || !written.emplace(kind, other, must, name).second) continue;
      groups.push_back({kind, alike[list], alike[other], must, std::string(names[name])});
    }
  }
  return groups;
}

std::optional<std::vector<SitePair>> pairs_of_groups(const std::vector<PairGroup>& groups, std::uint64_t most) {
  std::uint64_t count = 0;
  for (const PairGroup& group : groups) {
    count += static_cast<std::uint64_t>(group.first.size()) * group.second.size();
    if (count > most) return std::nullopt;
  }
  std::vector<SitePair> pairs;
  for (const PairGroup& group : groups) {
    for (const unsigned a : group.first) {
      for (const unsigned b : group.second)
        pairs.push_back({group.kind, std::min(a, b), std::max(a, b), group.must, group.object});
    }
  }
  const auto key = [](const SitePair& pair) { return std::tie(pair.kind, pair.first, pair.second); };
  std::stable_sort(pairs.begin(), pairs.end(), [&](const SitePair& a, const SitePair& b) { return key(a) < key(b); });
  const auto same = [&](const SitePair& a, const SitePair& b) { return key(a) == key(b); };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  return pairs;
}

}  // namespace ravel
