// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/replay_of.h"

namespace ravel {
namespace {

template <typename Found>
ReplayOptions with_schedule(ReplayOptions replay, const Found& found) {
  replay.plan = found.plan;
  replay.prefix = found.schedule;
  replay.racy = found.racy;
  return replay;
}

}  // namespace

ReplayOptions replay_of(const CampaignOptions& campaign) {
  ReplayOptions replay;
  replay.program = campaign.program;
  replay.program.pass_output = false;
  replay.plan = campaign.base;
  replay.expect_exit = campaign.expect_exit;
  replay.hang_ms = campaign.hang_ms;
  replay.busy_ms = campaign.busy_ms;
  replay.deadline = campaign.deadline;
  return replay;
}

ReplayOptions replay_of(const CampaignOptions& campaign, const FoundSeed& found) {
  return with_schedule(replay_of(campaign), found);
}

ReplayOptions replay_of(const CampaignOptions& campaign, const FoundOutcome& found) {
  return with_schedule(replay_of(campaign), found);
}

}  // namespace ravel
