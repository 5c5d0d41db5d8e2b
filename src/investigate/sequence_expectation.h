// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a sequence file expects of an execution that keeps to its sequence: how it ends, what it prints, whether a
// specification allows its order.
#pragma once

#include <optional>
#include <string>

#include "investigate/validity.h"
#include "model/text/syn_text.h"

namespace ravel {

// An execution that keeps to the sequence.
struct SequenceEffect {
  OutcomeKind outcome = OutcomeKind::kNotRun;
  std::string output;                 // what it printed
  std::optional<FailureClass> found;  // by the specification, if there is one
  ValidWord word;                     // ... its order in the words of the specification
};

// `valid' may be null. The execution is the one that `names' is about.
SequenceEffect effect_of(Names& names, const Validity* valid);

[[nodiscard]] bool is_valid_order(FailureClass found);
[[nodiscard]] bool meets(const SynExpectation& expect, const SequenceEffect& effect);
// Of an execution that keeps to the sequence: "feasible, completed, output \"CBC\", valid".
[[nodiscard]] std::string expected_text(const SynExpectation& expect);
// The file asks for more than an execution's outcome says.
[[nodiscard]] bool looks_closer(const SynExpectation& expect);

// Valid, but it cannot happen: the whole order of the file as the specification sees it. Empty: it is not valid, or the
// file leaves open what follows.
[[nodiscard]] std::optional<ValidWord> missing_path(const SynFile& file, const Validity& valid);

}  // namespace ravel
