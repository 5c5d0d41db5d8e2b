// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Predecessor sets: Yu, Narayanasamy, "A case for an interleaving constrained shared-memory multi-processor", ISCA
// 2009. Of every access the immediate dependent predecessor from another thread: the write that a read sees, the access
// that a write comes after. In training, passing executions teach which pairs of places are usual; afterwards a pair
// that was never seen is reported. Without training nothing is.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class Pset final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {1} of {t1} follows {0} of {t0}, as it never did in training",
  };
  Pset(std::pmr::memory_resource& memory, const Services& services)
      : sink_(services.sink),
        index_(memory, 1u << 10, kMaxPlaces * 2),
        told_(memory, 1u << 10, kMaxPairs * 2),
        places_(memory, kMaxPlaces) {}

  void begin(const TraceView&) override {
    index_.clear();
    told_.clear();
    places_.clear();
    truncated_ = false;
  }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxPlaces = 1u << 16;
  static constexpr std::uint32_t kMaxPairs = 1u << 14;
  struct Place {
    RoleRecord write;
    RoleRecord access;  // read or write
  };

  DetectionSink& sink_;
  PlaceMap index_;
  PlaceMap told_;
  Pool<Place> places_;
  bool truncated_ = false;
};

}  // namespace ravel
