// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The user's source files around the lines that a report speaks of, read while the report is made: they may be gone or
// changed when it is looked at.
#pragma once

#include <vector>

#include "report/timeline.h"

namespace ravel {

// Of a longer file only what lies between the first and the last line spoken of, and some lines around, is kept.
inline constexpr std::size_t kMaxWholeFileLines = 4000;
inline constexpr std::size_t kLinesAround = 60;
inline constexpr std::size_t kMaxSourceBytes = 4u << 20;  // of one file; of all together four times as much

std::vector<TimelineFile> source_files(const std::vector<SourcePlace>& places);

}  // namespace ravel
