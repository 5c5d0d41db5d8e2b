// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the driver sees of a campaign while it runs and when it is over.
#pragma once

#include "engine/campaign_state.h"

namespace ravel {

struct SharedBlock;

// Stores, not additions: doing it twice changes nothing.
// `steps`: executions learnt in all.
void publish(SharedBlock& block, const Counters& counters, std::uint64_t steps);
// What one part of the strategy brought; only the one that planned the last execution has anything new.
void publish_part(SharedBlock& block, const Counters& counters, unsigned part);
// The numbers of operations by kind: too many to publish after each execution.
void publish_operations(SharedBlock& block, const Counters& counters);
// What the strategy makes of its tree so far. Nothing is covered where loops were shortened.
[[nodiscard]] SearchVerdict verdict_of(const CampaignState& state);
void publish_estimate(SharedBlock& block, const SearchVerdict& verdict);
// Composes progress.strategy_note: what the numbers do not say.
void write_note(SharedBlock& block, const CampaignState& state, const Lasting& lasting, bool export_failed);

}  // namespace ravel
