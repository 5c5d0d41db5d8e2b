// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// bounded: all schedules with at most c preemptions, for c = 0, 1, 2, ..., each bound complete before the next:
// iterative context bounding (Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded
// programs", PLDI 2007). A preemption is a switch away from a thread that could have gone on and did not yield. With
// delays=K a choice costs as many threads as it passes over in the round that begins with the one the plain schedule
// would have taken (Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", POPL 2011).
//
// Unreduced: leaving out equivalent schedules within a bound is only sound with further branches for each that was left
// out (docs/adr/0006-bounding-without-reduction.md). Departure: the paper keeps a queue of schedules for the next
// bound; this search walks the tree again for each bound, so its memory is one path, and cheap schedules are run again.
//
// When no choice was passed over because of its cost, everything was covered, and the search is complete. Kill-safe as
// dfs.
#include <charconv>

#include "base/two_slots.h"
#include "explore/decision_path.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kNoLimit = 0xffffffffu;

struct State {
  std::uint32_t length = 0;
  std::uint32_t last = 0;
  std::uint32_t bound = 0;
  std::uint8_t passed_over = 0;  // something costs more than the bound
  std::uint8_t finished = 0;
  std::uint8_t cut = 0;
  std::uint8_t too_big = 0;
  std::uint8_t diverged = 0;
};

class Bounded final : public Strategy {
 public:
  Bounded(std::pmr::memory_resource& memory, const StrategyOptions& options, bool delays, std::uint32_t most)
      : path_(memory), idle_(options.shard_index != 0), delays_(delays), most_(most) {}

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

  [[nodiscard]] bool complete() const override { return idle_ || (sound() && state_.current().passed_over == 0); }
  [[nodiscard]] bool kept_promise() const override { return idle_ || sound(); }

  [[nodiscard]] std::string_view note() const override {
    const State& s = state_.current();
    if (s.diverged != 0) return "a prefix did not fit when it was run again: the program is not deterministic";
    if (s.too_big != 0) return "some decisions are beyond what the search can branch on";
    if (s.cut != 0) return "some executions were cut before their end";
    if (idle_ || complete()) return {};
    if (s.finished == 0 && s.bound == 0) return {};
    const std::uint32_t done = s.finished != 0 ? s.bound : s.bound - 1;
    constexpr std::string_view kBegin = "all schedules with at most ";
    const std::string_view unit = delays_ ? " delays explored" : " preemptions explored";
    char* out = text_;
    for (const char c : kBegin) *out++ = c;
    out = std::to_chars(out, text_ + sizeof text_, done).ptr;
    for (const char c : unit) *out++ = c;
    return {text_, static_cast<std::size_t>(out - text_)};
  }

 private:
  [[nodiscard]] bool sound() const {
    const State& s = state_.current();
    return s.finished != 0 && s.cut == 0 && s.too_big == 0 && s.diverged == 0;
  }

  [[nodiscard]] std::uint32_t cost(const DecisionPath::Entry& entry, std::uint32_t rank) const {
    if (entry.threads_at == kNotListed || rank == entry.first) return 0;
    if (delays_) return rank > entry.first ? rank - entry.first : rank + entry.options - entry.first;
    return entry.running != kNoThread && path_.choice(entry, entry.first) == entry.running ? 1 : 0;
  }

  // The deepest decision with an affordable alternative; if there is none, the next bound.
  void step_on(State& s) const {
    std::uint32_t spent = 0;
    for (std::uint32_t i = 0; i < s.length; ++i) spent += cost(path_[i], path_[i].current);
    for (; s.length > 0; --s.length) {
      const DecisionPath::Entry& entry = path_[s.length - 1];
      spent -= cost(entry, entry.current);
      for (std::uint32_t rank = after(entry, entry.current); rank != entry.first; rank = after(entry, rank)) {
        if (spent + cost(entry, rank) > s.bound) {
          s.passed_over = 1;
          continue;
        }
        s.last = rank;
        return;
      }
    }
    s.last = 0;
    if (s.passed_over == 0 || s.bound >= most_) {
      s.finished = 1;
    } else {
      ++s.bound;
      s.passed_over = 0;
    }
  }

  static std::uint32_t after(const DecisionPath::Entry& entry, std::uint32_t rank) {
    return rank + 1 == entry.options ? 0 : rank + 1;
  }

  DecisionPath path_;
  bool idle_;
  bool delays_;
  std::uint32_t most_;
  TwoSlots<State> state_;
  mutable char text_[96] = {};
};

}  // namespace

Strategy* create_bounded(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  const bool delays = options.parameters.substr(0, 6) == "delays";
  std::uint64_t most = kNoLimit;
  if (!read_parameter(options.parameters, delays ? "delays" : "preemptions", &most)) {
    error = "expected preemptions=N or delays=N";
    return nullptr;
  }
  return new (memory.allocate(sizeof(Bounded), alignof(Bounded)))
      Bounded(memory, options, delays, static_cast<std::uint32_t>(most));
}

}  // namespace ravel
