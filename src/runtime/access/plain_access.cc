// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain accesses: which of them are recorded, and which are scheduling points.
//
// plain_access_of() is the hot path: an access of the program's own code to an object that was accessed before, no
// point, nobody waiting for anything. It makes no calls, so that nothing has to be kept across one; whatever is out of
// the ordinary goes to access_slow_path(), which does the same for all cases.
#include "runtime/access/access_api.h"
#include "runtime/access/access_common.h"
#include "runtime/record/objects.h"
#include "runtime/record/points.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/heap_check.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/state/locations.h"

namespace ravel::rt {

namespace {

constexpr std::uint16_t kFilteredSize = 16;

__attribute__((noinline)) std::uint8_t pass_point(VirtualThread& self, OpKind kind, std::uint16_t size,
                                                  std::uintptr_t address, LocationId location) {
  announce(self, kind, 0, size, address, location);
  point_here();
  check_alive(address, kind, size, location);  // others have run in the meantime
  return with_scheduling_bits(self, 0);
}

// For metrics; no other thread is there to care.
void record_alone(VirtualThread& self, OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address,
                  LocationId location) {
  append_event(self, kind, bits, size, place_of_address(address), location, 0);
}

__attribute__((noinline)) void access_slow_path(std::uintptr_t address, std::uint32_t bytes, bool write,
                                                std::uintptr_t pc, std::uint8_t bits = 0) {
  VirtualThread& self = *g.current;
  const auto size = static_cast<std::uint16_t>(bytes > 0xffff ? 0xffff : bytes);
  const LocationId location = location_of(pc);
  const OpKind kind = write ? OpKind::kWrite : OpKind::kRead;
  self.accessing = location;
  const bool point = is_plain_point(location);
  fill_in_plain_write();
  settle_quiet_accesses(self);
  if (__builtin_expect(g_filter.overdue, 0)) {
    count_quiet_accesses();
  } else if (!point && size <= kFilteredSize && is_known_access(address, size, write, self.stamp) &&
             pass_quietly(address, write)) {
    return;
  }
  const bool watch_read = !write && size <= kWordBytes;
  // At a point others may still come first: checked behind it.
  if (!point || g_tail) check_alive(address, kind, bytes, location);
  if (g_tail) {
    if (g.block->plan.record_also == RecordAlso::kAccesses && !has_begun(g.exit)) {
      record_alone(self, kind, bits, size, address, location);
    }
    return;
  }
  if (write) {
    if (!on_own_stack(address)) self.spin.progress();
  } else if (watch_read && self.spin.active() && !(point && is_freed(address)) &&
             is_skipped(self, address, size, location, kind)) {
    return;
  }
  if (point) {
    bits |= pass_point(self, kind, size, address, location);
    if (g.block->plan.record_steps != 0) set_operand(write && size <= kWordBytes ? peek(address, size) : 0);
  } else {
    count_unscheduled_event();
  }
  const std::uint64_t value = watch_read ? peek(address, size) : 0;
  Event& event = append_event(self, kind, bits, size, place_of_address(address), location, value);
  if (!point && size <= kFilteredSize) {
    remember_access(address, size, write, self.stamp);
  } else {
    forget_accesses(address, size);
  }
  if (write) {
    if (size <= kWordBytes && (size & (size - 1)) == 0) remember_plain_write(event, address, size);
  } else if (watch_read) {
    // A spin on plain memory starts with a read: keep an eye on it from here on.
    if (!self.spin.active()) (void)self.spin.before_read(address, size, value, location);
    self.spin.after_read(address, size, value, location);
  }
}

template <std::uint32_t kBytes>
struct WordOf {
  using Type = std::uint64_t;
};
template <>
struct WordOf<1> {
  using Type = std::uint8_t;
};
template <>
struct WordOf<2> {
  using Type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using Type = std::uint32_t;
};

// What memory it is.
enum class Where : std::uint8_t {
  kFiltered,    // heap or stacks
  kOther,       // anything else, while those are filtered
  kUnfiltered,  // any, in an execution in which nothing is
};

template <std::uint32_t kBytes, bool kWrite>
void look_at_unfiltered(std::uintptr_t address, std::uintptr_t pc);

// The first access of a function: its place in the tree of calls, then the same again.
template <std::uint32_t kBytes, bool kWrite, Where kWhere>
void look_up_context(std::uintptr_t address, std::uintptr_t pc);

// A point that is not a quick one, another thread's stack, or an access that the filter cannot answer.
template <std::uint32_t kBytes, Where kWhere>
__attribute__((always_inline)) inline bool needs_close_look(const VirtualThread& self, std::uintptr_t address,
                                                            LocationId location, bool point, bool own_stack) {
  constexpr bool kFiltered = kWhere == Where::kFiltered;
  constexpr bool kMayBeStack = kWhere != Where::kOther;
  if (kWhere == Where::kUnfiltered ? point && !is_quick_point(self)
                                   : __builtin_expect(g_filter.points, 0) && may_be_listed_point(location)) {
    return true;
  }
  return (kMayBeStack && !own_stack && in_stacks(address)) ||
         (kFiltered && (g_filter.overdue || (kBytes >= 4 ? address % kBytes != 0 : address % 8 + kBytes > 8)));
}

// Plans by step: what stands there before a write that is a point.
template <std::uint32_t kBytes, bool kWrite>
__attribute__((always_inline)) inline void note_operand(std::uintptr_t address, bool point) {
  const std::uint64_t before = kWrite ? *reinterpret_cast<const volatile typename WordOf<kBytes>::Type*>(address) : 0;
  g.block->operands[g_recorder.written & (kRingEvents - 1)] = point ? before : kNoPoint;
}

// All of it. In cells no access begins before its object: that would be two of them, see needs_close_look().
template <std::uint32_t kBytes, bool kFiltered>
__attribute__((always_inline)) inline bool in_object(std::uintptr_t offset, const RecentObject& recent) {
  return offset + (kBytes - 1) < recent.bytes && (kFiltered || offset < recent.bytes);
}

template <std::uint32_t kBytes, bool kWrite>
__attribute__((always_inline)) inline void remember(std::uintptr_t address, std::uint64_t stamp) {
  const std::uintptr_t offset = address - kFilteredFrom;
  if constexpr (kBytes >= 4) {
    remember_words(offset, word_bits(address, kBytes, kWrite), stamp);
  } else {
    remember_in_cell(offset, filter_bits(address, kBytes, kWrite), stamp);
  }
}

// In one cell, aligned if it is a word or two. What is known of whole words is entered by bytes when these are asked
// for.
template <std::uint32_t kBytes, bool kWrite>
__attribute__((always_inline)) inline bool is_known(std::uintptr_t address, std::uint64_t stamp) {
  const std::uintptr_t offset = address - kFilteredFrom;
  if (kBytes < 4 && holds(filter_entry(offset), filter_bits(address, kBytes, kWrite), stamp)) return true;
  if (!holds(word_entry(offset), word_bits(address, kBytes, kWrite), stamp)) return false;
  if (kBytes < 4) remember<kBytes, kWrite>(address, stamp);
  return true;
}

// The common case.
template <std::uint32_t kBytes, bool kWrite, Where kWhere>
__attribute__((always_inline)) inline void look_at_access(std::uintptr_t address, std::uintptr_t pc) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr bool kFiltered = kWhere == Where::kFiltered;
  constexpr bool kMayBeStack = kWhere != Where::kOther;
  constexpr FastPath kUsual = kWhere == Where::kUnfiltered ? FastPath::kUnfiltered : FastPath::kFiltered;
  VirtualThread& self = *g.current;
  const std::uintptr_t in_code = pc - g_executable.base;
  const auto location = static_cast<LocationId>(in_code);
  const RecentObject& recent = recent_object(address);
  const std::uintptr_t offset = address - recent.base;
  const bool ordinary = in_code < g_executable.bytes && in_object<kBytes, kFiltered>(offset, recent) &&
                        g_filter.fast_path == kUsual && g_same_thread_events < kFairEvents - 1 &&
                        (kBytes == kWordBytes || address % kPage <= kPage - kWordBytes);
  if (__builtin_expect(!ordinary, 0)) {
    const bool unfiltered = kWhere == Where::kOther && g_filter.fast_path == FastPath::kUnfiltered;
    return unfiltered ? look_at_unfiltered<kBytes, kWrite>(address, pc) : access_slow_path(address, kBytes, kWrite, pc);
  }
  if (__builtin_expect(!self.calls.context_is_known(), 0)) return look_up_context<kBytes, kWrite, kWhere>(address, pc);
  // Points are out of the ordinary where there are few of them.
  const bool point = kWhere == Where::kUnfiltered && is_plain_point(location);
  const bool own_stack = kMayBeStack && address - self.stack_low < self.stack_bytes;
  if (needs_close_look<kBytes, kWhere>(self, address, location, point, own_stack)) {
    return access_slow_path(address, kBytes, kWrite, pc);
  }
  self.accessing = location;
  settle_quiet_accesses(self);
  std::uint64_t value = 0;
  if constexpr (!kWrite) {
    if (!self.spin.is_new(address)) return access_slow_path(address, kBytes, kWrite, pc);
    value = *reinterpret_cast<const volatile typename WordOf<kBytes>::Type*>(address);
  }
  fill_in_plain_write();
  if (kFiltered && is_known<kBytes, kWrite>(address, self.stamp) && pass_quietly(address, kWrite)) return;
  if (!point) ++g_same_thread_events;
  if constexpr (kWrite) {
    if (!own_stack && self.spin.active()) self.spin.progress();
  } else {
    self.spin.first_read(address, kBytes, value, location);
  }
  const std::uint8_t chosen = point ? pass_quick_point(self) : 0;
  if (kWhere == Where::kUnfiltered && g.block->plan.record_steps != 0) note_operand<kBytes, kWrite>(address, point);
  Event& event = next_event();
  const Place place = {recent.object, static_cast<std::uint32_t>(offset)};
  const bool check = put_event(self, event, kWrite ? OpKind::kWrite : OpKind::kRead, chosen, kBytes, place, location,
                               self.calls.known_context(), value);
  if (kFiltered) remember<kBytes, kWrite>(address, self.stamp);
  if (kWrite) {
    g_open_write = {&event, address, 0, ~std::uint64_t{0} >> (64 - 8 * kBytes)};
    g_filter.stamp = kNoStamp;
  }
  if (__builtin_expect(check, 0)) {
    // The execution may end here: this is what the thread was at.
    if (point) announce(self, kWrite ? OpKind::kWrite : OpKind::kRead, 0, kBytes, address, location);
    check_after_event();
  }
}

template <std::uint32_t kBytes, bool kWrite>
__attribute__((noinline)) void look_at_unfiltered(std::uintptr_t address, std::uintptr_t pc) {
  look_at_access<kBytes, kWrite, Where::kUnfiltered>(address, pc);
}

template <std::uint32_t kBytes, bool kWrite, Where kWhere>
__attribute__((noinline)) void look_up_context(std::uintptr_t address, std::uintptr_t pc) {
  (void)g.current->calls.context();
  // Of too deep a stack it is never known.
  if (!g.current->calls.context_is_known()) return access_slow_path(address, kBytes, kWrite, pc);
  look_at_access<kBytes, kWrite, kWhere>(address, pc);
}

}  // namespace

void plain_access(std::uintptr_t address, std::uint32_t bytes, bool write, std::uintptr_t pc) {
  access_slow_path(address, bytes, write, pc);
}

void volatile_access(std::uintptr_t address, std::uint32_t bytes, bool write, std::uintptr_t pc) {
  const VolatileMode mode = g.block->plan.volatiles;
  if (mode == VolatileMode::kPlain || bytes > kWordBytes || address % bytes != 0) {
    return access_slow_path(address, bytes, write, pc, kVolatile);
  }
  const int order = mode == VolatileMode::kRelaxed ? __ATOMIC_RELAXED : write ? __ATOMIC_RELEASE : __ATOMIC_ACQUIRE;
  atomic_access({write ? OpKind::kAtomicStore : OpKind::kAtomicLoad, static_cast<std::uint8_t>(order),
                 static_cast<std::uint16_t>(bytes), address, pc});
}

template <std::uint32_t kBytes, bool kWrite, bool kFiltered>
void plain_access_of(std::uintptr_t address, std::uintptr_t pc) {
  if constexpr (kBytes <= kWordBytes) {
    look_at_access<kBytes, kWrite, kFiltered ? Where::kFiltered : Where::kOther>(address, pc);
  } else {
    access_slow_path(address, kBytes, kWrite, pc);
  }
}
FOR_EACH_PLAIN_ACCESS(template)

}  // namespace ravel::rt
