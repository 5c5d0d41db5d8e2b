// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A prefix divergence in words: the event that could not be forced, and the accesses that no synchronisation orders.
// The worker knows hashes and code locations only; a few executions are run for the names behind them.
#pragma once

#include <string>
#include <vector>

#include "driver/campaign_options.h"
#include "report/finding.h"

namespace ravel {

// `findings' are those of the campaign: a data race among them is the one to name.
std::string divergence_text(const Divergence& divergence, const CampaignOptions& campaign,
                            const std::vector<Finding>& findings);

}  // namespace ravel
