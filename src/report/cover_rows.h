// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tables of metrics in the tool's own memory, instead of in what it shares with a worker.
#pragma once

#include "cover/cover_tables.h"
#include "driver/coverage_data.h"

namespace ravel {

struct CoverRows {
  CoverRows(CoverageData& data, const CoverCapacity& rows);
  CoverMemory memory;
};

// To what is in use.
void cut_rows(CoverageData& data, const CoverCounts& counts);

}  // namespace ravel
