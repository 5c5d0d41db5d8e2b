// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A whole campaign of one strategy on a toy program.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "engine/campaign.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {

struct Search {
  Search(const char* strategy, const toy::Program& program, FakeExecutor::Judge judge = {})
      : executor(*block, program, std::move(judge)) {
    std::strcpy(block->campaign.strategy, strategy);
    block->campaign.keep_going = 1;
    // Early time-outs, as the toy machine has them. values has no rule for them, and is given programs without any.
    block->campaign.base.timeouts =
        std::string_view(strategy).starts_with("values") ? TimeoutMode::kFair : TimeoutMode::kAdversarial;
    block->campaign.base.points = PointsMode::kAll;
  }
  void run() { run_campaign(*block, executor); }
  [[nodiscard]] std::uint64_t executions() { return block->progress.executions.load(); }
  [[nodiscard]] bool complete() { return block->progress.complete.load() == 1; }

  Block block;
  FakeExecutor executor;
};

}  // namespace ravel::testing
