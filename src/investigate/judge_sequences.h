// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The sequences that a campaign listed (kListSequences), each run again in a fresh process for its names: what they are
// as files, and what a specification says about them.
#pragma once

#include <functional>

#include "driver/campaign_options.h"
#include "driver/campaign_result.h"
#include "investigate/validity.h"
#include "report/report.h"

namespace ravel {

// Program and input of the campaign.
void put_program(SynFile& file, const CampaignOptions& campaign);

// Of an execution: its names, and its sequence as a file that expects how it ended.
using UseSequence = std::function<Result<void>(Names& names, SequenceNames& objects, SynFile& file)>;
// One after the other, until the campaign's deadline: how many were left out because of it.
Result<std::size_t> use_sequences(const CampaignOptions& campaign, const std::vector<FoundOutcome>& found,
                                  Symbolizer& symbolizer, const UseSequence& use);

// Classes, and behind a complete search what is missing; sequences that are no pass, and those that are missing, become
// files in `folder`.
Result<void> judge_sequences(const Validity& valid, const CampaignOptions& campaign, const CampaignResult& result,
                             const std::string& folder, ValidityReport& report);

// Something is no pass, or missing.
[[nodiscard]] bool is_violated(const ValidityReport& report);

}  // namespace ravel
