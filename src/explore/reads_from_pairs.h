// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which reads have seen which writes, by place of the code: what an execution adds says how new it is where every
// execution has a trace of its own. Of locks and the like every operation is a read and a write: it sees who was last.
//
// Bounded: when the set is full nothing is new any more. Kill-safe: the set grows behind a count in the caller's state.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/counted_set.h"
#include "model/trace_view.h"

namespace ravel {

class ReadsFromPairs {
 public:
  explicit ReadsFromPairs(std::pmr::memory_resource& memory);

  // How many pairs nobody had seen; `count` is part of the caller's state.
  std::uint32_t learn(std::uint32_t& count, const TraceView& trace);

 private:
  struct LastWrite {
    std::uint64_t place = 0;
    std::uint64_t scan = 0;
    LocationId location = 0;
  };

  CountedSet<std::uint64_t> pairs_;
  LastWrite* last_;          // scratch
  std::uint64_t scans_ = 0;  // tells old entries of it; goes on after a kill
};

}  // namespace ravel
