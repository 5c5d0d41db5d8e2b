// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/unchecked_wait.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {

static_assert(WaitLooks::kMost <= 64, "bits of Passed::looked_at");

UncheckedWait::UncheckedWait(std::pmr::memory_resource& memory, const Services& services)
    : sink_(services.sink), looks_(memory, services.locks), open_(memory, kMaxThreads), passed_(memory, kMaxPassed) {}

void UncheckedWait::begin(const TraceView&) {
  looks_.begin();
  open_.clear();
  passed_.clear();
  last_ = 0;
  truncated_ = false;
}

void UncheckedWait::on_event(const Event& e, const Moment& at) {
  std::uint32_t* open = open_.find(e.thread);
  if (open != nullptr && *open != 0) {
    Passed& passed = passed_[*open];
    const bool leaves = (e.kind == OpKind::kMutexUnlock && place_of(e) == passed.wait.event.value) ||
                        e.kind == OpKind::kCondWait || e.kind == OpKind::kThreadEnd;
    if (leaves) {
      passed.next = {e, at.sequence};
      *open = 0;
    } else if (WaitLooks::reads(e)) {
      for (std::uint32_t i = 0; i < passed.wait.count; ++i) {
        if (WaitLooks::overlaps(passed.wait.look[i], e)) passed.looked_at |= std::uint64_t{1} << i;
      }
    }
  }
  if (e.kind == OpKind::kCondReacquire && (e.bits & kTimeout) == 0) {
    const WaitLooks::Wait* wait = looks_.of(e.thread);
    const std::uint32_t added = wait == nullptr ? 0 : passed_.add(Passed{*wait, {e, at.sequence}, RoleRecord{}, 0});
    if (added != 0) {
      last_ = added;
      if (open != nullptr)
        *open = added;
      else if (e.thread < open_.capacity())
        open_.insert(e.thread, added);
    } else {
      truncated_ = true;
    }
  }
  looks_.on_event(e, at.sequence);
}

void UncheckedWait::judge(const Passed& passed) {
  if (passed.next.event.kind == OpKind::kNone || !passed.wait.all_known) return;
  bool predicate = false;
  for (std::uint32_t i = 0; i < passed.wait.count; ++i) {
    if (!looks_.written_by_others(passed.wait.look[i], passed.wait.event.thread)) continue;
    predicate = true;
    if ((passed.looked_at >> i & 1) != 0) return;
  }
  DetectionRecord found;
  found.kind = OutcomeKind::kLostSignal;
  found.detector = static_cast<std::uint8_t>(DetectorId::kUncheckedWait);
  found.variant = predicate ? kNoLoop : kNoPredicate;
  found.roles = 3;
  found.role[0] = {passed.wait.event, passed.wait.sequence};
  found.role[1] = passed.woken;
  found.role[2] = passed.next;
  found.key =
      hash_combine(hash_combine(detector_bit(DetectorId::kUncheckedWait), found.variant), passed.wait.event.location);
  sink_.on_detection(found);
}

void UncheckedWait::finish(const TraceView& trace) {
  const ExecutionResult& result = *trace.result;
  (void)result;
  if (looks_.truncated()) return;
  for (std::uint32_t i = 1; i <= last_; ++i) judge(passed_[i]);
}

}  // namespace ravel
