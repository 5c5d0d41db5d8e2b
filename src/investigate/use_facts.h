// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Static facts for a campaign: found, checked to be of this very build, matched with the program's file and handed over
// in sealed memory. Facts are a help: without them, or with those of another build, the campaign runs as ever, unless
// they were asked for (--facts FILE, --points pairs).
#pragma once

#include <string>

#include "driver/campaign_options.h"
#include "driver/program_image.h"
#include "investigate/campaign_request.h"
#include "model/text/result.h"
#include "statics/facts.h"

namespace ravel {

// Where `ravel analyze' keeps the facts of a program.
std::string facts_path(const std::string& output, const std::string& program);

// ... and where they are looked for in a campaign.
std::string facts_file(const CampaignRequest& options, const ProgramImage& image);

// For a strategy that cannot do without.
Result<Facts> needed_facts(const CampaignRequest& options, const ProgramImage& image);

// Yields what is to be said about it; empty: nothing.
Result<std::string> use_facts(const CampaignRequest& options, const ProgramImage& image, CampaignOptions& campaign);

}  // namespace ravel
