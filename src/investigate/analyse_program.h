// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Static facts of a program that `ravel c++' built, from its recorded compile commands, of bitcode, or of a facts file.
// They are kept where `ravel run' finds them (use_facts.h).
#pragma once

#include <string>
#include <vector>

#include "model/text/result.h"
#include "statics/analysis_options.h"
#include "statics/facts.h"

namespace ravel {

struct AnalysisRequest {
  AnalysisOptions analysis;
  std::vector<std::string> without;  // names of filters that `analysis` switches off
  std::string compile_commands;      // file; empty: those recorded in the program
  std::string output = ".ravel";
};

struct AnalysedProgram {
  Facts facts;
  std::string path;     // of their file
  std::string program;  // empty: bitcode alone
  double seconds = 0;   // of the analysis; 0: the facts were there
};

using AnalysisNotes = std::vector<std::string>;  // what was left out

// One program, one facts file, or files of bitcode.
Result<AnalysedProgram> analyse_program(const std::vector<std::string>& words, const AnalysisRequest& request,
                                        AnalysisNotes& notes);
// The facts that are there if they are of this very build; else the program is analysed.
Result<AnalysedProgram> facts_of_program(const std::string& program, const AnalysisRequest& request,
                                         AnalysisNotes& notes);

}  // namespace ravel
