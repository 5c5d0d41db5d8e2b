// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From a failure that a free run showed to a plan: controlled executions are searched for the same failure, of the same
// kind at the same place. The order of synchronisation that the run recorded comes first, as a sequence that executions
// keep to (the gate of ADR 0024) while the strategy searches what it leaves open; then the strategies on their own.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "driver/free_record.h"
#include "driver/program_image.h"
#include "investigate/campaign_request.h"
#include "investigate/standard_input.h"
#include "model/text/syn_text.h"
#include "report/free_report.h"

namespace ravel {

inline constexpr std::uint32_t kPinReplays = 100;

struct PinRequest {
  CampaignRequest base;  // seed, output, hang, expected exit status
  std::vector<std::string> program;
  const ProgramImage& image;
  const StandardInput& input;
  std::chrono::milliseconds time{10'000};  // for each way
};

// What a pin is about: a failure, and the order of synchronisation that led to it, empty if it is not known.
struct PinTarget {
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::string message;
  std::string place;
  std::string sequence;  // text of a .syn file
};

PinTarget pin_target(const FreeFinding& finding, const FreeRecord& record, const PinRequest& request);
// Threads and operations in the order in which they happened; objects are left open. Empty: the record has gaps.
SynFile guide_of(const FreeRecord& record);
[[nodiscard]] bool is_same_failure(const PinTarget& target, const Finding& finding);
Result<PinReport> pin_failure(const PinTarget& target, const PinRequest& request);

}  // namespace ravel
