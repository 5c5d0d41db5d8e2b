// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding
// bugs", ASPLOS 2010. Every thread has a random priority, the enabled thread with the highest one runs, and at d-1
// random steps out of k the thread that is about to run is put below all others. A bug of depth d among n threads and k
// steps is found with probability at least 1 / (n k^(d-1)).
//
// Departures: threads need not be known beforehand, a thread gets its priority when first seen (a function of seed and
// index, so all orders are equally likely as with insertion at a random place). A thread that yields or spins goes to
// the bottom, below former change points too: otherwise one that waits for a lower one would wait for ever. k is an
// estimate from earlier executions; change points past the end do nothing, as in a run with a smaller d. Steps count
// executed operations but not the heap's, which are no scheduling points.
#include "base/large_table.h"
#include "base/random.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/thread_table.h"

namespace ravel {

namespace {

// Three bands of priorities: initial ones, those given by change points, those of threads that yielded.
constexpr std::uint64_t kInitialBand = std::uint64_t{1} << 63;
constexpr std::uint64_t kChangeBand = std::uint64_t{1} << 62;
constexpr std::uint64_t kYieldBand = std::uint64_t{1} << 61;
constexpr unsigned kMaxChanges = 64;
constexpr std::uint32_t kUnknownLength = 1000;

RAVEL_LARGE_TABLE constinit ThreadTable<std::uint64_t> priorities;

class Pct final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    priorities.forget_all();
    seed_ = spec.seed;
    steps_ = 0;
    yields_ = 0;
    next_ = 0;
    const unsigned wanted = spec.depth == 0 ? 0 : spec.depth - 1u;
    changes_ = wanted < kMaxChanges ? wanted : kMaxChanges;
    Random random(derive_seed(spec.seed, kMaxThreads));
    for (unsigned i = 0; i < changes_; ++i) {
      insert(i, {random.below(spec.length == 0 ? kUnknownLength : spec.length), kChangeBand - i});
    }
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    if (ready.yielded && ready.current >= 0) {
      priorities.store(ready.operations[static_cast<std::size_t>(ready.current)].thread, kYieldBand - ++yields_);
    }
    std::size_t top = highest(ready);
    while (next_ < changes_ && points_[next_].step <= steps_) {
      priorities.store(ready.operations[top].thread, points_[next_++].priority);
      top = highest(ready);
    }
    return top;
  }

  void executed(const OperationView& operation) override {
    if (op_class(operation.kind) == OpClass::kHeap) return;
    // The thread had no rival at a change point, so pick was not asked: it is put back all the same.
    while (next_ < changes_ && points_[next_].step <= steps_) {
      priorities.store(operation.thread, points_[next_++].priority);
    }
    ++steps_;
  }

 private:
  struct ChangePoint {
    std::uint64_t step = 0;
    std::uint64_t priority = 0;
  };

  // Sorted by step; `count` are in already.
  void insert(unsigned count, ChangePoint point) {
    unsigned at = count;
    for (; at > 0 && points_[at - 1].step > point.step; --at) points_[at] = points_[at - 1];
    points_[at] = point;
  }

  [[nodiscard]] std::uint64_t priority_of(ThreadIndex thread) const {
    const std::uint64_t* known = priorities.find(thread);
    return known != nullptr ? *known : priorities.store(thread, derive_seed(seed_, thread) | kInitialBand);
  }

  [[nodiscard]] std::size_t highest(const Ready& ready) const {
    std::size_t best = 0;
    std::uint64_t best_priority = 0;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const std::uint64_t priority = priority_of(ready.operations[i].thread);
      if (priority <= best_priority) continue;
      best = i;
      best_priority = priority;
    }
    return best;
  }

  std::uint64_t seed_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t yields_ = 0;
  unsigned changes_ = 0;
  unsigned next_ = 0;
  ChangePoint points_[kMaxChanges] = {};
};

constinit Pct pct;

}  // namespace

Policy& pct_policy() {
  return pct;
}

}  // namespace ravel
