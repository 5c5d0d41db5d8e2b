// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// StaticPairs: what earlier runs have shown, and what later ones are given.
#include <atomic>

#include "explore/values/static_pairs.h"

namespace ravel::values {

namespace {
// Into the table, while there is room: without a hint a later run is as this one.
class Writer {
 public:
  explicit Writer(KeptPairTable& table) : table_(table) {}
  void add(const KeptPair& pair) {
    if (count_ < kMostKeptPairs) table_.rows[count_++] = pair;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  KeptPairTable& table_;
  std::uint32_t count_ = 0;
};
}  // namespace

std::uint32_t StaticPairs::key_of(std::uint32_t thread) const {
  return lines_.is_known(thread) ? thread_key(lines_[thread].name) : 0;
}

KeptAccess StaticPairs::kept_form(ClassId access) const {
  const AccessClass& row = classes_[access];
  return {key_of(row.thread), row.location, row.kind};
}

bool StaticPairs::was_seen(const KeptAccess& access) const {
  for (std::uint32_t thread = 0; thread < threads_; ++thread) {
    if (key_of(thread) == access.thread && seen_at(thread, access.location)) return true;
  }
  return false;
}

void StaticPairs::add_kept(ClassId a, ClassId b) {
  if (pairs_->has(a, b)) return;
  add(a, b, true);
  of_earlier_->add(a, b);
  of_earlier_->add(b, a);
}

// A conflict of an earlier run, of which this one has seen one access.
void StaticPairs::pair_up_kept(ClassId access) {
  kept_.visit_conflicts(kept_form(access), [&](const KeptAccess& other) {
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
      if (key_of(thread) != other.thread || thread == classes_[access].thread) continue;
      bool seen = false;
      for (std::uint32_t at = heads_[head_of(thread, other.location)]; at != 0; at = next_[at - 1]) {
        const AccessClass& row = classes_[at - 1];
        if (row.assumed != 0 || row.thread != thread || row.location != other.location) continue;
        seen = true;
        if (row.kind == other.kind) add_kept(access, at - 1);
      }
      const bool has_room = !seen && classes_.count() < AccessClasses::kMost / 2;
      const ClassId assumed = has_room ? classes_.id_of({thread, other.kind, other.location, 0, 1}) : kNoClass;
      if (assumed != kNoClass) add_kept(access, assumed);
    }
  });
}

// In whatever calling contexts.
bool StaticPairs::conflict_there(const LearnedFacts& learned, ClassId a, ClassId b) const {
  const auto stands_with = [&](ClassId one, ClassId other) {
    return classes_[one].thread == classes_[other].thread && classes_[one].location == classes_[other].location;
  };
  bool found = false;
  for (std::uint32_t at = heads_[head_of(classes_[a].thread, classes_[a].location)]; at != 0; at = next_[at - 1]) {
    if (!stands_with(at - 1, a)) continue;
    learned.visit_partners(at - 1, entered_, [&](ClassId partner) { found = found || stands_with(partner, b); });
  }
  return found;
}

void StaticPairs::hand_over(const LearnedFacts& learned, KeptPairTable& out) const {
  out.count = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // a process that is killed keeps the order of its stores
  Writer writer(out);
  for (const KeptPair& row : kept_.rows()) {
    const bool settled = row.verdict == PairVerdict::kNotReached ? was_seen(row.second)
                         : row.verdict == PairVerdict::kRefuted  ? was_seen(row.first) && was_seen(row.second)
                                                                 : false;
    if (!settled) writer.add(row);
  }
  learned.visit_pairs(classes_.count(), [&](ClassId a, ClassId b) {
    if (!is_pair(a, b)) writer.add({kept_form(a), kept_form(b), PairVerdict::kSeen});
  });
  for (ClassId a = 0; any() && a < classes_.count(); ++a) {
    if (is_open(a) && drops_[a] >= kMostDrops) writer.add({{}, kept_form(a), PairVerdict::kNotReached});
    if (classes_[a].assumed != 0) continue;
    pairs_->visit(a, classes_.count(), [&](ClassId b) {
      if (b <= a || classes_[b].assumed != 0 || of_earlier_->has(a, b) || conflict_there(learned, a, b)) return;
      writer.add({kept_form(a), kept_form(b), PairVerdict::kRefuted});
    });
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  out.count = writer.count();
}

}  // namespace ravel::values
