// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/nested_wait.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {

void NestedWait::look_at_wait(const Event& e, const Moment& at) {
  for (const LockHold& lock : locks_.of(e.thread)) {  // the lock of the wait has been given back already
    DetectionRecord found;
    found.kind = OutcomeKind::kBlockedThread;
    found.detector = static_cast<std::uint8_t>(DetectorId::kNestedWait);
    found.roles = 2;
    found.role[0] = {e, at.sequence};
    found.role[1] = {lock.taken, lock.sequence};
    found.key = hash_combine(hash_combine(detector_bit(DetectorId::kNestedWait), e.location), lock.taken.location);
    sink_.on_detection(found);
  }
}

}  // namespace ravel
