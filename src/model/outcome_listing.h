// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Campaign::outcomes: which executions a campaign lists, each kind of them once, with a plan.
#pragma once

#include <cstdint>

#include "model/outcome.h"

namespace ravel {

inline constexpr std::uint8_t kListNothing = 0;
inline constexpr std::uint8_t kListOutcomes = 1;   // by outcome and observed values
inline constexpr std::uint8_t kListTraces = 2;     // every trace is one
inline constexpr std::uint8_t kListSequences = 3;  // every SYN-sequence, with the way it ended

// By outcome, until one fits the campaign's sequence; kNotRun: whatever its outcome.
inline constexpr std::uint8_t until_fit(OutcomeKind outcome) {
  return static_cast<std::uint8_t>(0x80u | static_cast<std::uint8_t>(outcome));
}
// Does an execution with this outcome, which fits, end the campaign?
inline constexpr bool ends_listing(std::uint8_t listing, OutcomeKind outcome) {
  return listing == until_fit(OutcomeKind::kNotRun) || listing == until_fit(outcome);
}

}  // namespace ravel
