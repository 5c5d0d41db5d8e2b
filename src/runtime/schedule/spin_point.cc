// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/spin_point.h"

#include "runtime/record/points.h"
#include "runtime/record/recorder.h"
#include "runtime/record/stretch.h"
#include "runtime/schedule/scheduler.h"

namespace ravel::rt {

bool skip_or_wait(SpinVerdict verdict, std::uintptr_t address, std::uint16_t size, LocationId location, OpKind kind) {
  VirtualThread& self = *g.current;
  for (;; verdict = self.spin.before_read(address, size, peek(address, size), location)) {
    switch (verdict) {
      case SpinVerdict::kFresh:
        return false;
      case SpinVerdict::kAwaited:
        self.spun = true;  // with the old value this would be no step: it cannot come before the change
        return false;
      case SpinVerdict::kStutter:
        if (g.live > 1 && (kind != OpKind::kRead || is_plain_point(location))) self.spin.shorten();
        count_step();
        return true;
      case SpinVerdict::kWait: {
        if (g.live > 1) self.spin.shorten();
        Pending pending;
        pending.kind = kind;
        pending.size = size;
        pending.address = address;
        pending.location = location;
        pending.spinning = true;
        pending.silent = true;
        pending.enabled = [](const VirtualThread& thread) { return thread.spin.value_changed(); };
        self.spin.begin_wait(self.stack_low, self.stack_bytes);
        wait_spinning(pending);
        self.spin.resume();
        self.spun = true;
        break;  // look again: the value may be another one now
      }
    }
  }
}

bool skip_unchanged_read(std::uintptr_t address, std::uint16_t size, LocationId location, OpKind kind) {
  settle_quiet_accesses(*g.current);
  return is_skipped(*g.current, address, size, location, kind);
}

}  // namespace ravel::rt
