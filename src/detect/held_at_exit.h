// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that end while they hold a lock: nobody else may give it back. Robust mutexes are given back by the system
// and not meant; so is main, whose end is the end of the process.
#pragma once

#include <string_view>

#include "detect/detector.h"

namespace ravel {

class HeldAtExit final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{t0} ended and still held {o0}, taken at {p0}",
  };

  HeldAtExit(std::pmr::memory_resource& memory, const Services& services)
      : locks_(services.locks), sink_(services.sink) {
    (void)memory;
  }

  void begin(const TraceView&) override {}
  [[nodiscard]] Wants wants() const override { return wanted(OpClass::kLifecycle); }
  void on_event(const Event& e, const Moment& at) override {
    if (e.kind == OpKind::kThreadEnd) look_at_end(e, at);
  }

 private:
  void look_at_end(const Event& e, const Moment& at);

  const HeldLocks& locks_;
  DetectionSink& sink_;
};

}  // namespace ravel
