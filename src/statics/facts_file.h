// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Facts as a file (docs/facts-format.md). A file is data from outside: the reader checks every number and index.
#pragma once

#include <string>
#include <string_view>

#include "model/text/result.h"
#include "statics/facts.h"

namespace ravel {

inline constexpr int kFactsFormatVersion = 3;

// `seconds`: that the analysis took.
std::string facts_to_text(const Facts& facts, double seconds = 0);
// `name`: of the file, for messages.
Result<Facts> facts_from_text(std::string_view text, const std::string& name);
Result<Facts> read_facts(const std::string& path);
// What a file of facts says about the time that it took; 0: nothing. Reads the head of the file only.
double analysis_seconds(const std::string& path);

}  // namespace ravel
