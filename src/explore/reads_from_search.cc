// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/reads_from_search.h"

#include "base/hash.h"
#include "explore/event_scan.h"
#include "explore/sampling.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostPairs = 1u << 12;
constexpr std::uint32_t kPairSlots = 4 * kMostPairs;
constexpr std::uint32_t kMostKept = 1u << 10;
constexpr std::uint32_t kSignatures = 1u << 14;  // slots
constexpr std::uint32_t kPlaces = 1u << 12;      // slots
constexpr std::uint64_t kMostEvents = 1u << 15;
constexpr std::uint32_t kNotes = 4'096;
constexpr std::uint32_t kKeptFree = 8;  // notes for what comes last
constexpr unsigned kLookForPlace = 64;

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

bool is_read(const Event& e) {
  return is_memory_access(e.kind) ? has_read_effect(e.kind) : op_class(e.kind) == OpClass::kSync;
}
bool is_write(const Event& e) {
  return is_memory_access(e.kind) ? has_write_effect(e.kind, e.bits) : op_class(e.kind) == OpClass::kSync;
}

}  // namespace

ReadsFromSearch::ReadsFromSearch(std::pmr::memory_resource& memory)
    : journal_(memory, kNotes),
      pairs_(room<Pair>(memory, kMostPairs)),
      pair_slots_(room<std::uint32_t>(memory, kPairSlots)),
      kept_(room<Kept>(memory, kMostKept)),
      signatures_(room<Signature>(memory, kSignatures)),
      last_(room<LastWrite>(memory, kPlaces)) {
  for (std::uint32_t i = 0; i < kSignatures; ++i) signatures_[i] = Signature{};
  for (std::uint32_t i = 0; i < kPairSlots; ++i) pair_slots_[i] = 0;
  for (std::uint32_t i = 0; i < kPlaces; ++i) last_[i] = LastWrite{};
}

void ReadsFromSearch::fill(PolicySpec& policy, std::uint64_t number, Random& random) const {
  policy.kind = PolicyKind::kReadsFrom;
  policy.seed = random.next();
  if (pair_count_ == 0 || number % 4 == 0) return;
  if (kept_count_ != 0) {
    const Kept& parent = rarer(random);
    for (unsigned i = 0; i < kMaxReadsFrom; ++i) policy.from[i] = parent.from[i];
  }
  mutate(policy.from, random);
}

std::uint32_t ReadsFromSearch::learn(const Execution& execution) {
  journal_.begin();
  const std::uint32_t known = pair_count_;
  const std::uint64_t key = scan(execution.trace);
  const std::uint32_t fresh = pair_count_ - known;
  if (ran_to_its_end(execution.result.outcome)) keep(execution, mix64(key) | 1, fresh != 0);
  journal_.commit();
  return fresh;
}

void ReadsFromSearch::learn_tasks(const Execution& execution) {
  journal_.begin();
  (void)scan(execution.trace);
  if (ran_to_its_end(execution.result.outcome)) {
    keep(execution, mix64(execution.task_set) | 1, execution.fresh_tasks != 0);
  }
  journal_.commit();
}

std::uint32_t ReadsFromSearch::look_at(const Execution& execution) {
  journal_.begin();
  const std::uint32_t known = pair_count_;
  (void)scan(execution.trace);
  journal_.commit();
  return pair_count_ - known;
}

std::uint64_t ReadsFromSearch::scan(const TraceView& trace) {
  ++scans_;
  std::uint64_t key = 0;
  scan_events(trace, kMostEvents, [&](const Event& e, std::uint64_t) {
    const bool reads = is_read(e);
    const bool writes = is_write(e);
    if (!reads && !writes) return;
    LastWrite& last = last_[mix64(place_of(e)) % kPlaces];
    const bool known = last.scan == scans_ && last.place == place_of(e);
    if (reads) {
      const Pair pair{e.location, known ? last.location : LocationId(), place_of(e)};
      key += mix64(hash_combine(pair.read, pair.write));
      add(pair);
    }
    if (writes) last = {place_of(e), scans_, e.location};
  });
  return key;
}

// What is beyond the count does not exist: only the count needs the journal.
void ReadsFromSearch::add(const Pair& pair) {
  if (pair.read == 0 || pair_count_ == kMostPairs || !journal_.has_room(kKeptFree)) return;
  auto slot = static_cast<std::uint32_t>(mix64(hash_combine(pair.read, pair.write)) % kPairSlots);
  for (std::uint32_t tried = 0; pair_slots_[slot] != 0; slot = (slot + 1) % kPairSlots) {
    const std::uint32_t at = pair_slots_[slot] - 1;  // stale after a kill, so look
    if (at < pair_count_ && pairs_[at].read == pair.read && pairs_[at].write == pair.write) return;
    if (++tried == kPairSlots) return;
  }
  pairs_[pair_count_] = pair;
  pair_slots_[slot] = pair_count_ + 1;
  journal_.set(pair_count_, pair_count_ + 1);
}

void ReadsFromSearch::keep(const Execution& execution, std::uint64_t key, bool fresh) {
  auto slot = static_cast<std::uint32_t>(key % kSignatures);
  for (std::uint32_t tried = 0; signatures_[slot].key != 0 && signatures_[slot].key != key; ++tried) {
    if (tried == kSignatures) return;
    slot = (slot + 1) % kSignatures;
  }
  Signature& signature = signatures_[slot];
  const bool is_new = signature.key == 0;
  if (is_new) journal_.set(signature.key, key);
  journal_.set(signature.times, signature.times + 1);
  if ((!is_new && !fresh) || kept_count_ == kMostKept || execution.trace.plan == nullptr) return;
  Kept& one = kept_[kept_count_];
  one = Kept{};
  const PolicySpec& policy = execution.trace.plan->policy;
  for (unsigned i = 0; i < kMaxReadsFrom; ++i) one.from[i] = policy.from[i];
  one.signature = slot;
  journal_.set(kept_count_, kept_count_ + 1);
}

const ReadsFromSearch::Kept& ReadsFromSearch::rarer(Random& random) const {
  const Kept& a = kept_[random.below(kept_count_)];
  const Kept& b = kept_[random.below(kept_count_)];
  return signatures_[a.signature].times <= signatures_[b.signature].times ? a : b;
}

// A read that was seen, and a write of its object that it may see.
ReadsFrom ReadsFromSearch::wish(Random& random) const {
  const Pair& read = pairs_[random.below(pair_count_)];
  const std::uint64_t from = random.below(pair_count_);
  for (unsigned i = 0; i < kLookForPlace && i < pair_count_; ++i) {
    const Pair& write = pairs_[(from + i) % pair_count_];
    if (write.place == read.place && write.write != read.write)
      return {read.read, write.write, static_cast<std::uint32_t>(random.below(2))};
  }
  return {read.read, read.write, static_cast<std::uint32_t>(random.below(2))};
}

void ReadsFromSearch::mutate(ReadsFrom (&from)[kMaxReadsFrom], Random& random) const {
  unsigned count = 0;
  while (count < kMaxReadsFrom && from[count].read != 0) ++count;
  const std::uint64_t which = random.below(4);
  if (count == 0 || (which == 0 && count < kMaxReadsFrom)) {
    from[count] = wish(random);
    return;
  }
  const auto at = static_cast<unsigned>(random.below(count));
  if (which == 1) {  // delete
    from[at] = from[count - 1];
    from[count - 1] = ReadsFrom{};
  } else if (which == 2) {  // negate
    from[at].avoid ^= 1;
  } else {  // swap for another
    from[at] = wish(random);
  }
}

}  // namespace ravel
