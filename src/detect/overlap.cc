// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/overlap.h"

#include "detect/race_report.h"

namespace ravel {

void Overlap::on_event(const Event& e, const Moment& at) {
  const AccessClass cls = access_class(e);
  if (cls != AccessClass::kNone) {
    PastAccess now;
    now.event = e;
    now.sequence = at.sequence;
    now.cls = cls;
    history_.access(now, [&](const PastAccess& old) {
      if (!conflict(old.cls, cls)) return;
      if (!quiet_since(old.event.thread, old.sequence) || !quiet_since(e.thread, old.sequence)) return;
      report_race_pair(sink_, DetectorId::kOverlap, old, e, at.sequence);
    });
  }
  const OpClass group = op_class(e.kind);
  const bool plain = group == OpClass::kPlain || group == OpClass::kHeap || group == OpClass::kInternal;
  if (plain || e.thread >= synchronised_.capacity()) return;
  std::uint64_t* last = synchronised_.find(e.thread);
  if (last == nullptr) last = &synchronised_.insert(e.thread, 0);
  *last = at.sequence;
}

}  // namespace ravel
