// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Order violations around one variable, after ConMem (Zhang, Sun, Lu, "ConMem: detecting severe concurrency bugs
// through an effect-oriented approach", ASPLOS 2010):
//   uninitialised  a thread reads zero from memory that nobody has written yet, and another thread sets it afterwards;
//                  the reader never looks again, so it did not poll
//   null           a thread reads null after another thread wrote null over a pointer that was set
// In an execution that crashed, the failing thread's last read of a null pointer is the one that counts, set later
// or not. What happened before there was a second thread is not recorded; zero then means "not set".
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class UseBeforeSet final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o0}: {t0} uses it ({0}) before {t1} has set it ({1})",
      "{o0}: {t0} uses it ({0}) before anybody has set it",
      "{o0}: {t1} uses null ({1}) that {t0} has written ({0})",
  };
  enum Variant : std::uint8_t { kSetLater, kNeverSet, kNull };

  UseBeforeSet(std::pmr::memory_resource& memory, const Services& services)
      : sink_(services.sink), index_(memory, 1u << 10, kMaxPlaces * 2), places_(memory, kMaxPlaces) {}

  void begin(const TraceView&) override {
    index_.clear();
    places_.clear();
    suspects_ = 0;
    last_null_read_ = 0;
    null_count_ = 0;
    truncated_ = false;
  }
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxPlaces = 1u << 16;
  static constexpr std::uint32_t kMaxSuspects = 64;
  static constexpr std::uint16_t kPointerBytes = 8;
  static constexpr std::uint32_t kMaxNulls = 8;
  struct Place {
    RoleRecord early_read;  // of zero, before any write
    RoleRecord write;       // the last one
    RoleRecord null_read;   // of a null that somebody else has written
    bool was_set = false;   // somebody has seen or written another value
    bool read_again = false;
    bool suspect = false;
  };

  void read(Place& place, const RoleRecord& now);
  void note_null(std::uint32_t place, const RoleRecord& now);
  [[nodiscard]] bool read_another_null() const;
  void report(Variant variant, const RoleRecord& first, const RoleRecord* second);

  DetectionSink& sink_;
  PlaceMap index_;
  Pool<Place> places_;
  std::uint32_t suspect_[kMaxSuspects] = {};
  std::uint32_t suspects_ = 0;
  std::uint32_t last_null_read_ = 0;  // place of the last read of a null pointer
  RoleRecord last_null_;
  struct NullRead {
    ThreadIndex thread = kNoThread;
    std::uint32_t place = 0;
  };
  NullRead nulls_[kMaxNulls] = {};  // the last ones; each place once
  std::uint32_t null_count_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
