// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Strategy: chooses plans ACROSS executions. Lives in the worker on an arena in shared memory, outlives executions and
// even the worker process: no pointers but into that arena, no heap. Sampling strategies derive everything
// from (seed, execution number), so that a restarted worker goes on as if nothing had happened.
//
// What only some strategies do (watch events, search one tree in several processes, hand over what they are about) is a
// role of its own (roles.h) that the strategy's row names (strategy_table.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

#include "explore/parameters.h"
#include "model/divergence.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/static_facts.h"
#include "model/target.h"
#include "model/trace_view.h"

namespace ravel {

struct Execution {
  const ExecutionResult& result;
  std::span<const Segment> schedule;          // all choices made
  std::span<const DecisionRecord> decisions;  // the first of them with their alternatives
  TraceView trace;                            // tables: threads, objects, what was pending at the end
  bool points_grew = false;  // the racy/shared set grew after this execution: later executions have more points
  std::span<const LocationId> points{};  // the set after this execution
  bool trace_is_new = true;              // no execution before had it, as far as anybody remembers
  // Of the metric that the strategy goes by (StrategyRow::by_tasks): tasks that no execution before had, and a number
  // that executions with the same tasks share.
  std::uint32_t fresh_tasks = 0;
  std::uint64_t task_set = 0;
  // What is the same defect, as the engine sees it.
  std::uint64_t (*outcome_key)(const ExecutionResult& result) = nullptr;
  std::uint64_t (*race_key)(const RaceRecord& race) = nullptr;
};

// What an execution is to the campaign.
enum class Share : std::uint8_t {
  kCounts,
  kOfAnotherProcess,  // only run to see the tree: another process counts it
  kRedundant,         // it repeated another one, which the search could not know beforehand
  kAbandoned,         // a goal was dropped on the way: it ended there, and is no execution
};

// An operation that makes a reduced search incomplete, and where it is.
struct Unmodelled {
  OpKind kind = OpKind::kNone;
  LocationId location = 0;
};

// How many executions a search has in all, estimated from the part that was seen.
struct Estimate {
  std::uint64_t likely = 0;  // 0: no idea
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// What the executions so far amount to.
struct SearchVerdict {
  bool complete = false;    // every schedule was covered under the conventions in force
  bool kept = false;        // what was asked for (a bound, say) was covered, be it everything or not
  std::string_view note{};  // what the result means, if there is something to say; valid until the next call
  Estimate estimate{};
  std::uint32_t bounds = 0;    // of a search by bounds: how many (0, 1, ...) were covered
  std::uint64_t suspects = 0;  // reachability: executions that were analysed and do not count
  bool own_sequences = false;  // no other process of the search has the same SYN-sequences
  Divergence divergence{};     // reachability: an event that could not be forced
  Unmodelled unmodelled{};     // why it is not complete, if that is one operation's fault
};

struct PlanWriter {
  PlanSpec& spec;
  std::span<Segment> prefix;            // capacity; spec.prefix_segments says how many are used
  std::span<SequenceEvent> sequence{};  // the same for spec.sequence
  std::span<Goal> goals{};              // and for spec.goals
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  // Fills policy and prefix of the next plan; limits and points are set already. False: exploration is complete.
  // Changes nothing: asked again before learn(), it answers the same.
  [[nodiscard]] virtual bool next(PlanWriter& plan) = 0;
  virtual Share learn(const Execution& execution) = 0;
  // After the worker was killed: the state as it was after `learned` calls of learn(), this one or the one before.
  virtual void recover(std::uint64_t learned) = 0;
  // `counted` executions count so far. Of a strategy that promises nothing: nothing.
  [[nodiscard]] virtual SearchVerdict verdict(std::uint64_t counted) const { return (void)counted, SearchVerdict{}; }
  // The last execution made the search start over: what was counted before counts no more.
  [[nodiscard]] virtual bool began_again() const { return false; }
  // Of a search by goals (values/); null: it is none.
  [[nodiscard]] virtual const ValueCounts* value_counts() const { return nullptr; }
  // Of a strategy that is made of parts (portfolio_parts.h): whose plan next() gave last.
  [[nodiscard]] virtual unsigned part() const { return ~0u; }

 protected:
  ~Strategy() = default;
};

// Of a search that several processes share: memory that all of them have at one address, zero at first.
struct SearchMemory {
  std::span<unsigned char> memory{};           // empty: the search is this process' alone
  std::atomic<std::uint64_t>* left = nullptr;  // executions that may still be begun, by all together
  std::uint32_t job = 0;                       // which of them this is

  [[nodiscard]] bool is_shared() const { return !memory.empty(); }
};

// Two places of the code that may be reached in either order.
struct PlacePair {
  LocationId first = 0;
  LocationId second = 0;
};

struct StrategyOptions {
  ParameterValues parameters{};
  std::uint64_t seed = 0;
  std::uint32_t shard_index = 0;
  std::uint32_t shard_count = 1;
  SearchMemory search{};
  std::span<const Segment> schedule{};  // of the plan that the campaign is about; empty: it is about none
  DefectTarget target{};                // ... and the defect
  StaticFacts facts{};                  // empty: none are known
  VisitedStates* visited = nullptr;     // of guided searches: what the policy sees of them
  bool ends_at_defect = false;          // the campaign is over when an execution fails
  KeptPairTable* kept = nullptr;        // of a search by goals: what it has learned, for later runs
};

}  // namespace ravel
