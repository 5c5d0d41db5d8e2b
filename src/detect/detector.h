// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Detector: an observer that reports what it finds. It knows nothing but events, the trace they are of and the services
// given to it, so it runs in the worker while the program runs and in tests on hand-written traces.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <new>

#include "causality/observer.h"
#include "detect/held_locks.h"
#include "model/detection.h"

namespace ravel {

// All detectors together share some 150 MB of address space, touched as far as it is used: tables are sized so that
// any set of them fits. Threads beyond this number are not looked at by tables that have one entry a thread.
inline constexpr std::uint32_t kDetectorThreads = 1u << 14;

class DetectionSink {
 public:
  // The first report of a key in an execution counts.
  virtual void on_detection(const DetectionRecord& found) = 0;

 protected:
  ~DetectionSink() = default;
};

// Computed once for all detectors. Both have seen the event in hand already.
struct Services {
  Causality& causality;
  HeldLocks& locks;
  DetectionSink& sink;
};

using Detector = Observer;

template <class D>
Detector* create_detector(std::pmr::memory_resource& memory, const Services& services) {
  return new (memory.allocate(sizeof(D), alignof(D))) D(memory, services);
}

}  // namespace ravel
