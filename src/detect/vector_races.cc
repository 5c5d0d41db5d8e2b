// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/vector_races.h"

#include "detect/race_report.h"

namespace ravel {

void VectorRaces::on_event(const Event& e, const Moment& at) {
  const AccessClass cls = access_class(e);
  if (cls == AccessClass::kNone) return;
  PastAccess now;
  now.event = e;
  now.sequence = at.sequence;
  now.epoch = at.epoch;
  now.cls = cls;
  history_.access(now, [&](const PastAccess& old) {
    if (!conflict(old.cls, cls) || causality_.ordered(old.epoch)) return;
    if (causality_.exhausted()) {
      exhausted_ = true;
      return;
    }
    report_race_pair(sink_, DetectorId::kVectorClock, old, e, at.sequence);
  });
}

}  // namespace ravel
