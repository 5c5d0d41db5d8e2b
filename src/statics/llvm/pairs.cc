// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/pairs.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ravel {
namespace {

bool is_memory(SiteKind kind) {
  return kind <= SiteKind::kAtomicWrite;
}

bool is_write(SiteKind kind) {
  return kind == SiteKind::kWrite || kind == SiteKind::kAtomicWrite;
}

bool is_lock(SiteKind kind) {
  return kind == SiteKind::kLock || kind == SiteKind::kReadLock;
}

class Finder {
 public:
  Finder(const AnalysisOptions& options, const Accesses& accesses, const Shared& shared, const Parallel& parallel,
         const ThreadClasses& classes)
      : options_(options), accesses_(accesses), shared_(shared), parallel_(parallel), classes_(classes) {}

  std::vector<SitePair> run();

 private:
  void consider(const Access& a, const Access& b);
  [[nodiscard]] bool parallel(const Access& a, const Access& b) const;
  [[nodiscard]] bool common_lock(const Access& a, const Access& b) const;
  [[nodiscard]] bool disjoint(const Access& a, const Access& b) const;
  [[nodiscard]] std::optional<MemoryRange> meeting(const std::vector<MemoryRange>& a, const std::vector<MemoryRange>& b,
                                                   bool memory) const;
  void add(PairKind kind, const Access& a, const Access& b, const MemoryRange& range);

  const AnalysisOptions& options_;
  const Accesses& accesses_;
  const Shared& shared_;
  const Parallel& parallel_;
  const ThreadClasses& classes_;
  std::map<std::tuple<PairKind, unsigned, unsigned>, SitePair> pairs_;
};

bool Finder::parallel(const Access& a, const Access& b) const {
  if (options_.join) return parallel_.may_meet(a.thread_class, *a.instruction, b.thread_class, *b.instruction);
  return a.thread_class != b.thread_class || classes_.all()[a.thread_class].facts.many;
}

// Two readers of one lock do not exclude each other.
bool Finder::common_lock(const Access& a, const Access& b) const {
  if (!options_.locks) return false;
  for (const HeldLock& mine : a.held) {
    if (mine.cell == kNoCell) continue;
    for (const HeldLock& other : b.held) {
      if (mine.cell == other.cell && !(mine.shared && other.shared)) return true;
    }
  }
  return false;
}

bool Finder::disjoint(const Access& a, const Access& b) const {
  if (!options_.disjoint) return false;
  for (const auto& [mine, mine_shared] : a.distances) {
    for (const auto& [other, other_shared] : b.distances) {
      if (mine == other && !(mine_shared && other_shared)) return true;
    }
  }
  return false;
}

std::optional<MemoryRange> Finder::meeting(const std::vector<MemoryRange>& a, const std::vector<MemoryRange>& b,
                                           bool memory) const {
  for (const MemoryRange& mine : a) {
    if (memory && options_.escape && !shared_.contains(mine.object)) continue;
    if (!options_.alias) return mine;
    for (const MemoryRange& other : b) {
      if (mine.object == other.object && mine.begin < other.end && other.begin < mine.end) return mine;
    }
  }
  return std::nullopt;
}

void Finder::add(PairKind kind, const Access& a, const Access& b, const MemoryRange& range) {
  for (const unsigned first : a.sites) {
    for (const unsigned second : b.sites) {
      SitePair pair;
      pair.kind = kind;
      pair.first = std::min(first, second);
      pair.second = std::max(first, second);
      pair.must = a.ranges.size() == 1 && b.ranges.size() == 1;
      pair.object = accesses_.object_name(range.object, range.begin);
      const auto [found, fresh] = pairs_.try_emplace({kind, pair.first, pair.second}, pair);
      if (!fresh) found->second.must |= pair.must;
    }
  }
}

void Finder::consider(const Access& a, const Access& b) {
  const bool memory = is_memory(a.kind) && is_memory(b.kind);
  if (memory && !is_write(a.kind) && !is_write(b.kind)) return;
  std::optional<MemoryRange> range;
  PairKind kind = PairKind::kRW;
  if (memory) {
    range = meeting(a.ranges, b.ranges, true);
  } else if (is_lock(a.kind) && is_lock(b.kind)) {
    if (a.kind == SiteKind::kReadLock && b.kind == SiteKind::kReadLock) return;
    kind = PairKind::kMM;
    range = meeting(a.ranges, b.ranges, false);
  } else if (a.kind == SiteKind::kWait && is_lock(b.kind)) {
    kind = PairKind::kWM;
    range = meeting(a.mutexes, b.ranges, false);
  } else if (a.kind == SiteKind::kWait && b.kind == SiteKind::kNotify) {
    kind = PairKind::kWN;
    range = meeting(a.ranges, b.ranges, false);
  }
  if (!range || !parallel(a, b)) return;
  // A wait gives its mutex up: what it holds excludes nobody.
  if ((kind == PairKind::kRW || kind == PairKind::kMM) && common_lock(a, b)) return;
  if (kind == PairKind::kRW && disjoint(a, b)) return;
  add(kind, a, b, *range);
}

std::vector<SitePair> Finder::run() {
  std::map<ObjectId, std::vector<const Access*>> by_object;
  for (const Access& access : accesses_.all()) {
    std::set<ObjectId> objects;
    for (const MemoryRange& range : access.ranges) objects.insert(range.object);
    for (const MemoryRange& range : access.mutexes) objects.insert(range.object);
    if (!options_.alias) objects = {0};
    for (const ObjectId object : objects) {
      if (options_.alias && options_.escape && is_memory(access.kind) && !shared_.contains(object)) continue;
      by_object[object].push_back(&access);
    }
  }
  for (const auto& [object, list] : by_object) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = i; j < list.size(); ++j) {
        consider(*list[i], *list[j]);
        const bool waits = list[i]->kind == SiteKind::kWait || list[j]->kind == SiteKind::kWait;
        if (waits && i != j) consider(*list[j], *list[i]);
      }
    }
  }
  std::vector<SitePair> pairs;
  for (auto& [key, pair] : pairs_) pairs.push_back(std::move(pair));
  return pairs;
}

}  // namespace

std::vector<SitePair> find_pairs(const AnalysisOptions& options, const Accesses& accesses, const Shared& shared,
                                 const Parallel& parallel, const ThreadClasses& classes) {
  return Finder(options, accesses, shared, parallel, classes).run();
}

}  // namespace ravel
