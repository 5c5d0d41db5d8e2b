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

inline constexpr int kFactsFormatVersion = 2;

std::string facts_to_text(const Facts& facts);
// `name`: of the file, for messages.
Result<Facts> facts_from_text(std::string_view text, const std::string& name);
Result<Facts> read_facts(const std::string& path);

}  // namespace ravel
