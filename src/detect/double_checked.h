// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Double-checked locking without acquire. A thread looks at a variable without a lock, takes a lock, looks again and
// writes: the variable is a guard. Another thread then looks at the guard without a lock, by a plain or relaxed read,
// sees what was written, and nothing orders the write before the look: what the guard stands for is not ordered
// either.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class DoubleChecked final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {t1} trusts it ({1}) without acquire; {t0} set it under a lock after a second look ({0})",
  };
  DoubleChecked(std::pmr::memory_resource& memory, const Services& services)
      : causality_(services.causality),
        locks_(services.locks),
        sink_(services.sink),
        index_(memory, 1u << 10, kMaxPlaces * 2),
        places_(memory, kMaxPlaces) {}

  void begin(const TraceView&) override {
    index_.clear();
    places_.clear();
    truncated_ = false;
  }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxPlaces = 1u << 16;
  struct Place {
    std::uint64_t looked = 0;       // threads (modulo 64) that looked without a lock
    ThreadIndex again = kNoThread;  // the thread that looked again with a lock
    bool guard = false;
    RoleRecord write;
    Epoch epoch;
  };

  Causality& causality_;
  const HeldLocks& locks_;
  DetectionSink& sink_;
  PlaceMap index_;
  Pool<Place> places_;
  bool truncated_ = false;
};

}  // namespace ravel
