// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain and atomic accesses as scheduling points and events.
#include "runtime/core/access_api.h"

#include <utility>

#include "runtime/core/faults.h"
#include "runtime/core/heap_check.h"
#include "runtime/core/locations.h"
#include "runtime/core/points.h"
#include "runtime/core/recorder.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/spin_point.h"

namespace ravel::rt {

bool g_watch = false;
bool g_tail = false;
std::uint64_t g_callouts = 0;

namespace {
constexpr std::uint16_t kWordBytes = 8;
bool failed_for_nothing = false;  // the compare-exchange in hand, by an injected fault
bool stuttering = false;          // between atomic_begin and atomic_end of a skipped re-read
}  // namespace

bool skip_unchanged_read(std::uintptr_t address, std::uint16_t size, LocationId location, OpKind kind) {
  VirtualThread& self = *g.current;
  for (;;) {
    switch (self.spin.before_read(address, size, peek(address, size), location)) {
      case SpinVerdict::kFresh:
        return false;
      case SpinVerdict::kStutter:
        count_step();
        return true;
      case SpinVerdict::kWait: {
        Pending pending;
        pending.kind = kind;
        pending.size = size;
        pending.address = address;
        pending.location = location;
        pending.spinning = true;
        pending.enabled = [](const VirtualThread& thread) { return thread.spin.value_changed(); };
        wait_spinning(pending);
        self.spin.resume();
        break;  // look again: the value may be another one now
      }
    }
  }
}

void plain_access(std::uintptr_t address, std::uint32_t bytes, bool write, std::uintptr_t pc) {
  const auto size = static_cast<std::uint16_t>(bytes > 0xffff ? 0xffff : bytes);
  const LocationId location = location_of(pc);
  const OpKind kind = write ? OpKind::kWrite : OpKind::kRead;
  g.current->accessing = location;
  fill_in_plain_write();
  check_alive(address, kind, bytes, location);
  if (g_tail) return;
  if (write) {
    if (!on_own_stack(address)) g.current->spin.progress();
  } else if (size <= kWordBytes && g.current->spin.active() && skip_unchanged_read(address, size, location, kind)) {
    return;
  }
  if (is_plain_point(location)) {
    Pending pending;
    pending.kind = kind;
    pending.size = size;
    pending.address = address;
    pending.location = location;
    point(pending);
    record_pending(0, write || size > kWordBytes ? 0 : peek(address, size));
  } else {
    count_unscheduled_event();
    record(kind, 0, size, address, location, write || size > kWordBytes ? 0 : peek(address, size));
  }
  if (write) {
    remember_plain_write(address, size);
  } else if (size <= kWordBytes && !g.current->spin.active()) {
    // A spin on plain memory starts with a read: keep an eye on it from here on.
    (void)g.current->spin.before_read(address, size, peek(address, size), location);
  }
}

void atomic_begin(const AtomicOp& op) {
  const LocationId location = location_of(op.pc);
  g.current->accessing = location;
  stuttering = false;
  fill_in_plain_write();
  check_alive(op.address, op.kind, op.size, location);
  if (g_tail) return;
  if (op.kind != OpKind::kAtomicStore && op.size <= kWordBytes &&
      skip_unchanged_read(op.address, op.size, location, op.kind)) {
    stuttering = true;
    return;
  }
  Pending pending;
  pending.kind = op.kind;
  pending.bits = op.order & kOrderMask;
  pending.size = op.size;
  pending.address = op.address;
  pending.location = location;
  point(pending);
}

void atomic_end(const AtomicOp& op, std::uint64_t value, bool failed, bool content_changed) {
  if (g_tail) return;
  VirtualThread& self = *g.current;
  const std::uint8_t why = std::exchange(failed_for_nothing, false) ? kSpurious : 0;
  const bool wrote = op.kind != OpKind::kAtomicLoad && !failed;
  if (stuttering && !content_changed && !(wrote && op.kind == OpKind::kAtomicCas)) {
    stuttering = false;
    return;
  }
  if (stuttering) {
    // The re-read changed something after all (a compare-exchange that succeeded): it is an ordinary operation.
    stuttering = false;
    self.pending = {};
    self.pending.kind = op.kind;
    self.pending.bits = op.order & kOrderMask;
    self.pending.size = op.size;
    self.pending.address = op.address;
    self.pending.location = location_of(op.pc);
  }
  if (wrote && (content_changed || op.kind == OpKind::kAtomicStore)) self.spin.progress();
  // A failed compare-exchange has an order of its own.
  self.pending.bits = op.order & kOrderMask;
  record_pending(static_cast<std::uint8_t>((failed ? kFailed : 0) | why), value);
}

void fence(int order, std::uintptr_t pc) {
  if (g_tail) return;
  Pending pending;
  pending.kind = OpKind::kFence;
  pending.bits = static_cast<std::uint8_t>(order) & kOrderMask;
  pending.location = location_of(pc);
  point(pending);
  record_pending(0, 0);
}

void func_entry(std::uintptr_t caller_pc, std::uintptr_t frame) {
  if (g.in_control) g.current->calls.push(caller_pc, frame);
}
void func_exit(std::uintptr_t frame) {
  if (g.in_control) g.current->calls.pop(frame);
}

void annotate_acquire(std::uintptr_t address, std::uintptr_t pc) {
  if (!recording()) return;
  record(OpKind::kAtomicLoad, __ATOMIC_ACQUIRE, 1, address, location_of(pc), 0);
}
void annotate_release(std::uintptr_t address, std::uintptr_t pc) {
  if (!recording()) return;
  record(OpKind::kAtomicRmw, __ATOMIC_RELEASE, 1, address, location_of(pc), 0);
}

bool weak_cas_fails(const AtomicOp& op) {
  if (g_tail) return false;
  failed_for_nothing = fault_happens(kFaultWeakCas, location_of(op.pc));
  return failed_for_nothing;
}

}  // namespace ravel::rt
