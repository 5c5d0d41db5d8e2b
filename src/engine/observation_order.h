// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Calls of ravel::observe whose effect another thread can change: a thread that ends the process decides whether others
// still observe, and of two threads that observe the same name the later one counts. Their locations become scheduling
// points, as those of races do (docs/adr/0115). In programs that join their threads, and have names of their own for
// each thread, there are none.
#pragma once

#include <cstdint>

#include "detect/shared_locations.h"
#include "model/event.h"
#include "model/execution.h"

namespace ravel {

class ObservationOrder {
 public:
  void begin() { calls_ = unjoined_ = 0; }
  // Events of OpClass::kLifecycle and kInternal; others change nothing.
  void on_event(const Event& e, LocationSink& points) {
    if (e.kind == OpKind::kThreadCreate && !e.failed()) ++unjoined_;
    if (e.kind == OpKind::kThreadJoin && !e.failed()) --unjoined_;
    if (e.kind == OpKind::kObserve && unjoined_ != 0) add(e, points);
  }
  void finish(const ExecutionResult& result, LocationSink& points) const;

 private:
  struct Call {
    std::uint64_t name = 0;
    ThreadIndex thread;
    LocationId location = 0;
  };
  static constexpr std::uint32_t kMostCalls = kMaxObservations;

  void add(const Event& e, LocationSink& points);

  Call list_[kMostCalls] = {};  // different ones
  std::uint32_t calls_ = 0;
  std::uint32_t unjoined_ = 0;
};

}  // namespace ravel
