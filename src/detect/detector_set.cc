// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/detector_set.h"

namespace ravel {

DetectorSet::DetectorSet(std::pmr::memory_resource& memory, Causality& causality, std::uint64_t which,
                         DetectionRecord* table, std::uint32_t capacity, std::uint32_t max_threads)
    : table_(memory, table, capacity), locks_(memory, max_threads) {
  const Services services{causality, locks_, table_};
  for (const DetectorRow& row : detector_table()) {
    if (row.create == nullptr || (which & detector_bit(row.id)) == 0) continue;
    detectors_.add(*row.create(memory, services));
  }
}

void DetectorSet::begin(const TraceView& trace, bool all_awake) {
  table_.begin();
  locks_.begin();
  detectors_.begin(trace, all_awake);
}

void DetectorSet::finish(const TraceView& trace) {
  detectors_.finish(trace);
}

bool DetectorSet::truncated() const {
  return table_.dropped() != 0 || !locks_.complete() || detectors_.truncated();
}

}  // namespace ravel
