// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/pairs.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

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

  // False: more pairs than that.
  bool run(std::size_t most);
  std::vector<SitePair> take();

 private:
  // Accesses that no filter distinguishes.
  struct Group {
    const MemoryAccess* like = nullptr;
    std::set<unsigned> sites;
    unsigned list = 0;  // number of this set of sites
  };
  using Key = std::tuple<unsigned, SiteKind, std::vector<MemoryRange>, std::vector<MemoryRange>, LockSet,
                         std::set<std::pair<std::int64_t, bool>>, std::vector<unsigned>>;
  void find_groups();
  void consider(const Group& first, const Group& second);
  [[nodiscard]] bool parallel(const MemoryAccess& a, const MemoryAccess& b) const;
  [[nodiscard]] bool common_lock(const MemoryAccess& a, const MemoryAccess& b) const;
  [[nodiscard]] bool disjoint(const MemoryAccess& a, const MemoryAccess& b) const;
  [[nodiscard]] std::optional<MemoryRange> meeting(const std::vector<MemoryRange>& a, const std::vector<MemoryRange>& b,
                                                   bool memory) const;
  void add(PairKind kind, const Group& a, const Group& b, const MemoryRange& range);

  const AnalysisOptions& options_;
  const Accesses& accesses_;
  const Shared& shared_;
  const Parallel& parallel_;
  const ThreadClasses& classes_;
  std::vector<Group> groups_;
  std::unordered_map<std::uint64_t, std::size_t> known_[4];         // by kind of pair: both sites to a pair
  std::set<std::tuple<PairKind, bool, unsigned, unsigned>> added_;  // kind, must, lists of sites
  std::vector<SitePair> pairs_;
  std::size_t most_ = 0;
};

bool Finder::parallel(const MemoryAccess& a, const MemoryAccess& b) const {
  if (options_.join) return parallel_.may_meet(a.thread_class, *a.instruction, b.thread_class, *b.instruction);
  return a.thread_class != b.thread_class || classes_.all()[a.thread_class].facts.many;
}

// Two readers of one lock do not exclude each other.
bool Finder::common_lock(const MemoryAccess& a, const MemoryAccess& b) const {
  if (!options_.locks) return false;
  for (const MustLock& mine : a.held) {
    if (mine.cell == kNoCell) continue;
    for (const MustLock& other : b.held) {
      if (mine.cell == other.cell && !(mine.shared && other.shared)) return true;
    }
  }
  return false;
}

bool Finder::disjoint(const MemoryAccess& a, const MemoryAccess& b) const {
  if (!options_.disjoint) return false;
  for (const auto& [mine, mine_shared] : a.distances) {
    for (const auto& [other, other_shared] : b.distances) {
      if (mine == other && !(mine_shared && other_shared)) return true;
    }
  }
  return false;
}

// Both lists are sorted by object.
std::optional<MemoryRange> Finder::meeting(const std::vector<MemoryRange>& a, const std::vector<MemoryRange>& b,
                                           bool memory) const {
  auto from = b.begin();
  for (const MemoryRange& mine : a) {
    if (memory && options_.escape && !shared_.contains(mine.object)) continue;
    if (!options_.alias) return mine;
    while (from != b.end() && from->object < mine.object) ++from;
    for (auto other = from; other != b.end() && other->object == mine.object; ++other) {
      if (mine.begin < other->end && other->begin < mine.end) return mine;
    }
  }
  return std::nullopt;
}

void Finder::add(PairKind kind, const Group& a, const Group& b, const MemoryRange& range) {
  SitePair pair;
  pair.kind = kind;
  pair.must = accesses_.is_exact(*a.like) && accesses_.is_exact(*b.like);
  // Where threads are not distinguished, groups of several classes have the same sites.
  if (!added_.emplace(kind, pair.must, std::min(a.list, b.list), std::max(a.list, b.list)).second) return;
  pair.object = accesses_.object_name(range.object, range.begin);
  auto& known = known_[static_cast<int>(kind)];
  for (const unsigned first : a.sites) {
    for (const unsigned second : b.sites) {
      pair.first = std::min(first, second);
      pair.second = std::max(first, second);
      const auto [found, fresh] =
          known.try_emplace(static_cast<std::uint64_t>(pair.first) << 32 | pair.second, pairs_.size());
      if (fresh) {
        pairs_.push_back(pair);
      } else {
        pairs_[found->second].must |= pair.must;
      }
    }
    if (pairs_.size() > most_) return;
  }
}

void Finder::consider(const Group& first, const Group& second) {
  const MemoryAccess& a = *first.like;
  const MemoryAccess& b = *second.like;
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
  add(kind, first, second, *range);
}

void Finder::find_groups() {
  std::map<Key, std::size_t> known;
  for (const MemoryAccess& access : accesses_.all()) {
    Key key{access.thread_class,
            access.kind,
            access.ranges,
            access.mutexes,
            access.held,
            access.distances,
            options_.join ? parallel_.alive(access.thread_class, *access.instruction) : std::vector<unsigned>{}};
    const auto [found, fresh] = known.try_emplace(std::move(key), groups_.size());
    if (fresh) groups_.push_back({&access, {}});
    groups_[found->second].sites.insert(access.sites.begin(), access.sites.end());
  }
  std::map<std::set<unsigned>, unsigned> lists;
  for (Group& group : groups_) {
    group.list = lists.try_emplace(group.sites, static_cast<unsigned>(lists.size())).first->second;
  }
}

bool Finder::run(std::size_t most) {
  most_ = most;
  find_groups();
  std::map<MemoryId, llvm::SparseBitVector<>> by_object;
  const auto objects_of = [&](const MemoryAccess& access) {
    std::set<MemoryId> objects;
    for (const MemoryRange& range : access.ranges) objects.insert(range.object);
    for (const MemoryRange& range : access.mutexes) objects.insert(range.object);
    if (!options_.alias) objects = {0};
    return objects;
  };
  for (unsigned i = 0; i < groups_.size(); ++i) {
    for (const MemoryId object : objects_of(*groups_[i].like)) by_object[object].set(i);
  }
  for (unsigned i = 0; i < groups_.size(); ++i) {
    llvm::SparseBitVector<> others;
    for (const MemoryId object : objects_of(*groups_[i].like)) others |= by_object[object];
    for (const unsigned j : others) {
      if (j < i) continue;
      consider(groups_[i], groups_[j]);
      const bool waits = groups_[i].like->kind == SiteKind::kWait || groups_[j].like->kind == SiteKind::kWait;
      if (waits && i != j) consider(groups_[j], groups_[i]);
      if (pairs_.size() > most_) return false;
    }
  }
  return true;
}

std::vector<SitePair> Finder::take() {
  std::sort(pairs_.begin(), pairs_.end(), [](const SitePair& a, const SitePair& b) {
    return std::tie(a.kind, a.first, a.second) < std::tie(b.kind, b.first, b.second);
  });
  return std::move(pairs_);
}

}  // namespace

std::optional<std::vector<SitePair>> find_pairs(const AnalysisOptions& options, const Accesses& accesses,
                                                const Shared& shared, const Parallel& parallel,
                                                const ThreadClasses& classes, std::size_t most) {
  Finder finder(options, accesses, shared, parallel, classes);
  if (!finder.run(most)) return std::nullopt;
  return finder.take();
}

}  // namespace ravel
