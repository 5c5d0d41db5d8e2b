// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How each metric is made; the classes are in files of their own.
#pragma once

#include <memory_resource>

namespace ravel {

class Metric;
struct CoverServices;

Metric* create_avio(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_eraser_metric(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_goldilock(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_goodlock(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_hbpair(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_dupairs(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_concurpairs(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_sync_modes(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_driving(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_reads_from(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_interrupt(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_conflict(std::pmr::memory_resource& memory, const CoverServices& services);
Metric* create_places(std::pmr::memory_resource& memory, const CoverServices& services);

// Constructs one; never destroyed, as its memory.
template <class T>
Metric* make_metric(std::pmr::memory_resource& memory, const CoverServices& services) {
  return new (memory.allocate(sizeof(T), alignof(T))) T(memory, services);
}

}  // namespace ravel
