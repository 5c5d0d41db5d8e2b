// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/campaign_request.h"

namespace ravel {

Budget CampaignRequest::budget() const {
  Budget budget;
  if (!iterations && !time) budget.time = kDefaultTime;
  if (iterations) budget.iterations = *iterations;
  if (time) budget.time = *time;
  return budget;
}

}  // namespace ravel
