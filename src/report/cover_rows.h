// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tables of metrics in the tool's own memory, instead of in what it shares with a worker. They are large, and pages
// that no row reaches are never touched.
#pragma once

#include <cstdlib>
#include <memory>
#include <vector>

#include "cover/cover_tables.h"
#include "driver/coverage_data.h"

namespace ravel {

class CoverRows {
 public:
  explicit CoverRows(const CoverCapacity& rows);
  [[nodiscard]] const CoverMemory& memory() const { return memory_; }
  // The rows that are in use.
  [[nodiscard]] CoverageData used(const CoverCounts& counts) const;

 private:
  struct Free {
    void operator()(void* block) const { std::free(block); }
  };
  template <class Row>
  Row* zeroed(std::uint32_t rows);

  std::vector<std::unique_ptr<void, Free>> blocks_;
  CoverMemory memory_;
};

}  // namespace ravel
