// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/atomic_sets.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {
namespace {

bool writes(const RoleRecord& role) {
  return role.event.kind == OpKind::kWrite;
}

// Of one member: index by whether first, between and last write; 0xff: serialisable.
constexpr std::uint8_t kSerial = 0xff;
constexpr std::uint8_t kOfOne[8] = {
    kSerial,  // R r R
    kSerial,  // R r W
    1,        // R w R
    0,        // R w W
    kSerial,  // W r R
    2,        // W r W
    3,        // W w R
    4,        // W w W
};

}  // namespace

void AtomicSets::on_event(const Event& e, const Moment& at) {
  if (e.kind == OpKind::kRegionBegin || e.kind == OpKind::kRegionEnd) return region(e, at);
  if (active_ != 0 && (e.kind == OpKind::kRead || e.kind == OpKind::kWrite)) access({e, at.sequence});
}

void AtomicSets::region(const Event& e, const Moment& at) {
  std::uint32_t* number = of_.find(e.thread);
  if (number == nullptr) {
    if (e.thread >= of_.capacity()) {
      truncated_ = true;
      return;
    }
    number = &of_.insert(e.thread, 0);
  }
  if (e.kind == OpKind::kRegionEnd) {
    if (*number == 0 || --units_[*number].depth != 0) return;
    for (std::uint32_t i = 0; i < active_; ++i) {
      if (list_[i] == *number) list_[i] = list_[--active_];
    }
    units_.remove(*number);
    *number = 0;
    return;
  }
  if (*number == 0) {
    Unit fresh;
    fresh.number = ++next_unit_;
    fresh.begin = {e, at.sequence};
    *number = units_.add(fresh);
    if (*number == 0) {
      truncated_ = true;
      return;
    }
    list_[active_++] = *number;
  }
  ++units_[*number].depth;
}

void AtomicSets::access(const RoleRecord& now) {
  const std::uint32_t* own = of_.find(now.event.thread);
  const std::uint32_t mine = own == nullptr ? 0 : *own;
  const std::uint64_t unit_number = mine == 0 ? ++next_unit_ : units_[mine].number;
  for (std::uint32_t i = 0; i < active_; ++i) {
    Unit& unit = units_[list_[i]];
    if (list_[i] == mine) {
      check(unit, now);
      if (unit.own == kMost) {
        truncated_ = true;
      } else {
        unit.access[unit.own++] = now;
      }
    } else if (unit.own != 0 && unit.begin.event.thread != now.event.thread) {
      if (unit.others == kMost) {
        truncated_ = true;
      } else {
        unit.other[unit.others++] = {now, unit_number};
      }
    }
  }
}

void AtomicSets::check(const Unit& unit, const RoleRecord& now) {
  for (std::uint32_t i = 0; i < unit.own; ++i) {
    const RoleRecord& first = unit.access[i];
    if (first.event.object != now.event.object || now.event.object == 0) continue;
    if (first.event.offset == now.event.offset) {
      check_one(unit, first, now);
    } else if (writes(first) == writes(now)) {
      check_two(unit, first, now);
    }
  }
}

void AtomicSets::check_one(const Unit& unit, const RoleRecord& first, const RoleRecord& now) {
  for (std::uint32_t i = 0; i < unit.others; ++i) {
    const RoleRecord& between = unit.other[i].role;
    if (between.sequence < first.sequence || place_of(between.event) != place_of(now.event)) continue;
    const unsigned which = (writes(first) ? 4u : 0u) | (writes(between) ? 2u : 0u) | (writes(now) ? 1u : 0u);
    if (kOfOne[which] != kSerial) report(unit, kOfOne[which], first, between, nullptr, now);
  }
}

void AtomicSets::check_two(const Unit& unit, const RoleRecord& first, const RoleRecord& now) {
  const std::uint64_t one = place_of(first.event);
  const std::uint64_t two = place_of(now.event);
  for (std::uint32_t i = 0; i < unit.others; ++i) {
    const Foreign& a = unit.other[i];
    if (a.role.sequence < first.sequence) continue;
    const std::uint64_t place = place_of(a.role.event);
    if (place != one && place != two) continue;
    for (std::uint32_t j = i + 1; j < unit.others; ++j) {
      const Foreign& b = unit.other[j];
      if (b.unit != a.unit || place_of(b.role.event) != (place == one ? two : one)) continue;
      if (writes(a.role) != writes(b.role) || (!writes(first) && !writes(a.role))) continue;
      const unsigned group = !writes(first) ? 9 : writes(a.role) ? 5 : 7;
      report(unit, static_cast<std::uint8_t>(group + (place == one ? 0 : 1)), first, a.role, &b.role, now);
    }
  }
}

void AtomicSets::report(const Unit& unit, std::uint8_t variant, const RoleRecord& first, const RoleRecord& between,
                        const RoleRecord* second, const RoleRecord& last) {
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kAtomicSets);
  found.variant = variant;
  found.role[found.roles++] = unit.begin;
  found.role[found.roles++] = first;
  found.role[found.roles++] = between;
  if (second != nullptr) found.role[found.roles++] = *second;
  found.role[found.roles++] = last;
  found.key = hash_combine(detector_bit(DetectorId::kAtomicSets), variant);
  for (unsigned i = 0; i < found.roles; ++i) found.key = hash_combine(found.key, found.role[i].event.location);
  sink_.on_detection(found);
}

}  // namespace ravel
