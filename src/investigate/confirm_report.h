// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `ravel confirm' has to say, and its forms: a line per warning, JSON, SARIF 2.1.0 with the original results where
// they came as SARIF.
#pragma once

#include <string>
#include <vector>

#include "investigate/confirm_warnings.h"
#include "model/exit_code.h"
#include "statics/warnings/foreign_warning.h"

namespace ravel {

struct ConfirmReport {
  std::string program;
  std::vector<WarningToConfirm> warnings;
  std::vector<WarningVerdict> verdicts;    // one per warning
  std::vector<ForeignWarnings> originals;  // the files they came from, in order; empty: static facts
  std::vector<std::string> notes;

  [[nodiscard]] ExitCode exit_code() const;
};

// Behind the word of the verdict.
std::string verdict_text(const WarningToConfirm& warning, const WarningVerdict& verdict);
std::string confirm_json(const ConfirmReport& report);
std::string confirm_sarif(const ConfirmReport& report);

}  // namespace ravel
