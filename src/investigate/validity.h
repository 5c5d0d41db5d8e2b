// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sequences against a specification (model/text/valid_text.h): each execution's order is valid or not, its result
// correct or not; and behind a complete search, valid orders that never came are missing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/text/syn_text.h"
#include "model/text/valid_text.h"
#include "report/names.h"
#include "report/sequence.h"

namespace ravel {

enum class FailureClass : std::uint8_t { kPass, kComputation, kSynchronization, kCoincidental };
inline constexpr std::string_view kFailureClassNames[] = {"pass", "computation-failure", "synchronization-failure",
                                                          "coincidental"};
inline constexpr std::string_view kMissingPath = "missing-path";  // valid, but no execution has it

Result<Validity> read_validity(const std::string& path);

class ValidityJudge {
 public:
  explicit ValidityJudge(const Validity& valid) : valid_(valid) {}

  struct Judgement {
    ValidWord word;
    FailureClass found = FailureClass::kPass;
  };
  // Of an execution, with its events as sequence_of() yields them.
  Judgement judge(Names& names, SequenceNames& objects, const std::vector<SynEvent>& events);

  struct Missing {
    ValidWord word;
    std::optional<SynFile> file;  // that asks for it; none if more than one thread does what has one name
  };
  // Valid orders of the events of some execution, that no execution had. `all': see Validity::orders_of.
  [[nodiscard]] std::vector<Missing> missing(bool& all) const;

 private:
  [[nodiscard]] std::optional<SynFile> file_for(const ValidWord& word) const;

  const Validity& valid_;
  std::set<ValidWord> seen_;
  std::map<std::string, std::vector<SynEvent>> doers_;  // different ones, by name
};

}  // namespace ravel
