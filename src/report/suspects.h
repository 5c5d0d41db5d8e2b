// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Tasks that separate failing from passing executions, most telling first: Fisher's exact test, one-sided, with Holm's
// correction for the number of tasks; of equals the rarer task, then the one with more places. Tasks that differ by
// their threads only are one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/coverage.h"
#include "report/finding.h"

namespace ravel {

// The chance that at least `both` of `with` executions drawn from `failing` + `passing` are failing ones.
double fisher(std::uint64_t both, std::uint64_t with, std::uint64_t failing, std::uint64_t passing);

// Only tasks that are more frequent among failing executions; at most `most`. Empty unless some failed and some passed.
std::vector<SuspectLine> suspects_of(const TaskCoverage& coverage, std::size_t most);

// "queue.cpp:88 .. :91 with :40 between": what the task says, as words where there are some for its metric.
std::string suspect_text(const SuspectLine& suspect);

}  // namespace ravel
