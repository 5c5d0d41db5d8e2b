// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Executions that reached their limit of steps, and why they did not end. Livelock: the last events are a few
// steps over and over, in which two threads each write what the other reads. Starvation: a thread waits for a lock that
// others took again and again since.
//
// A step is a thread, an operation, a place in the code and in memory. A repetition is no proof that it never ends, so
// both may be intended. Looks at the last kWindow events.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "detect/detector.h"

namespace ravel {

class Livelock final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{t0} and {t1} repeat the same {n} steps and make no progress: {0} of {o0}, {1} of {o1}",
      "{t0} waits for {o0} ({p0}) while {t1} took it {n} times ({p1})",
  };
  enum Variant : std::uint8_t { kLivelock, kStarvation };
  static constexpr std::uint32_t kWindow = 1u << 10;  // power of two
  static constexpr std::uint32_t kMostSteps = 64;     // different ones in the window
  static constexpr std::uint32_t kRounds = 4;         // each of them at least so often
  static constexpr std::uint32_t kOvertaken = 8;      // a lock taken so often while somebody waits for it

  Livelock(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override { events_ = 0; }
  void on_event(const Event& e, const Moment& at) override {
    tail_[at.sequence & (kWindow - 1)] = e;
    events_ = at.sequence + 1;
  }
  void finish(const TraceView& trace) override;

 private:
  [[nodiscard]] const Event& from_end(std::uint64_t n) const { return tail_[(events_ - 1 - n) & (kWindow - 1)]; }
  [[nodiscard]] std::uint32_t known() const {
    return events_ < kWindow ? static_cast<std::uint32_t>(events_) : kWindow;
  }
  // How many different steps fill the window, and where the last of each stands from the end; 0: something is new.
  std::uint32_t steps(std::uint32_t* last) const;
  void look_for_livelock();
  void look_for_starvation(const WaitingRecord& waiting);
  void report(Variant variant, OutcomeKind kind, const RoleRecord* roles, std::uint8_t count, std::uint32_t number);

  DetectionSink& sink_;
  Event* tail_;
  std::uint64_t events_ = 0;
};

}  // namespace ravel
