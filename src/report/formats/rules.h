// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The kinds of findings as rules of a report: what each means, and what one does about it.
#pragma once

#include <span>
#include <string_view>

#include "model/outcome.h"

namespace ravel {

struct Rule {
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::string_view title;  // "DataRace"
  std::string_view summary;
  std::string_view help;
};

std::span<const Rule> rule_table();
const Rule& rule_of(OutcomeKind kind);

}  // namespace ravel
