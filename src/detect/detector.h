// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Detector: sees every event of an execution once, in order, and reports what it finds. It runs in the worker while the
// program runs and in tests on hand-written traces; it knows nothing but events and the services given to it.
//
// begin() is O(1); tables are bounded and taken from the memory given at creation; what did not fit is said by
// truncated(). Never destroyed: its memory is scratch.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <new>

#include "causality/causality.h"
#include "detect/held_locks.h"
#include "model/event.h"
#include "model/execution.h"
#include "model/tables.h"

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

// Where an event stands.
struct Moment {
  std::uint64_t sequence = 0;
  Epoch epoch;                // as Causality gave it for this event
  std::uint64_t operand = 0;  // TraceView::operands; 0 in hand-written traces
};

// Computed once for all detectors. Both have seen the event in hand already.
struct Services {
  Causality& causality;
  HeldLocks& locks;
  DetectionSink& sink;
  const ObjectRecord* objects = nullptr;  // TraceView::objects; nullptr for hand-written traces
};

inline constexpr std::uint32_t wanted(OpClass cls) {
  return 1u << static_cast<unsigned>(cls);
}

// Also plain accesses that creation and joining of threads order before or after everything that conflicts with them,
// to memory that is not another thread's stack, in an execution without regions.
inline constexpr std::uint32_t kWantsQuiet = 1u << 31;

class Detector {
 public:
  Detector() = default;
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;

  // Bits by OpClass: the events it wants to see; and kWantsQuiet.
  [[nodiscard]] virtual std::uint32_t wants() const { return ~0u; }
  virtual void begin() = 0;
  virtual void on_event(const Event& e, const Moment& at) = 0;
  // After the last event. `result` says how the execution ended and who waits for what.
  virtual void finish(const ExecutionResult& result) { (void)result; }
  // Something could not be looked at: silence means nothing.
  [[nodiscard]] virtual bool truncated() const { return false; }

 protected:
  ~Detector() = default;
};

template <class D>
Detector* create_detector(std::pmr::memory_resource& memory, const Services& services) {
  return new (memory.allocate(sizeof(D), alignof(D))) D(memory, services);
}

}  // namespace ravel
