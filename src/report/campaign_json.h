// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// CampaignResult in JSON, by the table of driver/campaign_fields.h: writing it, and adding up what shards have written.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "driver/campaign_result.h"

namespace ravel {

// Adds every field that has a name.
void write_campaign(nlohmann::ordered_json& json, const CampaignResult& campaign);
// Both are results of `run'; what is missing or of another type counts as nothing.
void add_shard(nlohmann::ordered_json& total, const nlohmann::ordered_json& shard);

}  // namespace ravel
