// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Names for what a worker counted: the coverage of jobs as one TaskCoverage. Program-controlled text becomes words
// without blanks and control characters.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/coverage_data.h"
#include "model/text/trace_text.h"
#include "report/coverage.h"
#include "symbols/symbolizer.h"

namespace ravel {

// Jobs, lives and calls of one campaign put together. `coverage` has what is known of the campaign already.
void name_coverage(const std::vector<CoverageData>& parts, TaskCoverage& coverage);
// Of a trace that a person wrote: its own names are the identities.
void name_coverage(const CoverageData& data, const Trace& trace, TaskCoverage& coverage);

// One word: blanks and what a terminal obeys are replaced.
std::string cover_word(std::string_view text);

}  // namespace ravel
