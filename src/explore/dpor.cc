// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dpor: every behaviour once. Two schedules that differ only in the order of independent neighbours are one
// Mazurkiewicz trace; this search runs one schedule of each, and none in vain (optimal dynamic partial order reduction;
// reversal.h has the paper and the departures).
//
// One execution at a time: the tree's present path is the prefix, behind it run-on decides. What was executed becomes
// the path, its reversals become branches, and the deepest waiting branch comes next. A branch is entered only if
// nothing asleep could begin it, so behind its end nothing is asleep and any continuation will do.
//
// sets=source: source sets instead of wake-up trees. Behaviours are still counted once, but some executions find that
// all that could go on is asleep; they are counted as blocked.
//
// Memory: the path, its branches and one execution. All of it in shared memory; a killed worker's step is undone by the
// journal.
#include <new>

#include "explore/estimate.h"
#include "explore/reversal.h"
#include "explore/sampling.h"
#include "explore/schedule_tree.h"
#include "explore/steps.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kJournalEntries = 1u << 20;

class Dpor final : public Strategy {
 public:
  Dpor(std::pmr::memory_resource& memory, Reversals::Sets sets)
      : journal_(memory, kJournalEntries),
        steps_(memory),
        tree_(memory, journal_),
        reversals_(memory, steps_, tree_, sets),
        path_(static_cast<NodeId*>(memory.allocate(sizeof(NodeId) * (Steps::kMaxSteps + 1), alignof(NodeId)))),
        indices_(static_cast<ThreadIndex*>(
            memory.allocate(sizeof(ThreadIndex) * ThreadNames::kMost, alignof(ThreadIndex)))) {}

  bool next(PlanWriter& plan) override {
    if (finished_ != 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.by_step = kByStep;
    std::uint32_t segments = 0;
    const auto put = [&](std::uint32_t choice) {
      if (segments != 0 && plan.prefix[segments - 1].thread == choice) {
        ++plan.prefix[segments - 1].count;
      } else {
        plan.prefix[segments++] = {choice, 1};
      }
    };
    ThreadIndex created = 0;
    for (NodeId id = tree_[tree_.root()].active; id != 0; id = tree_[id].active) {
      const Act& act = tree_[id].act;
      put(index_of(act.op.thread, created));
      if (act.choice != kNoChoice) put(kDataChoice | act.choice);
      if (act.op.kind == OpKind::kThreadCreate && act.op.value < ThreadNames::kMost) {
        indices_[act.op.value] = ++created;
      }
    }
    plan.spec.prefix_segments = segments;
    return true;
  }

  void begin(const SharedBlock& block) override { steps_.begin(block); }
  [[nodiscard]] bool looks_at_points_only() const override { return true; }
  void observe(const Event& event, std::uint64_t operand) override { steps_.add(event, operand); }

  void learn(const Execution& execution) override {
    journal_.begin();
    tree_.begin_step();
    in_vain_ = false;
    if (execution.points_grew) {
      tree_.reset();
      journal_.set(counted_, std::uint64_t{0});
      for (std::uint8_t* flag : {&finished_, &cut_, &too_big_, &diverged_}) journal_.set(*flag, std::uint8_t{0});
    } else {
      take_in(execution);
      if (!in_vain_) journal_.set(counted_, counted_ + 1);
      step_on();
    }
    tree_.give_back();
    journal_.commit();
  }

  void recover(std::uint64_t learned) override { journal_.recover(learned); }
  [[nodiscard]] Share share() const override { return in_vain_ ? Share::kInVain : Share::kCounts; }

  [[nodiscard]] bool complete() const override {
    return finished_ != 0 && cut_ == 0 && too_big_ == 0 && diverged_ == 0;
  }

  // Branches that nobody has found yet are not in it: the number grows.
  [[nodiscard]] Estimate estimate(std::uint64_t counted) const override {
    if (finished_ != 0) return {counted, counted, counted};
    std::uint32_t length = 0;
    for (NodeId id = tree_.root(); id != 0 && tree_[id].visited != 0 && length < Steps::kMaxSteps;
         id = tree_[id].active) {
      path_[length++] = id;
    }
    SubtreeEstimate tree(counted_, Grows::kYes);
    for (std::uint32_t d = length; d > 0; --d) {
      const ScheduleTree::Node& node = tree_[path_[d - 1]];
      std::uint32_t done = 0;
      std::uint32_t left = 0;
      bool before = true;
      for (NodeId child = node.child; child != 0; child = tree_[child].next) {
        if (child == node.active) {
          before = false;
        } else {
          ++(before ? done : left);
        }
      }
      if (d == length) {
        tree.lowest(done, left + 1);
      } else {
        tree.above(done, left);
      }
    }
    return tree.total(counted - counted_, counted);
  }

  [[nodiscard]] std::string_view note() const override {
    if (diverged_ != 0) return "a prefix did not fit when it was run: the program is not deterministic";
    if (too_big_ != 0) return "some executions are too long for the search";
    if (cut_ != 0) return "some executions were cut before their end";
    return {};
  }

 private:
  // Threads created on the path are numbered in that order; of others the last number is remembered.
  [[nodiscard]] ThreadIndex index_of(std::uint32_t name, ThreadIndex created) const {
    const ThreadIndex last = steps_.names().last_index(name);
    if (created == 0 || name >= ThreadNames::kMost) return last;
    const ThreadIndex index = indices_[name];
    return index != 0 && index <= created ? index : last;
  }

  void raise(std::uint8_t& flag) {
    if (flag == 0) journal_.set(flag, std::uint8_t{1});
  }

  // The execution becomes the present path, and what follows from it is entered.
  void take_in(const Execution& execution) {
    length_ = 0;
    const OutcomeKind outcome = execution.result.outcome;
    if (!ran_to_its_end(outcome)) raise(outcome == OutcomeKind::kDiverged ? diverged_ : cut_);
    const bool has_trace =
        ran_to_its_end(outcome) || outcome == OutcomeKind::kStepLimit || outcome == OutcomeKind::kHang;
    const bool small_enough = has_trace && execution.result.decisions <= execution.decisions.size() &&
                              steps_.finish(execution.block, execution.decisions);
    if (has_trace && !small_enough) raise(too_big_);
    if (!small_enough || !adopt()) {
      follow_plan();
      return;
    }
    if (!reversals_.enter_all(path_, length_)) raise(too_big_);
    if (reversals_.awake() < length_) {
      in_vain_ = true;
      length_ = reversals_.awake() + 1;
    }
  }

  bool adopt() {
    NodeId node = tree_.root();
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      const Step& step = steps_[i];
      if (!step.listed) continue;
      path_[length_++] = node;
      tree_.visit(node);
      NodeId child = tree_[node].active;
      if (child != 0) {
        const Act& planned = tree_[child].act;
        if (planned.op.thread != step.act.op.thread || planned.choice != step.act.choice) {
          raise(diverged_);
          return false;
        }
        tree_.update(child, step.act);
      } else {
        child = tree_.append(node, step.act);
        if (child == 0) {
          raise(too_big_);
          return false;
        }
      }
      node = child;
    }
    if (tree_[node].active != 0) {
      raise(diverged_);
      return false;
    }
    return true;
  }

  // Nothing can be learned from this execution: the path is the prefix alone.
  void follow_plan() {
    length_ = 0;
    for (NodeId id = tree_.root(); tree_[id].active != 0 && length_ < Steps::kMaxSteps; id = tree_[id].active) {
      path_[length_++] = id;
    }
  }

  void step_on() {
    for (std::uint32_t d = length_; d > 0; --d) {
      if (tree_.advance(path_[d - 1])) return;
    }
    raise(finished_);
  }

  Journal journal_;
  Steps steps_;
  ScheduleTree tree_;
  Reversals reversals_;
  NodeId* path_;          // scratch: nodes before each listed step
  ThreadIndex* indices_;  // scratch: of threads created on the path
  std::uint32_t length_ = 0;
  bool in_vain_ = false;  // the last execution
  std::uint64_t counted_ = 0;
  std::uint8_t finished_ = 0;
  std::uint8_t cut_ = 0;
  std::uint8_t too_big_ = 0;
  std::uint8_t diverged_ = 0;
};

}  // namespace

Strategy* create_dpor(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  const bool source = options.parameters == "sets=source";
  if (!source && !options.parameters.empty() && options.parameters != "sets=optimal") {
    error = "expected sets=optimal or sets=source";
    return nullptr;
  }
  const Reversals::Sets sets = source ? Reversals::Sets::kSource : Reversals::Sets::kOptimal;
  return new (memory.allocate(sizeof(Dpor), alignof(Dpor))) Dpor(memory, sets);
}

}  // namespace ravel
