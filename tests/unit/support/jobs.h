// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Several jobs at one search, without processes: each has its own block, executor and strategy, all have one tree, and
// a random number generator says whose turn it is. An execution that has been run may stay in hand for long before it
// is learnt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/random.h"
#include "explore/strategy_table.h"
#include "support/search.h"
#include "support/tree_memory.h"
#include "wire/shared_block.h"
#include "wire/trace_of.h"

namespace ravel::testing {

class Jobs {
 public:
  Jobs(const toy::Program& program, std::uint32_t count) {
    for (std::uint32_t job = 0; job < count; ++job) jobs_.push_back(std::make_unique<Job>(program, tree_.get(), job));
  }

  // False: something is wrong that would go on for ever.
  bool run(Random& random, std::uint64_t most_executions) {
    // Some are slow: what they are at is in progress while others finish all around it.
    for (auto& job : jobs_) job->patience = random.below(3) == 0 ? 1 + random.below(60) : 1;
    std::uint32_t running = static_cast<std::uint32_t>(jobs_.size());
    std::uint64_t idle = 0;
    while (running != 0) {
      if (traces.size() > most_executions || ++idle > 1'000'000) return false;
      Job& job = *jobs_[random.below(jobs_.size())];
      switch (job.state) {
        case Job::State::kOver:
          continue;
        case Job::State::kFree:
          if (!job.parts.shared->can_plan()) continue;
          if (!job.plan()) {
            job.state = Job::State::kOver;
            --running;
          } else {
            job.execute();
          }
          break;
        case Job::State::kHasRun:
          if (random.below(job.patience) != 0) continue;
          if (!job.parts.shared->can_learn(job.execution())) continue;
          job.learn();
          traces.push_back(job.trace);
          // Sometimes the tree is given free without taking a branch at once.
          if (random.below(4) == 0) job.parts.shared->leave();
          break;
      }
      idle = 0;
    }
    return true;
  }

  [[nodiscard]] bool complete() const {
    for (const auto& job : jobs_) {
      if (!job->parts.strategy->verdict(0).complete) return false;
    }
    return true;
  }
  [[nodiscard]] std::string note() const { return std::string(jobs_[0]->parts.strategy->verdict(0).note); }
  [[nodiscard]] std::uint64_t executions_of(std::uint32_t job) const { return jobs_[job]->learnt; }

  std::vector<std::string> traces;  // of all executions, by canonical form

 private:
  struct Job final : EventSink {
    enum class State { kFree, kHasRun, kOver };

    Job(const toy::Program& program, SharedTree* tree, std::uint32_t number) : executor(*block, program) {
      block->campaign.base.timeouts = TimeoutMode::kAdversarial;
      block->campaign.base.points = PointsMode::kAll;
      StrategyOptions options;
      options.search = {tree->memory, &tree->header.left, number};
      StrategyProblem problem;
      parts = open_strategy("dpor", *Arena::create(block->arena, kArenaBytes), options, problem);
    }
    bool plan() {
      block->plan = block->campaign.base;
      PlanWriter writer{block->plan, block->prefix};
      return parts.strategy->next(writer);
    }
    void execute() {
      parts.watcher->begin(trace_of(*block));
      executor.execute(*this);
      toy::CanonicalTrace canonical;
      for (const OperationView& operation : executor.last_operations) canonical.add(operation);
      trace = canonical.key();
      state = State::kHasRun;
    }
    void consume(std::span<const Event> events, std::uint64_t first) override {
      for (const Event& event : events) {
        parts.watcher->on_event(event, Moment{first, {}, trace_of(*block).operand(first)});
        ++first;
      }
    }
    [[nodiscard]] Execution execution() {
      const ExecutionResult& result = block->result;
      return {result, std::span<const Segment>(block->schedule, result.segments),
              std::span<const DecisionRecord>(block->decisions, result.decisions), trace_of(*block)};
    }
    void learn() {
      parts.strategy->learn(execution());
      ++learnt;
      state = State::kFree;
    }

    Block block;
    FakeExecutor executor;
    StrategyParts parts;
    State state = State::kFree;
    std::uint64_t patience = 1;
    std::uint64_t learnt = 0;
    std::string trace;
  };

  Tree tree_;
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace ravel::testing
