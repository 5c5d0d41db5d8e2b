// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where the trace of a run that was logged in bursts has holes: the gaps of all threads, as events of the trace that is
// being put together.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/free_record.h"
#include "report/trace_coverage.h"

namespace ravel {

class FreeHoles {
 public:
  explicit FreeHoles(const FreeRecord& run);

  // The next event, number `events`, is an access that was made then.
  void pass(std::uint64_t time, std::size_t events);
  // There were so many events.
  std::vector<TraceHole> take(std::size_t events);

 private:
  std::vector<FreeGap> gaps_;  // in order, none touches another
  std::size_t next_ = 0;
  bool open_ = false;
  std::vector<TraceHole> holes_;
};

}  // namespace ravel
