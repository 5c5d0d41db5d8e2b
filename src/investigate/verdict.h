// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a campaign's numbers mean: exit code, and whether it was vacuous and why. Pure, so that every rule is tested.
#pragma once

#include <string>

#include "driver/campaign_result.h"
#include "model/exit_code.h"

namespace ravel {

struct VerdictInput {
  const CampaignResult& campaign;
  std::size_t confirmed = 0;      // findings reproduced in a fresh process
  std::size_t not_confirmed = 0;  // findings that were not
  bool exhaustive = false;        // the strategy promises to cover something as a whole
  bool expect_complete = false;   // ... and it must be everything
  bool allow_vacuous = false;
  bool verify = false;
  std::string difference{};  // between two runs of one plan; empty: none was found
  std::uint32_t shard_index = 0;
  std::size_t cut_short = 0;  // of those not confirmed: the repeating process gave no result
  std::size_t races = 0;      // of those confirmed: data races
  std::string undecided{};    // what an execution was blocked in that Ravel does not control; empty: in nothing
  std::string divergence{};   // an event that reachability testing could not force, in words; empty: none
};

struct Verdict {
  ExitCode exit_code = kExitClean;
  bool vacuous = false;
  std::string reason;  // empty when the campaign needs no excuse
};

Verdict judge(const VerdictInput& input);

}  // namespace ravel
