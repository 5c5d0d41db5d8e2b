// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// High-level data races by view consistency: Artho, Havelund, Biere, "High-level data races", STVR 2003. A view is the
// set of variables that a thread uses in one critical section of a lock. If one thread uses x and y together and
// another uses them in two sections, the second may leave them half changed in between, although every access is well
// protected: the intersections of a view with the views of another thread must form a chain.
//
// Departures: a pair counts only where somebody writes; a view holds at most kMost variables; larger ones are left out.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class Views final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{t0} uses in one section ({p0}) what {t1} uses in two ({p1} and {p2})",
  };
  Views(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMost = 12;
  static constexpr std::uint32_t kMaxViews = 1u << 12;
  static constexpr std::uint32_t kMaxWork = 1u << 18;

  struct View {
    std::uint64_t lock = 0;
    RoleRecord taken;
    std::uint32_t count = 0;  // kMost + 1: too many
    std::uint64_t place[kMost] = {};
    std::uint32_t writes = 0;  // bit i: place[i] is written
    std::uint32_t next = 0;    // of the same lock, or of the same thread while open
  };

  void open(const LockHold& hold);
  void close(ThreadIndex thread, std::uint64_t lock);
  [[nodiscard]] bool is_known(const View& view, std::uint32_t list) const;
  void compare(const View& whole, const View& a, const View& b);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  PlaceMap index_;             // lock -> number of its list
  Pool<std::uint32_t> lists_;  // first view
  Pool<View> views_;
  SparseArray<std::uint32_t> open_;  // by thread
  std::uint32_t work_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
