// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/double_checked.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/effects.h"

namespace ravel {

void DoubleChecked::on_event(const Event& e, const Moment& at) {
  if (!is_memory_access(e.kind)) return;
  const bool writes = has_write_effect(e.kind, e.bits);
  const bool locked = !locks_.of(e.thread).empty();
  // Only what is looked at without a lock can become a guard.
  std::uint32_t number = index_.find(place_of(e));
  if (number == 0) {
    if (writes || locked) return;
    std::uint32_t* fresh = index_.claim(place_of(e));
    if (fresh != nullptr) *fresh = number = places_.add(Place{});
    if (number == 0) {
      truncated_ = true;
      return;
    }
  }
  Place& place = places_[number];
  const std::uint64_t bit = std::uint64_t{1} << (e.thread % 64);
  if (writes) {
    place.guard = !place.guard && place.again == e.thread && locked;  // set once; else it is another protocol
    place.write = {e, at.sequence};
    place.epoch = at.epoch;
    return;
  }
  if (!place.guard) {
    if (!locked) {
      place.looked |= bit;
    } else if ((place.looked & bit) != 0) {
      place.again = e.thread;
    }
    return;
  }
  const bool acquires = is_atomic_access(e.kind) && is_acquire(e.order());
  if (locked || acquires || e.thread == place.write.event.thread || causality_.ordered(place.epoch)) return;
  if (causality_.exhausted()) return;
  DetectionRecord found;
  found.kind = OutcomeKind::kOrderViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kDoubleChecked);
  found.roles = 2;
  found.role[0] = place.write;
  found.role[1] = {e, at.sequence};
  found.key =
      hash_combine(hash_combine(detector_bit(DetectorId::kDoubleChecked), place.write.event.location), e.location);
  sink_.on_detection(found);
}

}  // namespace ravel
