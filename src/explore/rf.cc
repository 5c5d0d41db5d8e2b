// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rf: greybox search guided by what reads see. Wolff, Shi, Duck, Mathur, Roychoudhury, "Greybox fuzzing for concurrency
// testing", ASPLOS 2024. An abstract schedule is a short list of wishes: this read sees that write, or does not; the
// policy (runtime/policy/reads_from_policy.cc) steers towards it. Executions that show a pair of read and write that
// nobody has seen, or a new combination of pairs, leave their schedule in a corpus; further ones are made from it by
// inserting, deleting, negating and swapping wishes.
//
// Departures: an abstract event is a place of the code (which has a kind) and its object the one it touched when the
// pair was first seen, without calling contexts; a parent is the rarer of two that were drawn, by how often its
// combination of pairs was seen, instead of a power schedule by stages; every fourth execution has no wishes. Of locks,
// conditions and the like every operation is a read and a write: it sees who was there last.
//
// coverage: the same, but what makes an execution worth keeping is a task of a metric that nobody has covered, or a new
// set of tasks (--strategy coverage,metric=avio; docs/coverage.md). Wishes are made of pairs all the same.
//
// Kill-safe: all that is learned changes through the journal.
#include "base/hash.h"
#include "base/journal.h"
#include "explore/event_scan.h"
#include "explore/make_strategy.h"
#include "explore/sampling.h"
#include "explore/strategies.h"
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

struct Pair {
  LocationId read = 0;
  LocationId write = 0;
  std::uint64_t place = 0;
};
struct Kept {  // a schedule of the corpus
  ReadsFrom from[kMaxReadsFrom] = {};
  std::uint32_t signature = 0;  // slot
};
struct Signature {
  std::uint64_t key = 0;
  std::uint64_t times = 0;
};
struct LastWrite {  // scratch
  std::uint64_t place = 0;
  std::uint64_t execution = 0;
  LocationId location = 0;
};

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

class Rf final : public Strategy {
 public:
  enum class Guide : std::uint8_t { kPairs, kTasks };

  Rf(std::pmr::memory_resource& memory, const StrategyOptions& options, Guide guide)
      : guide_(guide),
        seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        journal_(memory, kNotes),
        pairs_(room<Pair>(memory, kMostPairs)),
        pair_slots_(room<std::uint32_t>(memory, kPairSlots)),
        kept_(room<Kept>(memory, kMostKept)),
        signatures_(room<Signature>(memory, kSignatures)),
        last_(room<LastWrite>(memory, kPlaces)) {
    for (std::uint32_t i = 0; i < kSignatures; ++i) signatures_[i] = Signature{};
    for (std::uint32_t i = 0; i < kPairSlots; ++i) pair_slots_[i] = 0;
    for (std::uint32_t i = 0; i < kPlaces; ++i) last_[i] = LastWrite{};
  }

  bool next(PlanWriter& plan) override {
    plan.spec.prefix_segments = 0;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    const std::uint64_t number = journal_.steps() * shards_ + shard_;
    Random random(derive_seed(seed_, number));
    policy.kind = PolicyKind::kReadsFrom;
    policy.seed = random.next();
    if (pair_count_ == 0 || number % 4 == 0) return true;
    if (kept_count_ != 0) {
      const Kept& parent = rarer(random);
      for (unsigned i = 0; i < kMaxReadsFrom; ++i) policy.from[i] = parent.from[i];
    }
    mutate(policy.from, random);
    return true;
  }

  Share learn(const Execution& execution) override {
    journal_.begin();
    ++scans_;
    const std::uint32_t known = pair_count_;
    std::uint64_t key = 0;
    scan_events(execution.trace, kMostEvents, [&](const Event& e, std::uint64_t) { look_at(e, key); });
    bool fresh = pair_count_ > known;
    if (guide_ == Guide::kTasks) {
      key = execution.task_set;
      fresh = execution.fresh_tasks != 0;
    }
    if (ran_to_its_end(execution.result.outcome)) keep(execution, mix64(key) | 1, fresh);
    journal_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { journal_.recover(learned); }

 private:
  static bool is_read(const Event& e) {
    return is_memory_access(e.kind) ? has_read_effect(e.kind) : op_class(e.kind) == OpClass::kSync;
  }
  static bool is_write(const Event& e) {
    return is_memory_access(e.kind) ? has_write_effect(e.kind, e.bits) : op_class(e.kind) == OpClass::kSync;
  }

  void look_at(const Event& e, std::uint64_t& key) {
    const bool reads = is_read(e);
    const bool writes = is_write(e);
    if (!reads && !writes) return;
    LastWrite& last = last_[mix64(place_of(e)) % kPlaces];
    const bool known = last.execution == scans_ && last.place == place_of(e);
    if (reads) {
      const Pair pair{e.location, known ? last.location : LocationId(), place_of(e)};
      key += mix64(hash_combine(pair.read, pair.write));
      add(pair);
    }
    if (writes) last = {place_of(e), scans_, e.location};
  }

  // What is beyond the count does not exist: only the count needs the journal.
  void add(const Pair& pair) {
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

  void keep(const Execution& execution, std::uint64_t key, bool fresh) {
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

  [[nodiscard]] const Kept& rarer(Random& random) const {
    const Kept& a = kept_[random.below(kept_count_)];
    const Kept& b = kept_[random.below(kept_count_)];
    return signatures_[a.signature].times <= signatures_[b.signature].times ? a : b;
  }

  // A read that was seen, and a write of its object that it may see.
  [[nodiscard]] ReadsFrom wish(Random& random) const {
    const Pair& read = pairs_[random.below(pair_count_)];
    const std::uint64_t from = random.below(pair_count_);
    for (unsigned i = 0; i < kLookForPlace && i < pair_count_; ++i) {
      const Pair& write = pairs_[(from + i) % pair_count_];
      if (write.place == read.place && write.write != read.write)
        return {read.read, write.write, static_cast<std::uint32_t>(random.below(2))};
    }
    return {read.read, read.write, static_cast<std::uint32_t>(random.below(2))};
  }

  void mutate(ReadsFrom (&from)[kMaxReadsFrom], Random& random) const {
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

  Guide guide_;
  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  Journal journal_;
  Pair* pairs_;
  std::uint32_t* pair_slots_;  // place in the list + 1
  Kept* kept_;
  Signature* signatures_;
  LastWrite* last_;
  std::uint64_t scans_ = 0;  // tells old entries of last_; goes on after a kill
  std::uint32_t pair_count_ = 0;
  std::uint32_t kept_count_ = 0;
};

}  // namespace

StrategyParts create_rf(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Rf>(memory, memory, options, Rf::Guide::kPairs);
}

StrategyParts create_coverage(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Rf>(memory, memory, options, Rf::Guide::kTasks);
}

}  // namespace ravel
