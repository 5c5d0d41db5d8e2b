// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/explain_pairs.h"

#include <algorithm>

#include "base/hash.h"
#include "semantics/dependence.h"

namespace ravel {
namespace {

constexpr std::uint32_t kConflictsEach = 4;
constexpr std::uint32_t kLookBack = 1'024;  // events on one object
constexpr std::uint32_t kOfOnePlace = 4;    // pairs, before others have had their turn

bool is_access(const Event& e) {
  const OpClass cls = op_class(e.kind);
  return cls == OpClass::kPlain || cls == OpClass::kAtomic;
}

// Who has a lock first is decided where it is taken.
bool is_candidate(const KnownEvent& known) {
  const Event& e = known.event;
  if (e.kind == OpKind::kMutexUnlock || e.kind == OpKind::kRwUnlock || known.reported == kNotReported) return false;
  return e.object != 0 && (is_access(e) || op_class(e.kind) == OpClass::kSync);
}

bool overlap(const Event& a, const Event& b) {
  return a.object == b.object && a.offset < b.offset + std::max<std::uint32_t>(b.size, 1) &&
         b.offset < a.offset + std::max<std::uint32_t>(a.size, 1);
}

std::uint64_t places_of(const KnownExecution& given, const CandidatePair& pair) {
  const Event& a = given.known[pair.first].event;
  const Event& b = given.known[pair.second].event;
  return hash_combine(hash_combine(std::uint64_t{a.location} << 32 | b.location, a.thread), b.thread);
}

template <class T>
T* allocate(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

}  // namespace

PairList::PairList(std::pmr::memory_resource& memory, std::uint32_t most_events)
    : last_(memory, 1u << 12, 1u << 18),
      before_(allocate<std::uint32_t>(memory, most_events)),
      found_(allocate<CandidatePair>(memory, kCandidates)),
      pairs_(allocate<CandidatePair>(memory, kMostPairs)) {}

void PairList::fill(const KnownExecution& given) {
  found_count_ = count_ = 0;
  note_seen(given);
  add_conflicts(given);
  add_free(given);
  sort_and_cut(given);
}

// Of failures by what somebody saw; others fail by an order of their own.
void PairList::note_seen(const KnownExecution& given) {
  seen_count_ = 0;
  const OutcomeKind kind = given.result->outcome;
  const bool saw = kind == OutcomeKind::kAssertion || kind == OutcomeKind::kException ||
                   kind == OutcomeKind::kExitCode || kind == OutcomeKind::kSignal;
  if (!saw) return;
  for (std::uint32_t i = given.events; i-- > 0 && seen_count_ < kLooks;) {
    const Event& event = given.known[i].event;
    if (event.thread == given.result->thread && is_access(event)) seen_[seen_count_++] = &event;
  }
}

PairRank PairList::rank_of(const Event& a, const Event& b, const ExecutionResult& result) const {
  const auto is_among = [this](const Event& e, std::uint32_t looks) {
    return std::any_of(seen_, seen_ + std::min(looks, seen_count_),
                       [&](const Event* last) { return overlap(*last, e); });
  };
  const auto seen = [&](std::uint32_t looks) {
    return is_access(a) && is_access(b) && is_among(a, looks) && is_among(b, looks);
  };
  for (std::uint32_t i = 0; i < result.races && i < kMaxRaces; ++i) {
    const Event& raced = result.race_table[i].second;
    if (overlap(raced, a) && overlap(raced, b)) return PairRank::kRaces;
  }
  if (seen(kLastLooks)) return PairRank::kSeenAtLast;
  return seen(kLooks) ? PairRank::kSeenLately : PairRank::kOther;
}

void PairList::add(const KnownExecution& given, std::uint32_t a, std::uint32_t b) {
  if (found_count_ == kCandidates) return;
  found_[found_count_++] = {a, b, rank_of(given.known[a].event, given.known[b].event, *given.result)};
}

// Latest first, so that what does not fit is far from the failure.
void PairList::add_conflicts(const KnownExecution& given) {
  last_.clear();
  for (std::uint32_t i = 0; i < given.events; ++i) {
    before_[i] = 0;
    const KnownEvent& known = given.known[i];
    if (!is_candidate(known)) continue;
    std::uint32_t* const last = last_.claim(known.event.object);
    if (last == nullptr) continue;
    before_[i] = *last;
    *last = i + 1;
  }
  for (std::uint32_t b = given.all; b-- > 0;) {
    const KnownEvent& second = given.known[b];
    if (!is_candidate(second)) continue;
    std::uint32_t found = 0;
    std::uint32_t at = b < given.events ? before_[b] : last_.find(second.event.object);
    for (std::uint32_t i = 0; at != 0 && i < kLookBack && found < kConflictsEach; ++i, at = before_[at - 1]) {
      const Event& first = given.known[at - 1].event;
      if (first.thread == second.event.thread || !dependent(view_of(first), view_of(second.event))) continue;
      ++found;
      add(given, at - 1, b);
    }
  }
}

// The use of freed memory is the last of `known`.
void PairList::add_free(const KnownExecution& given) {
  const ExecutionResult& result = *given.result;
  const bool freed = result.outcome == OutcomeKind::kUseAfterFree || result.outcome == OutcomeKind::kDoubleFree;
  if (!freed || given.all == given.events) return;
  for (std::uint32_t a = given.events; a-- > 0;) {
    const Event& first = given.known[a].event;
    if (first.kind != OpKind::kHeapFree || first.thread != result.heap.freed.thread) continue;
    if (first.location != result.heap.freed.location || first.thread == result.thread) continue;
    if (found_count_ == kCandidates) --found_count_;
    found_[found_count_++] = {a, given.all - 1, PairRank::kRaces};
    return;
  }
}

void PairList::sort_and_cut(const KnownExecution& given) {
  std::sort(found_, found_ + found_count_, [](const CandidatePair& a, const CandidatePair& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    const std::uint32_t of_a = a.second - a.first;
    const std::uint32_t of_b = b.second - b.first;
    return of_a != of_b ? of_a < of_b : a.second > b.second;
  });
  last_.clear();  // places -> pairs taken of them
  std::uint32_t later = 0;
  for (std::uint32_t i = 0; i < found_count_ && count_ < kMostPairs; ++i) {
    std::uint32_t* const taken = last_.claim(places_of(given, found_[i]));
    if (taken != nullptr && *taken < kOfOnePlace) {
      ++*taken;
      pairs_[count_++] = found_[i];
    } else {
      found_[later++] = found_[i];
    }
  }
  for (std::uint32_t i = 0; i < later && count_ < kMostPairs; ++i) pairs_[count_++] = found_[i];
}

}  // namespace ravel
