// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `ravel flaky` has to tell: each test with its failure ratio, most flaky first.
#pragma once

#include <string>
#include <vector>

#include "report/free_report.h"

namespace ravel {

struct FlakyTest {
  std::string name;
  FreeReport report;
};

struct FlakyReport {
  std::string program;
  double seconds = 0;
  std::vector<FlakyTest> tests;  // that ran, by ratio of failures, then by name
  ExitCode exit_code = kExitClean;
  std::string reason;
};

void rank_tests(FlakyReport& report);
std::string flaky_text(const FlakyReport& report);
std::string flaky_json(const FlakyReport& report);

}  // namespace ravel
