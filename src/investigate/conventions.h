// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What "complete" and the number of executions mean, in words: printed with every exhaustive result, since tools count
// differently.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "explore/strategy_table.h"
#include "investigate/campaign_request.h"

namespace ravel {

std::vector<std::pair<std::string, std::string>> conventions_of(const StrategyRow& strategy,
                                                                const CampaignRequest& request);

}  // namespace ravel
