// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain and atomic accesses as scheduling points and events.
#include "runtime/core/access_api.h"

#include <utility>

#include "runtime/core/faults.h"
#include "runtime/core/heap_check.h"
#include "runtime/core/locations.h"
#include "runtime/core/objects.h"
#include "runtime/core/points.h"
#include "runtime/core/recorder.h"
#include "runtime/core/region_functions.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/spin_point.h"

namespace ravel::rt {

bool g_watch = false;
bool g_tail = false;
std::uint64_t g_callouts = 0;

namespace {
constexpr std::uint16_t kWordBytes = 8;
constexpr std::uint16_t kFilteredSize = 16;
bool failed_for_nothing = false;  // the compare-exchange in hand, by an injected fault
bool stuttering = false;          // between atomic_begin and atomic_end of a skipped re-read
}  // namespace

namespace {

// What the accesses that were not recorded did to the thread's state.
inline void settle_quiet_accesses(VirtualThread& self) {
  if (g_filter.wrote) {
    g_filter.wrote = false;
    self.spin.progress();
  }
}

// The re-read was not a fresh one.
__attribute__((noinline)) bool skip_or_wait(SpinVerdict verdict, std::uintptr_t address, std::uint16_t size,
                                            LocationId location, OpKind kind) {
  VirtualThread& self = *g.current;
  for (;; verdict = self.spin.before_read(address, size, peek(address, size), location)) {
    switch (verdict) {
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
        pending.silent = true;
        pending.enabled = [](const VirtualThread& thread) { return thread.spin.value_changed(); };
        wait_spinning(pending);
        self.spin.resume();
        self.spun = true;
        break;  // look again: the value may be another one now
      }
    }
  }
}

inline bool is_skipped(VirtualThread& self, std::uintptr_t address, std::uint16_t size, LocationId location,
                       OpKind kind) {
  const SpinVerdict verdict = self.spin.before_read(address, size, peek(address, size), location);
  return verdict != SpinVerdict::kFresh && skip_or_wait(verdict, address, size, location, kind);
}

inline void announce(VirtualThread& self, OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address,
                     LocationId location) {
  Pending& pending = self.pending;
  pending.kind = kind;
  pending.bits = bits;
  pending.size = size;
  pending.location = location;
  pending.address = address;
  pending.value = 0;
  pending.enabled = nullptr;
  pending.deadline = kNever;
  pending.may_wake_spuriously = false;
  pending.spinning = false;
  pending.silent = false;
}

inline std::uint8_t with_scheduling_bits(VirtualThread& self, std::uint8_t bits) {
  const bool waited = self.had_to_wait || self.spun;
  self.spun = false;
  return static_cast<std::uint8_t>(bits | (waited ? kHadToWait : 0) | (self.chosen ? kChosen : 0));
}

__attribute__((noinline)) std::uint8_t pass_point(VirtualThread& self, OpKind kind, std::uint16_t size,
                                                  std::uintptr_t address, LocationId location) {
  announce(self, kind, 0, size, address, location);
  point_here();
  check_alive(address, kind, size, location);  // others have run meanwhile
  return with_scheduling_bits(self, 0);
}

}  // namespace

bool skip_unchanged_read(std::uintptr_t address, std::uint16_t size, LocationId location, OpKind kind) {
  settle_quiet_accesses(*g.current);
  return is_skipped(*g.current, address, size, location, kind);
}

namespace {
// Made once for each width, so that nothing of it is decided at run time.
__attribute__((always_inline)) inline void look_at_access(std::uintptr_t address, std::uint32_t bytes, bool write,
                                                          std::uintptr_t pc) {
  VirtualThread& self = *g.current;
  const auto size = static_cast<std::uint16_t>(bytes > 0xffff ? 0xffff : bytes);
  const LocationId location = location_of(pc);
  const OpKind kind = write ? OpKind::kWrite : OpKind::kRead;
  self.accessing = location;
  const bool point = is_plain_point(location);
  const bool was_open = g_open_write.event != nullptr;
  fill_in_plain_write();
  settle_quiet_accesses(self);
  if (__builtin_expect(g_filter.quiet[quiet_counter(address)] >= kQuietAccesses, 0)) {
    count_quiet_accesses();
  } else if ((was_open || g_filter.points) && !point && size <= kFilteredSize &&
             is_known_access(address, size, write) && pass_quietly(address, write)) {
    return;
  }
  const bool watch_read = !write && size <= kWordBytes;
  check_alive(address, kind, bytes, location);
  if (g_tail) return;
  if (write) {
    if (!on_own_stack(address)) self.spin.progress();
  } else if (watch_read && self.spin.active() && is_skipped(self, address, size, location, kind)) {
    return;
  }
  std::uint8_t bits = 0;
  if (point) {
    bits = pass_point(self, kind, size, address, location);
    if (g.block->plan.by_step != 0) set_operand(write && size <= kWordBytes ? peek(address, size) : 0);
  } else {
    count_unscheduled_event();
  }
  const std::uint64_t value = watch_read ? peek(address, size) : 0;
  append_event(self, kind, bits, size, place_of_address(address), location, value);
  if (!point && size <= kFilteredSize) {
    remember_access(address, size, write, self.stamp);
  } else {
    forget_accesses(address, size);
  }
  if (write) {
    remember_plain_write(address, size);
  } else if (watch_read && !self.spin.active()) {
    // A spin on plain memory starts with a read: keep an eye on it from here on.
    (void)self.spin.before_read(address, size, value, location);
  }
}
}  // namespace

void plain_access(std::uintptr_t address, std::uint32_t bytes, bool write, std::uintptr_t pc) {
  look_at_access(address, bytes, write, pc);
}

template <std::uint32_t kBytes, bool kWrite>
void plain_access_of(std::uintptr_t address, std::uintptr_t pc) {
  look_at_access(address, kBytes, kWrite, pc);
}
FOR_EACH_PLAIN_ACCESS(template)

void atomic_begin(const AtomicOp& op) {
  VirtualThread& self = *g.current;
  const LocationId location = location_of(op.pc);
  self.accessing = location;
  stuttering = false;
  fill_in_plain_write();
  settle_quiet_accesses(self);
  check_alive(op.address, op.kind, op.size, location);
  if (g_tail) return;
  if (op.kind != OpKind::kAtomicStore && op.size <= kWordBytes &&
      is_skipped(self, op.address, op.size, location, op.kind)) {
    stuttering = true;
    return;
  }
  announce(self, op.kind, op.order & kOrderMask, op.size, op.address, location);
  point_here();
  check_alive(op.address, op.kind, op.size, location);
}

void atomic_end(const AtomicOp& op, std::uint64_t value, std::uint64_t operand, bool failed, bool content_changed) {
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
    announce(self, op.kind, 0, op.size, op.address, location_of(op.pc));
  }
  if (wrote && (content_changed || op.kind == OpKind::kAtomicStore)) self.spin.progress();
  // A failed compare-exchange has an order of its own.
  self.pending.bits = op.order & kOrderMask;
  set_operand(operand);
  const auto bits = static_cast<std::uint8_t>(self.pending.bits | (failed ? kFailed : 0) | why);
  append_event(self, op.kind, with_scheduling_bits(self, bits), op.size, place_of_address(op.address),
               self.pending.location, value);
  forget_accesses(op.address, op.size);
  begin_stretch(self);
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
  if (__builtin_expect(g_region_functions, 0)) enter_function(inside);
}
void func_exit(std::uintptr_t frame, std::uintptr_t returns_to) {
  if (!g.in_control) return;
  g.current->calls.pop(frame, returns_to);
  if (__builtin_expect(g_region_functions, 0)) leave_function();
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
