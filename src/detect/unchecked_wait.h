// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Waits on a condition variable whose thread goes on without looking again at what it had checked before: POSIX and C++
// allow a wait to end without a signal, and another thread may come in between. Also waits that look at nothing at all,
// which lose any signal that comes too early.
//
// A wait that ended by time-out is not meant. Judged at the end of the execution, when it is known which memory others
// write. May be intended where every waiter has a condition of its own and the authors rely on their platform.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/pool.h"
#include "detect/detector.h"
#include "detect/wait_looks.h"

namespace ravel {

class UncheckedWait final : public Detector {
 public:
  // Roles: the wait, its end, what the thread did next without having looked.
  static constexpr std::string_view kExplanations[] = {
      "{t0} waits for {o0} ({p0}) and goes on ({p2}) without looking again at what it had checked: no loop",
      "{t0} waits for {o0} ({p0}) without a predicate: a signal that comes first is lost, a spurious wake-up counts",
  };
  enum Variant : std::uint8_t { kNoLoop, kNoPredicate };

  UncheckedWait(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  [[nodiscard]] bool truncated() const override { return truncated_ || looks_.truncated(); }

 private:
  static constexpr std::uint32_t kMaxPassed = 1u << 10;

  struct Passed {  // a wait that is over
    WaitLooks::Wait wait;
    RoleRecord woken;
    RoleRecord next;          // kNone: the thread may still look
    std::uint64_t looked_at;  // bits of wait.look that were read again
  };

  void judge(const Passed& passed);

  DetectionSink& sink_;
  WaitLooks looks_;
  SparseArray<std::uint32_t> open_;  // by thread: its wait that is over and not yet judged
  Pool<Passed> passed_;
  std::uint32_t last_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
