// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// meta: drives executions along a sequence of places (Rungta, Mercer, "A meta heuristic for effectively detecting
// concurrency errors", HVC 2008). Greedy depth-first: the policy (runtime/policy/guided_policy.cc) takes the best
// thread at every decision until the execution ends; then the search goes back to one of the states that it passed by
// (backtrack_set.h). Two states differ in the order of dependent operations or in how much of the sequence was
// observed (key=state: without that, as the paper has it).
//
// Departures: an execution cannot be left where no successor is new, so it goes on by rank; the alternatives of data
// choices are successors too; when no state is left the search begins again, with other random numbers.
#include "base/journal.h"
#include "explore/backtrack_set.h"
#include "explore/parameters.h"
#include "explore/sampling.h"
#include "explore/strategies.h"
#include "model/policy_depth.h"

namespace ravel {
namespace {

constexpr std::uint32_t kJournalEntries = 1u << 20;
constexpr std::uint32_t kMostVisited = VisitedStates::kSlots / 4 * 3;
constexpr std::uint32_t kLongestPrefix = 1u << 16;  // segments
constexpr std::size_t kAhead = 16;                  // states whose slots are on their way into the caches

class Meta final : public Strategy {
 public:
  Meta(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : journal_(memory, kJournalEntries),
        waiting_(memory, journal_, static_cast<std::uint32_t>(options.parameters["backtrack"])),
        visited_(options.visited),
        seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        by_(static_cast<std::uint16_t>(options.parameters["by"])),
        by_state_(options.parameters["key"] != 0),
        thread_(static_cast<ThreadIndex>(options.parameters["thread"])) {}

  bool next(PlanWriter& plan) override {
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    policy.kind = PolicyKind::kGuided;
    policy.seed = random_seed();
    policy.depth = by_;
    policy.length = thread_;
    policy.counts[0] = by_state_ ? 1 : 0;
    policy.counts[1] = static_cast<std::uint16_t>(search_);
    plan.spec.prefix_segments = 0;
    if (returns_ != 0 && !waiting_.write(plan, present_)) plan.spec.prefix_segments = 0;
    return true;
  }

  Share learn(const Execution& execution) override {
    journal_.begin();
    Random random(hash_combine(random_seed(), 1));
    if (execution.points_grew) {
      begin_again();
    } else {
      if (execution.result.outcome != OutcomeKind::kDiverged) take_in(execution, random);
      go_back(random);
    }
    journal_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { journal_.recover(learned); }

 private:
  [[nodiscard]] std::uint64_t random_seed() const { return derive_seed(seed_, journal_.steps() * shards_ + shard_); }

  // States of another search do not count: the policy salts their keys with its number.
  void begin_again() {
    waiting_.clear();
    journal_.set(search_, search_ + 1);
    journal_.set(returns_, std::uint8_t{0});
  }

  void go_back(Random& random) {
    BacktrackSet::State next;
    if (!waiting_.take(next, random)) return begin_again();
    journal_.set(present_.run, next.run);
    journal_.set(present_.cut, next.cut);
    journal_.set(present_.choice, next.choice);
    journal_.set(present_.level, next.level);
    journal_.set(present_.distance, next.distance);
    journal_.set(returns_, std::uint8_t{1});
  }

  // Walks the schedule behind the prefix; what was ranked and not taken waits.
  void take_in(const Execution& execution, Random& random) {
    const GuideProgress& progress = execution.result.guide;
    const auto ranked = execution.trace.ranked.first(
        progress.ranked < execution.trace.ranked.size() ? progress.ranked : execution.trace.ranked.size());
    Walk walk{*this, returns_ != 0 ? present_ : BacktrackSet::State{}, returns_ != 0};
    std::size_t at = 0;
    const auto decisions = static_cast<std::uint32_t>(execution.decisions.size());
    for (std::uint32_t d = walk.known(); d < decisions && walk.has_room(); ++d) {
      const DecisionRecord& decision = execution.decisions[d];
      while (at < ranked.size() && ranked[at].decision < d) ++at;
      if ((decision.chosen & kDataChoice) != 0 && at < ranked.size() && ranked[at].decision == d) {
        for (std::uint32_t i = 0; i < decision.options; ++i) {
          if ((decision.chosen & ~kDataChoice) == i) continue;
          walk.leave(kDataChoice | i, ranked[at].level, ranked[at].distance, random);
        }
      }
      for (std::size_t i = at; i < ranked.size() && ranked[i].decision == d; ++i) {
        if (i + kAhead < ranked.size()) fetch(ranked[i + kAhead].state);
        const bool fresh = visit(ranked[i].state);
        if (fresh && ranked[i].choice != decision.chosen) {
          walk.leave(ranked[i].choice, ranked[i].level, ranked[i].distance, random);
        }
      }
      walk.step(decision.chosen);
    }
  }

  void fetch(std::uint64_t key) const {
    if (visited_ != nullptr) __builtin_prefetch(&visited_->keys[mix64(key) % VisitedStates::kSlots]);
  }

  // Whether it is new.
  bool visit(std::uint64_t key) {
    if (visited_ == nullptr) return true;
    std::uint64_t& slot = visited_->keys[visited_->slot_of(key)];
    if (slot == key) return false;
    if (count_ < kMostVisited && journal_.has_room(2)) {
      journal_.set(slot, key);
      journal_.set(count_, count_ + 1);
    }
    return true;
  }

  // Where the walk is: so many choices into a run, the last of which is not in the tree yet.
  class Walk {
   public:
    Walk(Meta& meta, const BacktrackSet::State& from, bool returns) : meta_(meta) {
      if (!returns) return;
      parent_ = from.run;
      cut_ = from.cut;
      choice_ = from.choice;
      count_ = 1;
      known_ = from.cut + 1;
      for (std::uint32_t at = from.run; at != BacktrackSet::kNone;) {
        const BacktrackSet::Run& run = meta_.waiting_.run(at);
        if (run.parent != BacktrackSet::kNone) known_ += run.cut;
        at = run.parent;
        ++segments_;
      }
    }
    [[nodiscard]] std::uint32_t known() const { return known_; }
    [[nodiscard]] bool has_room() const { return !full_ && segments_ < kLongestPrefix; }

    // An alternative of the decision that comes next.
    void leave(std::uint32_t choice, std::uint32_t level, std::uint32_t distance, Random& random) {
      if (full_) return;
      if (count_ != 0 && run_ == BacktrackSet::kNone) {
        run_ = meta_.waiting_.add_run({parent_, cut_, choice_});
        full_ = run_ == BacktrackSet::kNone;
        if (full_) return;
      }
      const BacktrackSet::State state{count_ == 0 ? BacktrackSet::kNone : run_, count_, choice, level, distance};
      full_ = !meta_.waiting_.add(state, random);
    }
    void step(std::uint32_t choice) {
      if (count_ != 0 && choice == choice_) {
        ++count_;
        return;
      }
      if (count_ != 0) {
        if (run_ == BacktrackSet::kNone) run_ = meta_.waiting_.add_run({parent_, cut_, choice_});
        full_ = full_ || run_ == BacktrackSet::kNone;
        parent_ = run_;
        cut_ = count_;
      }
      run_ = BacktrackSet::kNone;
      choice_ = choice;
      count_ = 1;
      ++segments_;
    }

   private:
    Meta& meta_;
    std::uint32_t parent_ = BacktrackSet::kNone;
    std::uint32_t cut_ = 0;
    std::uint32_t run_ = BacktrackSet::kNone;  // the run the walk is in, once something refers to it
    std::uint32_t choice_ = 0;
    std::uint32_t count_ = 0;
    std::uint32_t known_ = 0;
    std::uint32_t segments_ = 0;
    bool full_ = false;
  };

  Journal journal_;
  BacktrackSet waiting_;
  VisitedStates* visited_;
  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  std::uint16_t by_;
  bool by_state_;
  ThreadIndex thread_;
  BacktrackSet::State present_;
  std::uint32_t search_ = 0;
  std::uint32_t count_ = 0;   // of visited states
  std::uint8_t returns_ = 0;  // to `present_`; 0: from the start
};

}  // namespace

StrategyParts create_meta(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Meta>(memory, memory, options);
}

}  // namespace ravel
