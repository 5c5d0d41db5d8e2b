// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SURW, selectively uniform random walk: Zhao, Wolff, Mathur, Roychoudhury, "Selectively uniform concurrency testing",
// ASPLOS 2025. Of all operations some are interesting: those at the places listed. Whose interesting operation comes
// next is drawn with probabilities proportional to how many each thread has left; until it has come, other threads
// stand still before theirs, and whatever is not interesting goes on by a random walk. With right counts every order of
// the interesting operations is equally likely, whatever else the threads do.
//
// Departures: counts are those of each thread itself, of the first kMaxCounted threads (others have one each), as
// earlier executions had them; a thread that has not started yet may be drawn, and when nobody else can go on, another
// draw among those who can is made.
#include "base/random.h"
#include "runtime/policy/policies.h"

namespace ravel {

namespace {

class Surw final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    random_ = Random(spec.seed);
    places_ = 0;
    for (; places_ < kMaxParkPlaces && spec.park_at[places_] != 0; ++places_) at_[places_] = spec.park_at[places_];
    for (unsigned i = 0; i < kMaxCounted; ++i) left_[i] = spec.counts[i];
    drawn_ = kNoThread;
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    if (drawn_ == kNoThread) draw();
    std::size_t free = 0;
    for (const OperationView& pending : ready.operations) free += may_run(pending);
    if (free == 0) return draw_ready(ready);
    std::uint64_t nth = random_.below(free);
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (may_run(ready.operations[i]) && nth-- == 0) return i;
    }
    return 0;
  }

  void executed(const OperationView& operation) override {
    if (!is_interesting(operation)) return;
    if (operation.thread < kMaxCounted && left_[operation.thread] != 0) --left_[operation.thread];
    drawn_ = kNoThread;
  }

 private:
  [[nodiscard]] bool is_interesting(const OperationView& operation) const {
    for (unsigned i = 0; i < places_; ++i) {
      if (at_[i] == operation.location) return true;
    }
    return false;
  }
  [[nodiscard]] bool may_run(const OperationView& pending) const {
    return pending.thread == drawn_ || !is_interesting(pending);
  }
  [[nodiscard]] std::uint64_t weight(ThreadIndex thread) const { return thread < kMaxCounted ? left_[thread] : 1; }

  void draw() {
    std::uint64_t all = 0;
    for (const std::uint32_t left : left_) all += left;
    if (all == 0) return;
    std::uint64_t nth = random_.below(all);
    for (unsigned i = 0; i < kMaxCounted; ++i) {
      if (nth < left_[i]) {
        drawn_ = i;
        return;
      }
      nth -= left_[i];
    }
  }

  // The one that was drawn is not there, or nobody knew that anybody was left.
  std::size_t draw_ready(const Ready& ready) {
    std::uint64_t all = 0;
    for (const OperationView& pending : ready.operations) all += 1 + weight(pending.thread);
    std::uint64_t nth = random_.below(all);
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const std::uint64_t part = 1 + weight(ready.operations[i].thread);
      if (nth < part) return i;
      nth -= part;
    }
    return 0;
  }

  Random random_{0};
  unsigned places_ = 0;
  LocationId at_[kMaxParkPlaces] = {};
  std::uint32_t left_[kMaxCounted] = {};
  ThreadIndex drawn_ = kNoThread;
};

constinit Surw surw;

}  // namespace

Policy& surw_policy() {
  return surw;
}

}  // namespace ravel
