// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Strategy: chooses plans ACROSS executions. Lives in the worker on an arena in shared memory, outlives executions and
// even the worker process: no pointers but into that arena, no heap. Sampling strategies derive everything
// from (seed, execution number), so that a restarted worker goes on as if nothing had happened.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>

#include "model/outcome.h"
#include "model/plan.h"
#include "wire/shared_block.h"
#include "wire/shared_tree.h"

namespace ravel {

struct Execution {
  const ExecutionResult& result;
  std::span<const Segment> schedule;          // all choices made
  std::span<const DecisionRecord> decisions;  // the first of them with their alternatives
  const SharedBlock& block;                   // tables: threads, objects, what was pending at the end
  bool points_grew = false;  // the racy/shared set grew after this execution: later executions have more points
  std::span<const LocationId> points{};  // the set after this execution
  // What is the same defect, as the engine sees it.
  std::uint64_t (*outcome_key)(const ExecutionResult& result) = nullptr;
  std::uint64_t (*race_key)(const RaceRecord& race) = nullptr;
};

// What becomes of an execution for strategies that look at one defect only: the driver gets those they hand over,
// each under a key of its own, and nothing else.
struct HandedOver {
  bool decides = false;  // the strategy says what is handed over
  bool this_one = false;
  std::uint64_t key = 0;
  OutcomeKind kind = OutcomeKind::kNotRun;
};

// What the execution in hand is to the campaign.
enum class Share : std::uint8_t {
  kCounts,
  kElsewhere,  // only run to see the tree: another process counts it
  kInVain,     // it repeated another one, which the search could not know beforehand
};

// What other processes at the same search did since this one's last execution: they started it anew, with these points.
struct Elsewhere {
  bool started_anew = false;
  std::span<const LocationId> points{};
};

// An operation that makes a reduced search incomplete, and where it is.
struct Unmodelled {
  OpKind kind = OpKind::kNone;
  LocationId location = 0;
};

// How many executions a search has in all, as far as can be told from the part that was seen.
struct Estimate {
  std::uint64_t likely = 0;  // 0: no idea
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

struct PlanWriter {
  PlanSpec& spec;
  std::span<Segment> prefix;  // capacity; spec.prefix_segments says how many are used
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  // Several processes may be at one search. Asked before next() and before learn(): false, another one has it, or has
  // what comes next; ask again in a while. From can_learn() to next() nobody else has it, or to leave(), which is
  // called when the loop ends.
  [[nodiscard]] virtual bool can_plan() { return true; }
  [[nodiscard]] virtual bool can_learn(const Execution& execution) { return (void)execution, true; }
  virtual void leave() {}
  // Asked before learn(): then the execution in hand is part of no search any more, and learn() is told of growth.
  [[nodiscard]] virtual Elsewhere elsewhere() const { return {}; }

  // Fills policy and prefix of the next plan; limits and points are set already. False: exploration is complete.
  // Changes nothing: asked again before learn(), it answers the same.
  [[nodiscard]] virtual bool next(PlanWriter& plan) = 0;
  // The execution's events, while it runs; begin() again when it is run again.
  virtual void begin(const SharedBlock& block) { (void)block; }
  // False: observe() does nothing, and what is found in an execution changes nothing.
  [[nodiscard]] virtual bool looks_at_events() const { return true; }
  // True: observe() does nothing with events that were no scheduling point (kNoPoint).
  [[nodiscard]] virtual bool looks_at_points_only() const { return false; }
  virtual void observe(const Event& event, std::uint64_t operand) { (void)event, (void)operand; }
  virtual void learn(const Execution& execution) = 0;
  // Of the execution that was learnt last.
  [[nodiscard]] virtual Share share() const { return Share::kCounts; }
  // After the worker was killed: the state as it was after `learned` calls of learn(), this one or the one before.
  virtual void recover(std::uint64_t learned) = 0;
  // True: the exploration covered every schedule under the conventions in force.
  [[nodiscard]] virtual bool complete() const { return false; }
  // True: what was asked for (a bound, say) was covered, be it everything or not.
  [[nodiscard]] virtual bool kept_promise() const { return complete(); }
  // Asked after learn(): is the execution handed over to the driver?
  [[nodiscard]] virtual HandedOver handed_over() const { return {}; }
  // Searches that go by bounds: how many (0, 1, ...) were covered.
  [[nodiscard]] virtual std::uint32_t bounds() const { return 0; }
  // `counted` executions count so far.
  [[nodiscard]] virtual Estimate estimate(std::uint64_t counted) const { return (void)counted, Estimate{}; }
  // Why it is not complete, if that is one operation's fault.
  [[nodiscard]] virtual Unmodelled unmodelled() const { return {}; }
  // A text on what the result means, empty if there is nothing to say. Valid until the next call.
  [[nodiscard]] virtual std::string_view note() const { return {}; }

 protected:
  ~Strategy() = default;
};

struct StrategyOptions {
  std::string_view parameters;  // "depth=3,..." after the name
  std::uint64_t seed = 0;
  std::uint32_t shard_index = 0;
  std::uint32_t shard_count = 1;
  SharedTree* tree = nullptr;  // of a search that several processes share, and which of them this is
  std::uint32_t job = 0;
  std::span<const Segment> schedule{};  // of the plan that the campaign is about; empty: it is about none
};

struct StrategyRow {
  std::string_view name;
  std::string_view description;  // one line, shown by `ravel list`
  std::string_view parameters;   // "depth=N" etc., empty if none
  bool exhaustive = false;       // growth of the point set restarts it
  bool reduces = false;          // leaves out schedules that the dependence table calls equivalent
  // nullptr when a parameter is wrong; then `error` is set to a static text.
  Strategy* (*create)(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
  bool from_plan = false;      // works on a given schedule; the set of points is the plan's and never grows
  bool promises = exhaustive;  // to cover something: a budget that ends first is inconclusive
  bool exact = false;          // one execution a behaviour
  bool splits = !exhaustive;   // several processes share the work, each with a part of its own
  bool one_tree = false;       // several processes can search one tree (StrategyOptions::tree)
};

// Those that a user can ask for.
std::span<const StrategyRow> strategy_table();
// Of all, also those that work on a plan and its fixed set of points (from_plan).
const StrategyRow* find_strategy(std::string_view name);
// Of a strategy with its parameters.
bool can_share_a_tree(std::string_view strategy);

}  // namespace ravel
