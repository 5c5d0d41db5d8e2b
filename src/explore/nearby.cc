// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// nearby: schedules that are almost the given one, nearest first, for a program that has changed since the schedule was
// made. First the schedule itself, going on without preemption where it no longer fits. Then, of what that
// execution decided, at growing distance from its preemptions (a lock or an access more than before moves the place
// that matters by a few decisions):
//
//   later   the preemption comes so many decisions later, the rest is as it was
//   turned  a decision is turned to each alternative, the rest is without preemption
//
// An execution without preemptions is turned from its end.
//
// Promises nothing; what it does not find is for a search that covers everything. Kill-safe: the path and the list are
// written once, before the state that uses them.
#include "base/two_slots.h"
#include "explore/decision_path.h"
#include "explore/make_strategy.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostChanges = 4'096;
constexpr std::uint32_t kMostPreemptions = 256;  // of a schedule with more only the last ones count

enum class Phase : std::uint8_t { kGiven, kChanged, kDone };

struct State {
  Phase phase = Phase::kGiven;
  std::uint32_t length = 0;  // of the path
  std::uint32_t count = 0;   // of the list
  std::uint32_t at = 0;
};

struct Change {
  std::uint32_t decision = 0;
  std::uint32_t rank = 0;
  std::uint32_t later = 0;  // the preemption there comes so much later; 0: turned to `rank`
};

class Nearby final : public Strategy {
 public:
  Nearby(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : path_(memory),
        changes_(allocate<Change>(memory, kMostChanges)),
        listed_(allocate<std::uint8_t>(memory, kMaxDecisions)),
        given_(allocate<Segment>(memory, options.schedule.size() + 1)),
        given_count_(static_cast<std::uint32_t>(options.schedule.size())) {
    for (std::uint32_t i = 0; i < given_count_; ++i) given_[i] = options.schedule[i];
  }

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    plan.spec.policy = PolicySpec{};
    plan.spec.data_seed = 0;
    plan.spec.on_divergence = OnDivergence::kContinue;
    plan.spec.prefix_segments = 0;
    if (s.phase == Phase::kDone) return false;
    if (s.phase == Phase::kGiven) {
      for (std::uint32_t i = 0; i < given_count_; ++i) append(plan, given_[i]);
      return true;
    }
    const Change& change = changes_[s.at];
    if (change.later == 0) {
      path_.write(plan, change.decision + 1, change.rank);
      return true;
    }
    for (std::uint32_t i = 0; i < s.length; ++i) {
      if (i == change.decision) append(plan, {path_[i].running, change.later});
      append(plan, {path_.choice(path_[i], path_[i].current), 1});
    }
    return true;
  }

  Share learn(const Execution& execution) override {
    State& s = state_.prepare();
    if (s.phase == Phase::kGiven) {
      path_.extend(execution, &s.length);
      list(s);
      s.phase = Phase::kChanged;
    } else {
      ++s.at;
    }
    if (s.at == s.count) s.phase = Phase::kDone;
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

 private:
  template <class T>
  static T* allocate(std::pmr::memory_resource& memory, std::size_t count) {
    return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
  }

  static void append(PlanWriter& plan, Segment segment) {
    std::uint32_t& count = plan.spec.prefix_segments;
    if (count != 0 && plan.prefix[count - 1].thread == segment.thread) {
      plan.prefix[count - 1].count += segment.count;
    } else if (count < plan.prefix.size()) {
      plan.prefix[count++] = segment;
    }
  }

  [[nodiscard]] bool is_preemption(std::uint32_t decision) const {
    const DecisionPath::Entry& entry = path_[decision];
    return entry.threads_at != kNotListed && entry.running != kNoThread &&
           path_.choice(entry, entry.current) != entry.running;
  }

  void turn(State& s, std::uint32_t decision) {
    if (listed_[decision] != 0) return;
    listed_[decision] = 1;
    const DecisionPath::Entry& entry = path_[decision];
    for (std::uint32_t rank = 0; rank < entry.options && s.count < kMostChanges; ++rank) {
      if (rank != entry.current) changes_[s.count++] = {decision, rank, 0};
    }
  }

  // From each preemption one step farther to both sides at a time.
  void list(State& s) {
    std::uint32_t from[kMostPreemptions];
    std::uint32_t count = 0;
    const std::uint32_t length = s.length;
    for (std::uint32_t i = length; i-- > 0;) {
      listed_[i] = 0;
      if (count < kMostPreemptions && is_preemption(i)) from[count++] = i;
    }
    if (count == 0 && length != 0) from[count++] = length - 1;
    for (std::uint32_t distance = 0; distance < length && s.count < kMostChanges; ++distance) {
      for (std::uint32_t i = 0; i < count; ++i) {
        if (distance != 0 && is_preemption(from[i]) && s.count < kMostChanges)
          changes_[s.count++] = {from[i], 0, distance};
        if (from[i] >= distance) turn(s, from[i] - distance);
        if (from[i] + distance < length) turn(s, from[i] + distance);
      }
    }
  }

  DecisionPath path_;
  Change* changes_;
  std::uint8_t* listed_;  // scratch
  Segment* given_;
  std::uint32_t given_count_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_nearby(std::pmr::memory_resource& memory, const StrategyOptions& options,
                            std::string_view& error) {
  if (options.schedule.empty()) {
    error = kNeedsPlan;
    return {};
  }
  return make_strategy<Nearby>(memory, memory, options);
}

}  // namespace ravel
