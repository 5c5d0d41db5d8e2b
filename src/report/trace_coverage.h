// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The coverage of a trace from a file: the metrics that run beside the program, in the tool.
#pragma once

#include <cstdint>

#include "model/text/trace_text.h"
#include "report/coverage.h"

namespace ravel {

TaskCoverage coverage_of(const Trace& trace, std::uint32_t metrics);

}  // namespace ravel
