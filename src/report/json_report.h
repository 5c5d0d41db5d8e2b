// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// JSON of `run` and `replay`: the only place that knows the field names (docs/cli.md). Fields are added, never renamed,
// within one schema version.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/report.h"

namespace ravel {

inline constexpr int kJsonSchemaVersion = 1;

std::string json_of(const VerifyFixReport& report);
std::string json_of(const PlanReport& report);
nlohmann::ordered_json json_value(const RunReport& report);
nlohmann::ordered_json json_value(const ReplayReport& report);
std::string json_of(const RunReport& report);
std::string json_of(const ReplayReport& report);

// Sentences for the bits of RuntimeNote.
std::vector<std::string> note_texts(std::uint64_t notes);
// The same of a campaign, and that executions were cut by the limit of steps.
std::vector<std::string> campaign_notes(const CampaignResult& campaign);

}  // namespace ravel
