// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which threads are inside a signal handler. A handler comes between any two steps of its thread, so what both touch
// is shared as if the handler were a thread of its own.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel {

class HandlerThreads {
 public:
  void begin() { *this = {}; }
  // Some thread is in a handler: every event has to be followed. Otherwise those of synchronisation will do.
  [[nodiscard]] bool inside() const { return inside_ != 0; }
  // The event belongs to a handler.
  bool follow(const Event& e) {
    if (inside_ == 0 && e.kind != OpKind::kSignalHandle) return false;
    std::uint8_t& depth = depth_[e.thread % kSlots];
    if (e.kind == OpKind::kSignalHandle && depth < kDeepest) {
      ++depth;
      ++inside_;
    } else if (e.kind == OpKind::kSignalReturn && depth != 0) {
      --depth;
      --inside_;
    }
    return depth != 0;
  }

 private:
  static constexpr std::uint32_t kSlots = 64;  // threads with the same one are taken to be inside together
  static constexpr std::uint8_t kDeepest = 255;
  std::uint8_t depth_[kSlots] = {};
  std::uint32_t inside_ = 0;
};

}  // namespace ravel
