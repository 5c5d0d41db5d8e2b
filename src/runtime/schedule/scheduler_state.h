// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The scheduler's state: one object, its parts by name. The quick path is in its first cache line. Only schedule/
// changes it; call-outs ask and pass quick points.
#pragma once

#include <cstdint>

#include "runtime/platform/hidden.h"
#include "runtime/policy/policy.h"
#include "runtime/schedule/quick_point.h"
#include "runtime/schedule/ready_set.h"

namespace ravel::rt {

// Who decides where the plan does not say, and what it wants to know. The same for a whole execution.
struct PolicySeat {
  Policy* policy = nullptr;
  bool watches = true;              // wants to see every operation
  bool watches_blocked = false;     // wants to see who cannot go on
  bool goes_on = false;             // lets who runs go on, always
  bool blind = false;               // does not look at operations
  bool accesses_decide = true;      // plain and atomic accesses are not excluded, and none fails by an injected fault
  bool fast_thread_pointer = true;  // for the switch: user code may set it
};

struct alignas(64) Scheduler {
  QuickPoint quick;
  ReadySet ready;
  PolicySeat seat;
  bool gated = false;  // the plan has a sequence: gate.h

  // What other threads can do may have changed: lists and quick points are to be made again.
  void make_stale() {
    ready.make_stale();
    quick.mode = QuickPoint::Mode::kNone;
  }
  // ... or only what the running one can, or who waits for a mutex that is neither recursive nor robust.
  void make_own_stale() {
    if (g.block->plan.without_shortcuts != 0) return make_stale();
    ready.make_own_stale();
    quick.mode = QuickPoint::Mode::kNone;
  }
  void make_stale_by(std::uintptr_t mutex) {
    if (g.block->plan.without_shortcuts != 0) return make_stale();
    ready.make_stale_by(mutex);
    quick.mode = QuickPoint::Mode::kNone;
  }
};
RAVEL_HIDDEN extern Scheduler g_scheduler;

__attribute__((always_inline)) inline bool is_quick_point(const VirtualThread& self) {
  return g_scheduler.quick.applies_to(self) && g_scheduler.quick.mode != QuickPoint::Mode::kDraws;
}
// The same where draws_running() is asked last, when the point is sure to be passed in either way.
__attribute__((always_inline)) inline bool may_be_quick_point(const VirtualThread& self) {
  return g_scheduler.quick.applies_to(self);
}
// False: another thread was drawn, or something has come up. The long way has to be taken now: it finds the draw.
bool draw_running(const VirtualThread& self);
__attribute__((always_inline)) inline bool draws_running(const VirtualThread& self) {
  return g_scheduler.quick.mode != QuickPoint::Mode::kDraws || draw_running(self);
}
__attribute__((always_inline)) inline std::uint8_t pass_quick_point(const VirtualThread& self) {
  return g_scheduler.quick.pass(self);
}

inline const PlanSpec& plan() {
  return g.block->plan;
}
// Operations that are no points by --points-exclude.
inline bool is_excluded(OpKind kind) {
  return (plan().excluded_classes >> static_cast<unsigned>(op_class(kind)) & 1) != 0;
}

}  // namespace ravel::rt
