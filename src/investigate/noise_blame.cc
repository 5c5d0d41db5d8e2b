// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/noise_blame.h"

#include <algorithm>
#include <fstream>

#include "report/suspects.h"

namespace ravel {
namespace {

constexpr std::size_t kMostBlamed = 3;
constexpr double kChance = 0.05;
constexpr std::size_t kPassedRuns = ~std::size_t{0};

std::uint64_t count_of(const std::map<std::size_t, std::uint64_t>& counts, std::size_t finding) {
  const auto found = counts.find(finding);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

std::vector<NoiseBlame> blame_of(const NoiseByPlace& noised, std::size_t finding, std::uint64_t failing,
                                 std::uint64_t passing) {
  std::vector<NoiseBlame> all;
  for (const auto& [place, counts] : noised) {
    NoiseBlame one{place, count_of(counts, finding), failing, count_of(counts, kPassedRuns), passing, 1};
    one.p = fisher(one.failing_with, one.failing_with + one.passing_with, failing, passing);
    all.push_back(std::move(one));
  }
  std::stable_sort(all.begin(), all.end(), [](const NoiseBlame& a, const NoiseBlame& b) { return a.p < b.p; });
  double least = 0;  // Holm: never below one that is more telling
  for (std::size_t i = 0; i < all.size(); ++i) {
    least = std::max(least, std::min(1.0, all[i].p * static_cast<double>(all.size() - i)));
    all[i].p = least;
  }
  std::erase_if(all, [](const NoiseBlame& one) { return one.p >= kChance; });
  if (all.size() > kMostBlamed) all.resize(kMostBlamed);
  return all;
}

Result<std::vector<std::string>> read_place_list(const std::string& path) {
  std::ifstream in(path);
  if (!in) return usage_error("cannot read the list of places", path);
  std::vector<std::string> list;
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (line.find(':') == std::string::npos) return usage_error("not a place: " + line, path, "one file:line per line");
    list.push_back(line);
  }
  if (list.empty()) return usage_error("the list of places is empty", path, "one file:line per line");
  return list;
}

bool is_listed(const std::vector<std::string>& list, const std::string& place) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& one) {
    return place == one ||
           (place.size() > one.size() && place.ends_with(one) && place[place.size() - one.size() - 1] == '/');
  });
}

}  // namespace ravel
