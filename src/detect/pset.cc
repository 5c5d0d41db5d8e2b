// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/pset.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/effects.h"

namespace ravel {

void Pset::on_event(const Event& e, const Moment& at) {
  if (!is_memory_access(e.kind)) return;
  std::uint32_t* number = index_.claim(place_of(e));
  if (number != nullptr && *number == 0) *number = places_.add(Place{});
  if (number == nullptr || *number == 0) {
    truncated_ = true;
    return;
  }
  Place& place = places_[*number];
  const bool writes = has_write_effect(e.kind, e.bits);
  const RoleRecord before = writes ? place.access : place.write;
  place.access = {e, at.sequence};
  if (writes) place.write = place.access;
  if (before.event.kind == OpKind::kNone || before.event.thread == e.thread) return;
  DetectionRecord found;
  found.key = hash_combine(hash_combine(detector_bit(DetectorId::kPset), before.event.location), e.location);
  std::uint32_t* told = told_.claim(found.key);
  if (told == nullptr) {
    truncated_ = true;
    return;
  }
  if (*told != 0) return;
  *told = 1;
  found.kind = OutcomeKind::kOrderViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kPset);
  found.roles = 2;
  found.role[0] = before;
  found.role[1] = {e, at.sequence};
  sink_.on_detection(found);
}

}  // namespace ravel
