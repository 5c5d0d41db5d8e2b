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
// draw among those who can is made. Who yields waits for somebody, perhaps for one that stands still: then, and when
// threads have yielded many times to each other, one of those is drawn.
#include "base/random.h"
#include "runtime/policy/policies.h"

namespace ravel {

namespace {

constexpr unsigned kMostYields = 64;  // for one draw

class Surw final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    random_ = Random(spec.seed);
    places_ = 0;
    for (; places_ < kMaxParkPlaces && spec.park_at[places_] != 0; ++places_) at_[places_] = spec.park_at[places_];
    for (unsigned i = 0; i < kMaxCounted; ++i) left_[i] = spec.counts[i];
    drawn_ = kNoThread;
    yields_ = 0;
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    if (drawn_ == kNoThread) draw();
    if (ready.yielded && ++yields_ > kMostYields) return draw_ready(ready);
    std::size_t free = 0;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) free += is_free(ready, i);
    if (free == 0) return draw_ready(ready);
    std::uint64_t nth = random_.below(free);
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (is_free(ready, i) && nth-- == 0) return i;
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
  static bool gives_way(const Ready& ready, std::size_t i) {
    return ready.yielded && static_cast<int>(i) == ready.current;
  }
  [[nodiscard]] bool is_free(const Ready& ready, std::size_t i) const {
    return may_run(ready.operations[i]) && !gives_way(ready, i);
  }
  [[nodiscard]] std::uint64_t weight(ThreadIndex thread) const { return thread < kMaxCounted ? left_[thread] : 1; }

  void draw() {
    yields_ = 0;
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

  // The one that was drawn is not there, nobody knew that anybody was left, or all that may run wait for others: one
  // of those that stand still, if there are any.
  std::size_t draw_ready(const Ready& ready) {
    yields_ = 0;
    bool is_any_still = false;
    for (const OperationView& pending : ready.operations) is_any_still = is_any_still || !may_run(pending);
    const auto part = [&](std::size_t i) -> std::uint64_t {
      const bool left_out = is_any_still ? may_run(ready.operations[i]) : gives_way(ready, i);
      return left_out ? 0 : 1 + weight(ready.operations[i].thread);
    };
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) all += part(i);
    std::uint64_t nth = random_.below(all);
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (nth < part(i)) return i;
      nth -= part(i);
    }
    return 0;
  }

  Random random_{0};
  unsigned places_ = 0;
  LocationId at_[kMaxParkPlaces] = {};
  std::uint32_t left_[kMaxCounted] = {};
  ThreadIndex drawn_ = kNoThread;
  unsigned yields_ = 0;  // since the draw
};

constinit Surw surw;

}  // namespace

Policy& surw_policy() {
  return surw;
}

}  // namespace ravel
