// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The whole analysis: bitcode in, facts out. No LLVM header here.
#pragma once

#include <string>
#include <vector>

#include "statics/analysis_options.h"
#include "statics/facts.h"

namespace ravel {

struct BitcodeAnalysis {
  Facts facts;                       // sources, build id and what could not be compiled are the caller's
  std::string error;                 // nothing could be analysed
  std::vector<std::string> refused;  // bitcode files that were left out, with the reason
  double seconds = 0;
};

BitcodeAnalysis analyze_bitcode(const std::vector<std::string>& files, const AnalysisOptions& options);

}  // namespace ravel
