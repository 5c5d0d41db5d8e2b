// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whether a warning is real: each gets the sequences of places that would show it and a share of the time, and
// executions are driven along them (strategy `meta').
//
//   harmful        an execution failed; its plan
//   real           the race, or the order of the places, happened; its plan
//   not confirmed  neither happened within the budget: how far the best execution came
//   cannot happen  every behaviour was explored without it. Only of races and of locks taken in a circle, which
//                  a complete search decides
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "investigate/campaign_request.h"
#include "model/text/result.h"
#include "report/report.h"
#include "statics/facts.h"
#include "statics/sequence.h"

namespace ravel {

enum class WarningEnd : std::uint8_t { kHarmful, kReal, kNotConfirmed, kCannotHappen };
inline constexpr std::string_view kWarningEnds[] = {"harmful", "real", "not-confirmed", "cannot-happen"};

// What is to be confirmed, whoever gave the warning.
struct WarningToConfirm {
  std::string kind;  // "race", "lock order", "atomicity", "order", or a foreign tool's word
  std::string text;
  std::vector<CodePlace> places;
  std::vector<LocationSequence> sequences;
  // So many of them, from the first, are what the warning claims; the others are tries that may lead to a failure.
  std::size_t claims = static_cast<std::size_t>(-1);
};

struct WarningVerdict {
  WarningEnd end = WarningEnd::kNotConfirmed;
  std::string failure;  // harmful, real: in words
  std::string place;    // ... where
  std::string plan;
  std::uint32_t preemptions = 0;
  GoalReport goal;  // of the sequence that came farthest
  std::uint64_t executions = 0;
  std::uint64_t states = 0;
};

struct ConfirmedWarnings {
  std::vector<WarningVerdict> verdicts;  // one per warning
  std::vector<std::string> notes;
};

// The warnings of facts with their sequences, in the facts' order.
std::vector<WarningToConfirm> warnings_of(const Facts& facts);

// `request` gives the time for all together, the seed and what holds for every execution. `program`: with arguments.
Result<ConfirmedWarnings> confirm_warnings(const CampaignRequest& request, const std::vector<std::string>& program,
                                           const Facts& facts, const std::vector<WarningToConfirm>& warnings);

}  // namespace ravel
