// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Period: the execution is made of `depth` rounds. In each the threads come in turn, in one order that the seed
// decides, and each makes a part of its steps; where its steps are cut into parts the seed decides too. Wen, He, Chen,
// Yang, Liu, "Controlled concurrency testing via periodical scheduling", ICSE 2022: few rounds are enough for most
// defects, and their schedules are few.
//
// Departures: parts are of steps, which the runtime controls, where the paper has the kernel's deadline scheduler give
// turns of real time; the cuts are sampled, not enumerated; the last round has no end, and is run on without
// preemption.
#include "base/large_table.h"
#include "base/random.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/run_on_order.h"
#include "runtime/policy/thread_table.h"

namespace ravel {

namespace {

constexpr std::uint32_t kMostRounds = 16;

RAVEL_LARGE_TABLE constinit ThreadTable<std::uint32_t> done;  // steps of each thread

class Period final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    done.forget_all();
    seed_ = spec.seed;
    round_ = 0;
    rounds_ = spec.depth < 1 ? 1 : spec.depth > kMostRounds ? kMostRounds : spec.depth;
    for (unsigned i = 0; i < kMaxCounted; ++i) counts_[i] = spec.counts[i];
    order_.begin(spec.seed | 1);
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    for (; round_ + 1 < rounds_; ++round_) {
      if (const int one = next_in_round(ready); one >= 0) return static_cast<std::size_t>(one);
    }
    return order_.pick(ready);
  }

  void executed(const OperationView& operation) override {
    const std::uint32_t* known = done.find(operation.thread);
    done.store(operation.thread, (known == nullptr ? 0 : *known) + 1);
  }

 private:
  // -1: everybody has made its part.
  [[nodiscard]] int next_in_round(const Ready& ready) {
    if (ready.current >= 0 && !ready.yielded && has_part(ready, static_cast<std::size_t>(ready.current))) {
      return ready.current;
    }
    int best = -1;
    std::uint64_t best_rank = 0;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (!has_part(ready, i) || (ready.yielded && static_cast<int>(i) == ready.current)) continue;
      const std::uint64_t rank = derive_seed(seed_, ready.operations[i].thread);
      if (best < 0 || rank < best_rank) {
        best = static_cast<int>(i);
        best_rank = rank;
      }
    }
    return best;
  }

  [[nodiscard]] bool has_part(const Ready& ready, std::size_t i) const {
    const ThreadIndex thread = ready.operations[i].thread;
    const std::uint32_t* known = done.find(thread);
    return (known == nullptr ? 0 : *known) < end_of_part(thread);
  }

  // The round_-th smallest of rounds_ - 1 numbers between 0 and the steps of the thread.
  [[nodiscard]] std::uint32_t end_of_part(ThreadIndex thread) const {
    std::uint32_t cuts[kMostRounds] = {};
    const std::uint32_t steps = counts_[thread < kMaxCounted ? thread.number() : kMaxCounted - 1];
    for (std::uint32_t i = 0; i + 1 < rounds_; ++i) {
      Random random(derive_seed(seed_ ^ mix64(thread + 1), i));
      const auto cut = static_cast<std::uint32_t>(random.below(std::uint64_t{steps} + 1));
      std::uint32_t at = i;
      for (; at > 0 && cuts[at - 1] > cut; --at) cuts[at] = cuts[at - 1];
      cuts[at] = cut;
    }
    return cuts[round_];
  }

  std::uint64_t seed_ = 0;
  std::uint32_t round_ = 0;
  std::uint32_t rounds_ = 1;
  std::uint16_t counts_[kMaxCounted] = {};
  RunOnOrder order_;
};

constinit Period period;

}  // namespace

Policy& period_policy() {
  return period;
}

}  // namespace ravel
