// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dfs: every schedule, one after the other, without reduction: stateless search by re-execution as in Godefroid, "Model
// checking for programming languages using VeriSoft", POPL 1997, without its partial-order methods. The path from the
// root is a prefix of choices; behind it a fixed policy decides, and what it decided becomes the rest of the path. The
// next path is the deepest one with an alternative left. Data choices are decisions like others.
//
// The tree is one for a fixed set of points: when that grows, the search starts anew. Runs that were cut (step limit,
// hang, divergence) and schedules too long for the tables leave it incomplete, and it says so.
//
// Kill-safe: the state is {length, last choice}; entries of the path below the last one never change while in use,
// those above are written before the state that uses them is committed.
#include "base/two_slots.h"
#include "explore/decision_path.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

struct State {
  std::uint32_t length = 0;  // of the path that is the next prefix
  std::uint32_t last = 0;    // rank of its last choice
  std::uint8_t finished = 0;
  std::uint8_t cut = 0;       // some run did not reach its end
  std::uint8_t too_big = 0;   // some decision could not be branched on
  std::uint8_t diverged = 0;  // some prefix did not fit: the program is not deterministic
};

class Dfs final : public Strategy {
 public:
  Dfs(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : path_(memory), idle_(options.shard_index != 0) {}

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    if (idle_ || s.finished != 0) return false;
    plan.spec.policy = PolicySpec{};
    path_.write(plan, s.length, s.last);
    return true;
  }

  void learn(const Execution& execution) override {
    State& s = state_.prepare();
    if (execution.points_grew) {
      s = State{};
    } else {
      if (!ran_to_its_end(execution.result.outcome)) s.cut = 1;
      if (s.length != 0) path_[s.length - 1].current = s.last;
      const DecisionPath::Fit fit = path_.extend(execution, &s.length);
      if (fit == DecisionPath::Fit::kDiverged) s.diverged = 1;
      if (fit == DecisionPath::Fit::kTooBig) s.too_big = 1;
      step_on(s);
    }
    state_.commit();
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

  [[nodiscard]] bool complete() const override {
    const State& s = state_.current();
    return idle_ || (s.finished != 0 && s.cut == 0 && s.too_big == 0 && s.diverged == 0);
  }

  [[nodiscard]] std::string_view note() const override {
    const State& s = state_.current();
    if (s.diverged != 0) return "a prefix did not fit when it was run again: the program is not deterministic";
    if (s.too_big != 0) return "some decisions are beyond what the search can branch on";
    if (s.cut != 0) return "some executions were cut before their end";
    return {};
  }

 private:
  // Alternatives in cyclic order from the first; the first again means none is left.
  void step_on(State& s) const {
    for (; s.length > 0; --s.length) {
      const DecisionPath::Entry& entry = path_[s.length - 1];
      s.last = entry.current + 1 == entry.options ? 0 : entry.current + 1;
      if (s.last != entry.first) return;
    }
    s.finished = 1;
  }

  DecisionPath path_;
  bool idle_;  // one shard walks the tree, the others have nothing to do
  TwoSlots<State> state_;
};

}  // namespace

Strategy* create_dfs(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  if (!read_parameter(options.parameters, {}, nullptr)) {
    error = "this strategy takes no parameters";
    return nullptr;
  }
  return new (memory.allocate(sizeof(Dfs), alignof(Dfs))) Dfs(memory, options);
}

}  // namespace ravel
