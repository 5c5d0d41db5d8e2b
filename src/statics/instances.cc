// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/instances.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/words.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostThreads = 100'000;

}  // namespace

Result<std::vector<ClassInstances>> parse_instances(std::string_view text) {
  std::vector<ClassInstances> known;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string_view word = text.substr(start, comma - start);
    const std::size_t equals = std::min(word.find('='), word.size());
    const auto threads =
        equals < word.size() ? number_of<std::uint32_t>(word.substr(equals + 1), kMostThreads) : std::nullopt;
    if (equals == 0 || !threads || *threads == 0)
      return usage_error("a class and its number of threads are needed", std::string(word), "such as T1=5,T2=4");
    known.push_back({std::string(word.substr(0, equals)), *threads});
    start = comma + 1;
  }
  return known;
}

Result<std::array<std::uint64_t, 4>> pairs_of_threads(const Facts& facts, const std::vector<ClassInstances>& known) {
  if (facts.any_thread)
    return usage_error("threads are not distinguished in these facts: there are too many pairs to count", "",
                       "leave --instances out");
  std::vector<std::uint64_t> threads(facts.classes.size(), 1);
  for (const ClassInstances& one : known) {
    const auto found = std::find_if(facts.classes.begin(), facts.classes.end(),
                                    [&](const ThreadClass& row) { return row.name == one.name; });
    if (found == facts.classes.end())
      return usage_error(fmt::format("there is no class of threads '{}'", one.name), "", "see --list threads");
    if (!found->many && one.threads != 1)
      return usage_error(fmt::format("{} is one thread", one.name), "", "see --list threads: many");
    threads[static_cast<std::size_t>(found - facts.classes.begin())] = one.threads;
  }
  std::array<std::uint64_t, 4> counts{};
  for (const SitePair& pair : facts.pairs) {
    const unsigned first = facts.sites[pair.first].thread_class;
    const unsigned second = facts.sites[pair.second].thread_class;
    const std::uint64_t number = threads[first];
    std::uint64_t meetings = number * threads[second];
    if (first == second) meetings = number * (number - 1) / (pair.first == pair.second ? 2 : 1);
    counts[static_cast<std::size_t>(pair.kind)] += meetings;
  }
  return counts;
}

}  // namespace ravel
