// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost signals: in an execution that ended in a deadlock, a thread waits on a condition variable that was signalled,
// and the signal did not reach it. Three ways, each reported only when the trace shows it:
//   * the wait looked at nothing that others write, and the signal came before it;
//   * what the wait had looked at was changed after the look and signalled before the wait, when nobody waited yet;
//   * what the wait had looked at was changed and signalled while the thread waited, but the signal woke another
//     thread, which waits again or has ended and has signalled nobody.
// In the last two, nothing that the waiting thread looked at was written after the signal: it would still see what it
// was signalled for.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "detect/detector.h"
#include "detect/wait_looks.h"

namespace ravel {

class LostSignal final : public Detector {
 public:
  // Roles: the signal, the wait, what the wait had looked at when it was changed, the wait or end of who was woken.
  static constexpr std::string_view kExplanations[] = {
      "{t0} signalled {o0} ({p0}) when nobody waited; {t1} waits for it ever after ({p1}), without a predicate",
      "{t0} changed {o2} ({p2}) and signalled {o0} ({p0}) after {t1} had looked at it and before {t1} waited ({p1})",
      "{t0} changed {o2} ({p2}), but its signal of {o0} ({p0}) woke {t3}, not {t1} that waits for it ({p1})",
  };
  enum Variant : std::uint8_t { kNoPredicate, kTooEarly, kWrongWaiter };

  LostSignal(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  [[nodiscard]] bool truncated() const override { return truncated_ || looks_.truncated(); }

 private:
  static constexpr std::uint32_t kMaxSignals = 1u << 12;
  static constexpr std::uint32_t kMaxEnds = 1u << 12;

  bool explain(const RoleRecord& signal, const WaitLooks::Wait& wait);
  const WaitLooks::Write* change_of(const RoleRecord& signal, const WaitLooks::Wait& wait) const;
  RoleRecord where_now(ThreadIndex thread, std::uint64_t condition);
  [[nodiscard]] bool signalled_since(ThreadIndex thread, std::uint64_t condition, std::uint64_t sequence) const;
  void report(Variant variant, const RoleRecord* roles, std::uint8_t count);

  DetectionSink& sink_;
  WaitLooks looks_;
  RoleRecord* signals_;
  RoleRecord* ends_;
  std::uint32_t signal_count_ = 0;
  std::uint32_t end_count_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
