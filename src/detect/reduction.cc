// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/reduction.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/effects.h"

namespace ravel {

void LiptonReduction::on_event(const Event& e, const Moment& at) {
  const RoleRecord now{e, at.sequence};
  Region* region = regions_.find(e.thread);
  if (e.kind == OpKind::kRegionBegin) {
    if (region == nullptr) {
      if (e.thread >= regions_.capacity()) return;
      region = &regions_.insert(e.thread, Region{});
    }
    if (region->depth++ == 0) {
      region->committed = false;
      region->begin = now;
    }
    return;
  }
  if (region == nullptr || region->depth == 0) return;
  switch (e.kind) {
    case OpKind::kRegionEnd:
      --region->depth;
      return;
    case OpKind::kMutexUnlock:
    case OpKind::kRwUnlock:
    case OpKind::kCondWait:
      commit(*region, now);
      return;
    default:
      break;
  }
  if (is_atomic_access(e.kind)) {
    if (region->committed) report(*region, now, 1);
    commit(*region, now);
  } else if (op_class(e.kind) == OpClass::kSync && locks_.just_taken() != nullptr && region->committed) {
    report(*region, now, 0);
  }
}

void LiptonReduction::commit(Region& region, const RoleRecord& by) {
  if (region.committed) return;
  region.committed = true;
  region.commit = by;
}

void LiptonReduction::report(const Region& region, const RoleRecord& now, std::uint8_t variant) {
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kReduction);
  found.variant = variant;
  found.roles = 3;
  found.role[0] = region.begin;
  found.role[1] = region.commit;
  found.role[2] = now;
  found.key = detector_bit(DetectorId::kReduction);
  for (unsigned i = 0; i < found.roles; ++i) found.key = hash_combine(found.key, found.role[i].event.location);
  sink_.on_detection(found);
}

}  // namespace ravel
