// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/dead_stack.h"

#include "base/hash.h"
#include "detect/access_class.h"
#include "detect/detector_table.h"

namespace ravel {

DeadStack::DeadStack(std::pmr::memory_resource& memory, const Services& services)
    : sink_(services.sink), ended_(memory, kMaxThreads), ends_(memory, kMaxEnds) {}

void DeadStack::begin(const TraceView& trace) {
  objects_ = trace.objects;
  ended_.clear();
  ends_.clear();
  some_ended_ = truncated_ = false;
}

void DeadStack::on_event(const Event& e, const Moment& at) {
  if (objects_.empty()) return;  // a hand-written trace
  if (e.kind == OpKind::kThreadEnd) {
    const std::uint32_t added = e.thread < ended_.capacity() ? ends_.add(RoleRecord{e, at.sequence}) : 0;
    truncated_ = truncated_ || added == 0;
    if (added != 0) ended_.insert(e.thread, added);
    some_ended_ = true;
    return;
  }
  if (!some_ended_ || access_class(e) == AccessClass::kNone || e.object >= objects_.size()) return;
  const ObjectRecord& object = objects_[e.object];
  if (object.kind != ObjectKind::kStack || object.owner == e.thread) return;
  const std::uint32_t* end = ended_.find(object.owner);
  if (end == nullptr) return;
  DetectionRecord found;
  found.kind = OutcomeKind::kUseAfterFree;
  found.detector = static_cast<std::uint8_t>(DetectorId::kDeadStack);
  found.roles = 2;
  found.role[0] = {e, at.sequence};
  found.role[1] = ends_[*end];
  found.key = hash_combine(detector_bit(DetectorId::kDeadStack), e.location);
  sink_.on_detection(found);
}

}  // namespace ravel
