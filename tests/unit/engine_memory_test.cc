// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The memory of a campaign does not grow with its length.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/arena.h"
#include "engine/campaign.h"
#include "engine/campaign_state.h"
#include "support/fake_executor.h"

namespace ravel {
namespace {

// Two threads that race on one variable, with a different variable now and then: races, points, findings and
// fingerprints recur. As cheap as an execution can be.
class CheapExecutor final : public Executor {
 public:
  explicit CheapExecutor(SharedBlock& block) : block_(block) {}

  void execute(EventSink& sink) override {
    ExecutionResult& result = block_.result;
    result.outcome = OutcomeKind::kCompleted;
    result.steps.store(4, std::memory_order_relaxed);
    result.max_live = 2;
    result.decisions = result.segments = 1;
    block_.decisions[0] = {0, 2, 3};
    block_.schedule[0] = {0, 1};
    Event events[4];
    for (std::uint32_t i = 0; i < 4; ++i) {
      Event& e = events[i];
      e.kind = i == 0 ? OpKind::kThreadCreate : OpKind::kWrite;
      e.thread = i % 2;
      e.value = 1;
      e.object = 1;
      e.size = 4;
      e.offset = static_cast<std::uint32_t>(runs_ * 7 % 64) * 8;
      e.location = 10 + e.offset / 8 % 16 + e.thread;
    }
    ++runs_;
    sink.consume(events, 0);
  }

 private:
  SharedBlock& block_;
  std::uint64_t runs_ = 0;
};

class CampaignMemory : public ::testing::TestWithParam<const char*> {};

std::uint64_t executions() {
  const char* wanted = std::getenv("RAVEL_MEMORY_EXECUTIONS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 1'000'000;
}

TEST_P(CampaignMemory, IsTheSameAfterAMillionExecutions) {
  testing::Block block;
  CheapExecutor executor(*block);
  std::strcpy(block->campaign.strategy, GetParam());
  block->campaign.shard_count = 1;
  block->campaign.keep_going = 1;
  block->campaign.base.points = PointsMode::kRacy;
  block->campaign.base.faults = kFaultSpuriousWakeup;  // no search that is complete after a while
  block->campaign.base.max_steps = 1000;
  const auto* state = reinterpret_cast<const CampaignState*>(block->arena);

  block->campaign.iterations = 5'000;
  run_campaign(*block, executor);
  const std::size_t settled = state->memory->used();
  ASSERT_GT(block->progress.findings.load(), 0u);

  block->campaign.iterations = executions();
  run_campaign(*block, executor);
  EXPECT_EQ(block->progress.executions.load(), executions());
  EXPECT_EQ(state->memory->used(), settled);
}

INSTANTIATE_TEST_SUITE_P(Strategies, CampaignMemory, ::testing::Values("portfolio", "random"));

}  // namespace
}  // namespace ravel
