// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Can these orders happen together? Feasible as soon as one execution has them all; infeasible only when the search was
// complete, and then from the first order on that no execution has together with those before it; else undecided.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "investigate/sequence_test.h"
#include "investigate/value_search.h"
#include "model/text/value_schedule.h"

namespace ravel {

struct ValuesResult {
  SequenceEnd end = SequenceEnd::kUndecided;
  std::uint32_t order = 0;  // not feasible: the first that no execution had, from 1
  std::uint32_t line = 0;   // of the file
  std::string order_text;
  std::string why;                             // ... in the execution that came furthest
  OutcomeKind outcome = OutcomeKind::kNotRun;  // feasible: how the execution ended
  std::string outcome_text;
  std::string plan;  // feasible: a plan that shows it
  std::uint64_t executions = 0;
  std::string note;  // why it is undecided
  bool as_expected = true;
  std::string expected;  // what was, if anything
};

Result<ValuesFile> read_values(const std::string& path);
// `request`: without program; `name` is the file's.
Result<ValuesResult> test_values(const ValuesFile& file, const std::string& name, ValueSearchRequest request);

}  // namespace ravel
