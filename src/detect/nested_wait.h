// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Waits for a signal while another lock than the one of the wait is held (nested monitors): whoever needs that lock on
// the way to the signal waits for ever. May be intended, where no signaller needs it.
#pragma once

#include <string_view>

#include "detect/detector.h"

namespace ravel {

class NestedWait final : public Detector {
 public:
  // Roles: the wait, the lock that is kept.
  static constexpr std::string_view kExplanations[] = {
      "{t0} waits for {o0} ({p0}) and keeps {o1}, taken at {p1}: who needs it in order to signal cannot get it",
  };

  NestedWait(std::pmr::memory_resource& memory, const Services& services)
      : locks_(services.locks), sink_(services.sink) {
    (void)memory;
  }

  void begin(const TraceView&) override {}
  void on_event(const Event& e, const Moment& at) override {
    if (e.kind == OpKind::kCondWait) look_at_wait(e, at);
  }

 private:
  void look_at_wait(const Event& e, const Moment& at);

  const HeldLocks& locks_;
  DetectionSink& sink_;
};

}  // namespace ravel
