// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Accesses to the stack of a thread that has ended: its variables are gone, whether or not the memory was given to
// another thread since. Exact as long as the stack has no new owner; an access after that looks like one to the new
// owner's variables and is not reported.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class DeadStack final : public Detector {
 public:
  // Roles: the access, the end of the thread whose stack it was.
  static constexpr std::string_view kExplanations[] = {
      "{0} of {t0} is to {o0}, on the stack of {t1}, which had ended",
  };

  DeadStack(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView& trace) override;
  [[nodiscard]] Wants wants() const override { return kWantsClasses; }
  [[nodiscard]] OpKind wakes_at() const override { return OpKind::kThreadEnd; }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxEnds = 1u << 14;

  std::span<const ObjectRecord> objects_{};
  DetectionSink& sink_;
  SparseArray<std::uint32_t> ended_;  // by thread
  Pool<RoleRecord> ends_;
  bool some_ended_ = false;
  bool truncated_ = false;
};

}  // namespace ravel
