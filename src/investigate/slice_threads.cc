// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/slice_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/text/path_text.h"
#include "statics/distances.h"

namespace ravel {
namespace {

FileLine line_at(const CodePlace& place) {
  return {base_name(place.file), place.line};
}

void merge_memory(std::vector<SeenMemory>& all, const SeenMemory& one) {
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const SeenMemory& other) { return other.address == one.address; });
  if (known == all.end()) {
    all.push_back(one);
    return;
  }
  known->locks &= one.locks;
  known->wrote |= one.wrote;
}

bool contains(const std::vector<std::size_t>& list, std::size_t one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

}  // namespace

std::size_t SliceThreads::find(ThreadName name) const {
  const auto found = std::find_if(threads_.begin(), threads_.end(), [&](const One& one) { return one.name == name; });
  return static_cast<std::size_t>(found - threads_.begin());
}

std::set<FileLine> SliceThreads::lines_of(const SeenThread& seen) const {
  std::set<FileLine> lines;
  for (std::size_t i = 0; i < places_.size() && i < kMaxSeenPlaces; ++i) {
    if ((seen.reached[i / 64] >> i % 64 & 1) != 0) lines.insert(line_at(places_[i].place));
  }
  return lines;
}

void SliceThreads::take_in(const std::vector<SeenThread>& seen) {
  for (One& one : threads_) one.last_lines.clear();
  for (const SeenThread& thread : seen) {
    std::size_t at = find(thread.name);
    if (at == threads_.size()) {
      const bool known = thread.creator < seen.size();
      const std::size_t creator = known ? find(seen[thread.creator].name) : at;
      if (creator > at || (creator == at && thread.name != kMainThread)) continue;  // of a creator nobody saw
      threads_.push_back({thread.name, creator, thread.created_at, {}, {}, {}, {}});
    }
    One& one = threads_[at];
    for (std::uint32_t i = 0; i < thread.memory_count; ++i) merge_memory(one.memory, thread.memory[i]);
    one.last_lines.merge(lines_of(thread));
    one.lines.insert(one.last_lines.begin(), one.last_lines.end());
  }
  for (One& one : threads_) one.classes = classes_for(one);
}

// By the statement that created it; of these, those whose code the thread was in.
std::set<unsigned> SliceThreads::classes_for(const One& one) const {
  if (one.name == kMainThread) return {0};
  const auto place = std::lower_bound(places_.begin(), places_.end(), one.created_at,
                                      [](const UserPlace& a, LocationId b) { return a.location < b; });
  const bool known = place != places_.end() && place->location == one.created_at;
  std::set<unsigned> classes;
  for (unsigned i = 1; i < facts_.classes.size(); ++i) {
    if (known && line_at(facts_.classes[i].created_at) == line_at(place->place)) classes.insert(i);
  }
  if (classes.empty()) {
    for (unsigned i = 1; i < facts_.classes.size(); ++i) classes.insert(i);
  }
  const SliceParts parts(facts_);
  std::set<unsigned> fitting;
  for (const unsigned candidate : classes) {
    const bool fits = std::all_of(one.lines.begin(), one.lines.end(), [&](const FileLine& line) {
      const std::vector<unsigned> nodes = nodes_at(facts_.graph, {line.first, line.second, 0});
      return nodes.empty() ||
             std::any_of(nodes.begin(), nodes.end(), [&](unsigned node) { return parts.runs(candidate, node); });
    });
    if (fits) fitting.insert(candidate);
  }
  return fitting.empty() ? classes : fitting;
}

std::string SliceThreads::label(std::size_t thread) const {
  const One& one = threads_[thread];
  if (one.name == kMainThread) return "main";
  std::size_t alike = 0;
  std::size_t number = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].classes != one.classes) continue;
    ++alike;
    if (i <= thread) ++number;
  }
  const std::string entry = one.classes.empty() ? "thread" : facts_.classes[*one.classes.begin()].entry;
  return alike == 1 ? entry : fmt::format("{} #{}", entry, number);
}

std::optional<std::size_t> SliceThreads::for_target(const Abstraction& abstraction, std::size_t target,
                                                    const std::vector<std::size_t>& taken) const {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const std::set<unsigned>& classes = threads_[i].classes;
    const bool runs =
        std::any_of(classes.begin(), classes.end(), [&](unsigned one) { return abstraction.runs_target(one, target); });
    if (runs && !contains(taken, i)) return i;
  }
  return std::nullopt;
}

unsigned SliceThreads::conflicts(const One& a, const One& b) {
  unsigned count = 0;
  for (const SeenMemory& one : a.memory) {
    for (const SeenMemory& other : b.memory) {
      if (one.address == other.address && one.wrote + other.wrote != 0 && (one.locks & other.locks) == 0) ++count;
    }
  }
  return count;
}

std::optional<std::size_t> SliceThreads::to_add(const Abstraction& abstraction,
                                                const std::vector<std::size_t>& inside) const {
  const auto runs_target = [&](const One& one) {
    return std::any_of(one.classes.begin(), one.classes.end(), [&](unsigned c) { return abstraction.runs_target(c); });
  };
  std::optional<std::size_t> best;
  std::array<unsigned, 4> best_score{};
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const One& one = threads_[i];
    const bool concerned =
        std::any_of(one.classes.begin(), one.classes.end(), [&](unsigned c) { return abstraction.concerns(c); });
    if (!concerned || contains(inside, i)) continue;
    std::array<unsigned, 4> score{runs_target(one) ? 0u : 1u, 0, 0, 0};
    for (std::size_t j = 0; j < threads_.size(); ++j) {
      if (j == i) continue;
      const unsigned with = conflicts(one, threads_[j]);
      score[contains(inside, j) ? (runs_target(threads_[j]) ? 3 : 1) : 2] += with;
    }
    if (best && score <= best_score) continue;
    best = i;
    best_score = score;
  }
  return best;
}

std::set<unsigned> SliceThreads::classes_of(const std::vector<std::size_t>& threads) const {
  std::set<unsigned> classes;
  for (const std::size_t thread : threads)
    classes.insert(threads_[thread].classes.begin(), threads_[thread].classes.end());
  return classes;
}

std::set<FileLine> SliceThreads::reached_by(const std::vector<std::size_t>& threads) const {
  std::set<FileLine> lines;
  for (const std::size_t thread : threads) {
    lines.insert(threads_[thread].last_lines.begin(), threads_[thread].last_lines.end());
  }
  return lines;
}

std::vector<SliceThread> SliceThreads::list(const std::vector<std::size_t>& inside) const {
  std::set<std::size_t> all;
  for (std::size_t thread : inside) {
    while (all.insert(thread).second && threads_[thread].creator != thread) thread = threads_[thread].creator;
  }
  std::vector<std::size_t> order(all.begin(), all.end());  // creators were seen first
  std::vector<SliceThread> list;
  for (const std::size_t thread : order) {
    const One& one = threads_[thread];
    const auto creator = std::lower_bound(order.begin(), order.end(), one.creator) - order.begin();
    list.push_back({static_cast<std::uint32_t>(one.name), static_cast<std::uint32_t>(one.name >> 32),
                    one.creator == thread ? kNoSliceThread : static_cast<std::uint32_t>(creator),
                    contains(inside, thread) ? 1u : 0u});
  }
  return list;
}

}  // namespace ravel
