// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a search for value schedules has done, in one or two lines for the console (docs/values.md).
#pragma once

#include <string>

#include "driver/campaign_result.h"

namespace ravel {

// Of ValueCounts, as far as they are known.
struct ValuePlaces {
  std::string skipped;
  std::string entered;  // a function
};
// Empty: it was another search.
std::string values_summary(const CampaignResult& campaign, const ValuePlaces& places);

}  // namespace ravel
