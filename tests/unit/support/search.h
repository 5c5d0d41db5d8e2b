// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A whole campaign of one strategy on a toy program.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "engine/campaign.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {

inline bool has_timeouts(const toy::Program& program) {
  return std::ranges::any_of(program.threads, [](const auto& thread) {
    return std::ranges::any_of(thread, [](const toy::Step& step) { return step.timed; });
  });
}

struct Search {
  Search(const char* strategy, const toy::Program& program, FakeExecutor::Judge judge = {})
      : executor(*block, program, std::move(judge)) {
    std::strcpy(block->campaign.strategy, strategy);
    block->campaign.keep_going = 1;
    // As the toy machine has them: early, where there are any.
    const bool early = has_timeouts(program) && !program.fair;
    block->campaign.base.timeouts = early ? TimeoutMode::kAdversarial : TimeoutMode::kFair;
    block->campaign.base.points = PointsMode::kAll;
  }
  void run() { run_campaign(*block, executor); }
  [[nodiscard]] std::uint64_t executions() { return block->progress.executions.load(); }
  [[nodiscard]] bool complete() { return block->progress.complete.load() == 1; }

  Block block;
  FakeExecutor executor;
};

}  // namespace ravel::testing
