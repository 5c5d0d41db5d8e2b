// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/held_at_exit.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {

void HeldAtExit::look_at_end(const Event& e, const Moment& at) {
  for (const LockHold& lock : locks_.of(e.thread)) {
    DetectionRecord found;
    found.kind = OutcomeKind::kMisuse;
    found.detector = static_cast<std::uint8_t>(DetectorId::kHeldAtExit);
    found.roles = 2;
    found.role[0] = {lock.taken, lock.sequence};
    found.role[1] = {e, at.sequence};
    found.key = hash_combine(detector_bit(DetectorId::kHeldAtExit), lock.taken.location);
    sink_.on_detection(found);
  }
}

}  // namespace ravel
