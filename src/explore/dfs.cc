// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dfs: every schedule, one after the other, without reduction: stateless search by re-execution as in Godefroid, "Model
// checking for programming languages using VeriSoft", POPL 1997, without its partial-order methods. The path from the
// root is a prefix of choices; behind it a fixed policy decides, and what it decided becomes the rest of the path. The
// next path is the deepest one with an alternative left. Data choices are decisions like others.
//
// The tree is one for a fixed set of points: when that grows, the search starts anew. Runs that were cut (step limit,
// hang, divergence), schedules too long for the tables and threads beyond the 64th leave it incomplete, and it says so.
//
// Kill-safe: the state is {length, last choice}; entries of the path below the last one never change while in use,
// those above are written before the state that uses them is committed.
#include "base/two_slots.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

struct Entry {
  std::uint64_t mask;  // enabled threads
  std::uint32_t first;
  std::uint32_t current;
  std::uint32_t options;
};

// Cyclic order starting at `first`; `first` again means none is left.
std::uint32_t alternative_after(const Entry& entry) {
  if (entry.options <= 1) return entry.first;
  if ((entry.first & kDataChoice) != 0) {
    const std::uint32_t now = entry.current & ~kDataChoice;
    return kDataChoice | (now + 1 == entry.options ? 0 : now + 1);
  }
  const std::uint64_t above = entry.current >= 63 ? 0 : entry.mask & ~((std::uint64_t{2} << entry.current) - 1);
  return static_cast<std::uint32_t>(__builtin_ctzll(above != 0 ? above : entry.mask));
}

struct State {
  std::uint32_t length = 0;  // of the path that is the next prefix
  std::uint32_t last = 0;    // its last choice
  std::uint8_t finished = 0;
  std::uint8_t cut = 0;       // some run did not reach its end
  std::uint8_t too_big = 0;   // some decision could not be branched on
  std::uint8_t diverged = 0;  // some prefix did not fit: the program is not deterministic
};

class Dfs final : public Strategy {
 public:
  Dfs(const StrategyOptions& options, Entry* path) : path_(path), idle_(options.shard_index != 0) {}

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    if (idle_ || s.finished != 0) return false;
    plan.spec.policy = PolicySpec{};
    std::uint32_t segments = 0;
    for (std::uint32_t i = 0; i < s.length; ++i) {
      const std::uint32_t choice = i + 1 == s.length ? s.last : path_[i].current;
      if (segments != 0 && plan.prefix[segments - 1].thread == choice) {
        ++plan.prefix[segments - 1].count;
      } else {
        plan.prefix[segments++] = {choice, 1};
      }
    }
    plan.spec.prefix_segments = segments;
    return true;
  }

  void learn(const Execution& execution) override {
    State& s = state_.prepare();
    if (execution.points_grew) {
      s = State{};
    } else {
      const std::uint32_t reached = extend(s, execution);
      step_on(s, reached);
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
  // Appends what the execution decided behind the prefix; the length of the whole path.
  std::uint32_t extend(State& s, const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    if (s.length != 0) path_[s.length - 1].current = s.last;
    if (outcome == OutcomeKind::kDiverged || !prefix_holds(s, execution)) {
      s.diverged = 1;
      return s.length;
    }
    if (!ran_to_its_end(outcome)) s.cut = 1;
    if (execution.result.decisions > execution.decisions.size()) s.too_big = 1;
    auto reached = static_cast<std::uint32_t>(execution.decisions.size());
    if (reached > kMaxDecisions) reached = kMaxDecisions;
    for (std::uint32_t i = s.length; i < reached; ++i) {
      const DecisionRecord& d = execution.decisions[i];
      Entry entry{d.enabled_mask, d.chosen, d.chosen, d.options};
      if ((d.chosen & kDataChoice) == 0 &&
          static_cast<std::uint32_t>(__builtin_popcountll(d.enabled_mask)) != d.options) {
        entry.options = 1;  // a thread beyond the mask is enabled
        s.too_big = 1;
      }
      path_[i] = entry;
    }
    return reached;
  }

  bool prefix_holds(const State& s, const Execution& execution) const {
    if (execution.decisions.size() < s.length) return false;
    for (std::uint32_t i = 0; i < s.length; ++i) {
      if (execution.decisions[i].chosen != path_[i].current) return false;
    }
    return true;
  }

  void step_on(State& s, std::uint32_t reached) const {
    for (std::uint32_t i = reached; i > 0; --i) {
      const std::uint32_t next_choice = alternative_after(path_[i - 1]);
      if (next_choice == path_[i - 1].first) continue;
      s.length = i;
      s.last = next_choice;
      return;
    }
    s.finished = 1;
  }

  Entry* path_;
  bool idle_;  // one shard walks the tree, the others have nothing to do
  TwoSlots<State> state_;
};

}  // namespace

Strategy* create_dfs(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  if (!read_parameter(options.parameters, {}, nullptr)) {
    error = "this strategy takes no parameters";
    return nullptr;
  }
  auto* path = static_cast<Entry*>(memory.allocate(sizeof(Entry) * kMaxDecisions, alignof(Entry)));
  return new (memory.allocate(sizeof(Dfs), alignof(Dfs))) Dfs(options, path);
}

}  // namespace ravel
