// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Noise: run-on in which a thread that is about to execute an operation is, with a given probability, held back for
// some decisions; noise is the only reason for a preemption. What noise injection does to real threads by yields and
// delays (Krena, Letko, Vojnar, "Coverage metrics for saturation-based and search-based testing of concurrent
// software", RV 2011; "Noise injection heuristics", MEMICS 2012), but a delay costs nothing and the execution is a
// plan.
//
// Departures: delays are counted in decisions instead of milliseconds, so sleep, wait and busy waiting are the same. A
// thread that is held back goes on when all others gave way lately, and after kPatience decisions at the latest: they
// may spin until it does something.
#include "base/large_table.h"
#include "base/random.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/thread_table.h"

namespace ravel {

namespace {

constexpr std::uint64_t kPatience = 2'000;
constexpr std::uint64_t kHaltOneOf = 8;  // disturbances, where halting is on

struct Disturbed {
  std::uint64_t until = 0;    // not chosen before this decision while another can run
  std::uint64_t yielded = 0;  // decision at which the thread gave way last
  std::uint32_t draws = 0;
  bool drawn = false;  // for the pending operation
};

RAVEL_LARGE_TABLE constinit ThreadTable<Disturbed> threads;

class Noise final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    threads.forget_all();
    seed_ = spec.seed;
    noise_ = spec.noise;
    decision_ = 0;
    synch_free_ = 0;
    places_ = 0;
    for (; places_ < kMaxParkPlaces && spec.park_at[places_] != 0; ++places_) at_[places_] = spec.park_at[places_];
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    ++decision_;
    if (ready.yielded && ready.current >= 0) {
      of(ready.operations[static_cast<std::size_t>(ready.current)].thread).yielded = decision_;
      if (others_only_wait(ready)) release(ready);
    }
    for (;;) {  // each round disturbs one more thread
      const std::size_t next = first(ready);
      const OperationView& pending = ready.operations[next];
      Disturbed& thread = of(pending.thread);
      if (thread.drawn) return next;
      thread.drawn = true;
      Random random(derive_seed(derive_seed(seed_, pending.thread), thread.draws++));
      if (!has_noise(pending) || random.below(kPerMille) >= noise_.frequency) return next;
      thread.until = decision_ + delay(random);
    }
  }

  void executed(const OperationView& operation) override {
    Disturbed& thread = of(operation.thread);
    thread.drawn = false;
    thread.until = 0;
  }

 private:
  static Disturbed& of(ThreadIndex thread) {
    Disturbed* known = threads.find(thread);
    return known != nullptr ? *known : threads.store(thread, Disturbed{});
  }

  // Everybody who is not held back gave way in the last two rounds or so.
  [[nodiscard]] bool others_only_wait(const Ready& ready) const {
    const std::uint64_t lately = 2 * ready.operations.size();
    for (const OperationView& pending : ready.operations) {
      const Disturbed& thread = of(pending.thread);
      if (thread.until <= decision_ && (thread.yielded == 0 || thread.yielded + lately < decision_)) return false;
    }
    return true;
  }
  static void release(const Ready& ready) {
    for (const OperationView& pending : ready.operations) of(pending.thread).until = 0;
  }

  [[nodiscard]] bool is_listed(LocationId location) const {
    for (unsigned i = 0; i < places_; ++i) {
      if (at_[i] == location) return true;
    }
    return false;
  }

  [[nodiscard]] bool has_noise(const OperationView& pending) const {
    const OpClass cls = op_class(pending.kind);
    switch (noise_.places) {
      case NoisePlaces::kEverywhere:
        return true;
      case NoisePlaces::kVariable:
        return is_listed(pending.location);
      case NoisePlaces::kVariableAndSync:
        return cls == OpClass::kSync || is_listed(pending.location);
      case NoisePlaces::kMemory:
        return cls == OpClass::kPlain || cls == OpClass::kAtomic;
      case NoisePlaces::kSync:
        return cls == OpClass::kSync;
    }
    return false;
  }

  // In decisions.
  [[nodiscard]] std::uint64_t delay(Random& random) {
    if (noise_.halts != 0 && random.below(kHaltOneOf) == 0) return kPatience;
    NoiseSeeding seeding = noise_.seeding;
    if (seeding == NoiseSeeding::kMixed) {
      seeding = static_cast<NoiseSeeding>(random.below(static_cast<std::uint64_t>(NoiseSeeding::kMixed)));
    }
    const std::uint64_t strength = noise_.strength == 0 ? 1 : noise_.strength;
    if (seeding == NoiseSeeding::kYield) return strength;
    if (seeding != NoiseSeeding::kSynchYield) return 1 + random.below(strength);
    const std::uint64_t begin = synch_free_ > decision_ ? synch_free_ : decision_;
    synch_free_ = begin + strength;
    return synch_free_ - decision_;
  }

  // Whom run-on would choose among those that are not held back; if all are, the one that is free first.
  [[nodiscard]] std::size_t first(const Ready& ready) const {
    std::size_t best = 0;
    Rank best_rank;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const ThreadIndex thread = ready.operations[i].thread;
      const Disturbed& known = of(thread);
      const bool goes_on = static_cast<int>(i) == ready.current && !ready.yielded;
      const Rank rank{known.until > decision_ ? known.until : 0, known.yielded,
                      goes_on ? 0 : derive_seed(seed_, thread) | 1};
      if (i != 0 && !(rank < best_rank)) continue;
      best = i;
      best_rank = rank;
    }
    return best;
  }

  struct Rank {
    std::uint64_t until = 0;
    std::uint64_t yielded = 0;
    std::uint64_t order = 0;
    bool operator<(const Rank& other) const {
      if (until != other.until) return until < other.until;
      const bool current = order == 0, other_current = other.order == 0;
      if (current != other_current) return current;
      if (yielded != other.yielded) return yielded < other.yielded;
      return order < other.order;
    }
  };

  std::uint64_t seed_ = 0;
  NoiseSpec noise_;
  std::uint64_t decision_ = 0;
  std::uint64_t synch_free_ = 0;  // decision at which nobody is in a synchYield any more
  unsigned places_ = 0;
  LocationId at_[kMaxParkPlaces];
};

constinit Noise noise;

}  // namespace

Policy& noise_policy() {
  return noise;
}

}  // namespace ravel
