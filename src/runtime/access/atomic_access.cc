// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomic accesses as scheduling points and events, and what else the compiler calls out for.
#include "runtime/access/access_api.h"

#include <utility>

#include "runtime/access/access_common.h"
#include "runtime/access/quick_atomic.h"
#include "runtime/record/function_regions.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/heap_check.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/locations.h"

namespace ravel::rt {

namespace {
bool failed_for_nothing = false;  // the compare-exchange in hand, by an injected fault
bool stuttering = false;          // between atomic_begin and atomic_end of a skipped re-read
}  // namespace

void atomic_begin(const AtomicOp& op) {
  VirtualThread& self = *g.current;
  const LocationId location = location_of(op.pc);
  self.accessing = location;
  stuttering = false;
  fill_in_plain_write();
  settle_quiet_accesses(self);
  if (g_tail) return check_alive(op.address, op.kind, op.size, location);
  // Freed memory is used behind the point: others may still come first.
  if (op.kind != OpKind::kAtomicStore && op.size <= kWordBytes && !is_freed(op.address) &&
      is_skipped(self, op.address, op.size, location, op.kind)) {
    stuttering = true;
    return;
  }
  announce(self, op.kind, op.order & kOrderMask, op.size, op.address, location);
  point_here();
  check_alive(op.address, op.kind, op.size, location);
}

void atomic_end(const AtomicOp& op, std::uint64_t value, std::uint64_t operand, bool failed, bool content_changed) {
  VirtualThread& self = *g.current;
  if (g_tail) {
    if (g.block->plan.record_also != RecordAlso::kNothing && !has_begun(g.exit)) {
      const auto bits = static_cast<std::uint8_t>((op.order & kOrderMask) | (failed ? kFailed : 0));
      append_event(self, op.kind, bits, op.size, place_of_address(op.address), location_of(op.pc), value);
    }
    return;
  }
  const std::uint8_t why = std::exchange(failed_for_nothing, false) ? kSpurious : 0;
  const bool wrote = op.kind != OpKind::kAtomicLoad && !failed;
  if (stuttering && !content_changed && !(wrote && op.kind == OpKind::kAtomicCas)) {
    stuttering = false;
    return;
  }
  if (stuttering) {
    // The re-read changed something after all (a compare-exchange that succeeded): it is an ordinary operation.
    stuttering = false;
    announce(self, op.kind, 0, op.size, op.address, location_of(op.pc));
  }
  if (wrote && (content_changed || op.kind == OpKind::kAtomicStore)) {
    self.spin.progress();
  } else if (op.size <= kWordBytes) {
    self.spin.after_read(op.address, op.size, peek(op.address, op.size), self.pending.location);
  }
  // A failed compare-exchange has an order of its own.
  self.pending.bits = op.order & kOrderMask;
  set_operand(operand);
  const auto bits = static_cast<std::uint8_t>(self.pending.bits | (failed ? kFailed : 0) | why);
  append_event(self, op.kind, with_scheduling_bits(self, bits), op.size, place_of_address(op.address),
               self.pending.location, value);
  forget_accesses(op.address, op.size);
  begin_stretch(self);
}

bool pass_drawn_point(const PendingOperation& operation, Place& place) {
  VirtualThread& self = *g.current;
  if (!drawn_may_run()) return false;
  self.accessing = operation.location;
  fill_in_plain_write();
  self.pending.set(operation);
  point_to_drawn();
  check_alive(operation.address, operation.kind, operation.size, operation.location);
  place = place_of_address(operation.address);
  return true;
}

void atomic_access(const AtomicOp& op) {
  atomic_begin(op);
  const std::uint64_t before = peek(op.address, op.size);
  const bool write = op.kind == OpKind::kAtomicStore;
  atomic_end(op, before, before, false, write);
  if (!write || g_tail) return;
  Event& event = g.block->ring[(g_recorder.written - 1) & (kRingEvents - 1)];
  remember_plain_write(event, op.address, op.size);  // what it writes is known afterwards
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

void func_entry(std::uintptr_t caller_pc, std::uintptr_t frame, std::uintptr_t inside) {
  if (!g.in_control) return;
  g.current->calls.push(caller_pc, frame, inside);
  if (__builtin_expect(g_watched_functions, 0)) enter_function(inside);
}
void func_exit(std::uintptr_t frame, std::uintptr_t returns_to) {
  if (!g.in_control) return;
  g.current->calls.pop(frame, returns_to);
  if (__builtin_expect(g_watched_functions, 0)) leave_function();
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
