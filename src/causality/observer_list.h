// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Several observers behind one call: each sees the classes of events that it wants.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "causality/observer.h"

namespace ravel {

template <std::size_t kCapacity>
class ObserverList {
 public:
  void add(Observer& observer) {
    INVARIANT(count_ < kCapacity, "there is room for every observer");
    const Wants wants = observer.wants();
    INVARIANT((wants & kWantsClasses) != 0, "an observer wants some events");
    observers_[count_] = &observer;
    wants_[count_++] = wants;
    all_ |= wants;
  }

  // Of all of them together.
  [[nodiscard]] Wants wants() const { return all_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  void begin(const TraceView& trace) {
    for (std::uint32_t i = 0; i < count_; ++i) observers_[i]->begin(trace);
  }
  void on_event(const Event& e, const Moment& at) {
    const auto cls = static_cast<std::uint32_t>(op_class(e.kind));
    for (std::uint32_t i = 0; i < count_; ++i) {
      if ((wants_[i] >> cls & 1) != 0) observers_[i]->on_event(e, at);
    }
  }
  void finish(const TraceView& trace) {
    for (std::uint32_t i = 0; i < count_; ++i) observers_[i]->finish(trace);
  }
  [[nodiscard]] bool recall(std::uint64_t trace_key) {
    bool all = true;
    for (std::uint32_t i = 0; i < count_; ++i) all = observers_[i]->recall(trace_key) && all;
    return all;
  }
  void keep(std::uint64_t trace_key) {
    for (std::uint32_t i = 0; i < count_; ++i) observers_[i]->keep(trace_key);
  }
  [[nodiscard]] bool truncated() const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (observers_[i]->truncated()) return true;
    }
    return false;
  }

 private:
  std::uint32_t count_ = 0;
  Wants all_ = 0;
  Observer* observers_[kCapacity] = {};
  Wants wants_[kCapacity] = {};
};

}  // namespace ravel
