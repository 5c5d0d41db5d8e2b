// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Did the replay bring back what the plan promised? Pure, so that every rule is tested.
#pragma once

#include <optional>
#include <string>

#include "driver/replay.h"
#include "model/exit_code.h"
#include "model/text/plan_file.h"
#include "model/verdicts.h"

namespace ravel {

struct ReplayFacts {
  const PlanFile* plan = nullptr;  // nullptr: from a seed string, nothing was promised
  bool same_build = true;
  const ReplayResult& result;
  std::uint64_t hash = 0;
  PlaceName place;                    // where the run failed
  std::optional<std::string> misfit;  // first difference between the names in the plan and those of the run
  bool goes_on = false;               // --then: a divergence is no failure
  bool stops = false;                 // --until: the trap is what was asked for
  std::string difference{};           // between two of the runs; empty: none was found
};

struct ReplayVerdict {
  ExitCode exit_code = kExitClean;
  ReplayEnd end = ReplayEnd::kClean;
  std::string reason;  // empty when there is nothing to explain
};

ReplayVerdict judge_replay(const ReplayFacts& facts);

}  // namespace ravel
