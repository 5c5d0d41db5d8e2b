// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/detector_set.h"

namespace ravel {

DetectorSet::DetectorSet(std::pmr::memory_resource& memory, Causality& causality, std::uint64_t which,
                         DetectionRecord* table, std::uint32_t capacity, std::uint32_t max_threads,
                         const ObjectRecord* objects)
    : table_(memory, table, capacity), locks_(memory, max_threads) {
  const Services services{causality, locks_, table_, objects};
  for (const DetectorRow& row : detector_table()) {
    if (row.create == nullptr || (which & detector_bit(row.id)) == 0) continue;
    detectors_[count_] = row.create(memory, services);
    wants_[count_] = detectors_[count_]->wants();
    ++count_;
  }
}

void DetectorSet::begin() {
  table_.begin();
  locks_.begin();
  for (std::uint32_t i = 0; i < count_; ++i) detectors_[i]->begin();
}

void DetectorSet::finish(const ExecutionResult& result) {
  for (std::uint32_t i = 0; i < count_; ++i) detectors_[i]->finish(result);
}

bool DetectorSet::truncated() const {
  bool some = table_.dropped() != 0 || !locks_.complete();
  for (std::uint32_t i = 0; i < count_; ++i) some = some || detectors_[i]->truncated();
  return some;
}

}  // namespace ravel
