// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a search for value schedules has done, in one or two lines for the console (docs/values.md).
#pragma once

#include <string>

#include "driver/campaign_result.h"

namespace ravel {

// Empty: it was another search. `skipped`: the place of ValueCounts::skipped, if it is known.
std::string values_summary(const CampaignResult& campaign, const std::string& skipped);

}  // namespace ravel
