// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/predicted_signal.h"

#include "base/hash.h"
#include "detect/access_class.h"
#include "detect/detector_table.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

CausalityOptions options_of_rest() {
  CausalityOptions options;
  options.max_threads = kDetectorThreads;
  options.max_clock_nodes = 1u << 17;
  options.max_sync_places = 1u << 16;
  return options;
}

template <class T>
T* make(std::pmr::memory_resource& memory, std::uint32_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

}  // namespace

PredictedSignal::PredictedSignal(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      looks_(memory, services.locks),
      rest_(memory, options_of_rest()),
      first_lock_(memory, kDetectorThreads),
      waiting_(make<Waiting>(memory, kMostWaiting)),
      candidates_(make<Candidate>(memory, kMostCandidates)) {}

void PredictedSignal::begin(const TraceView&) {
  looks_.begin();
  rest_.begin();
  first_lock_.clear();
  waiting_count_ = candidate_count_ = 0;
  truncated_ = false;
}

// As if the thread read something nobody else uses.
Epoch PredictedSignal::present(ThreadIndex thread) {
  Event mark;
  mark.kind = OpKind::kRead;
  mark.thread = thread;
  return rest_.on_event(mark);
}

void PredictedSignal::takes_lock(const Event& e, const Moment& at) {
  const Epoch now = present(e.thread);
  for (std::uint32_t i = 0; i < waiting_count_; ++i) {
    Waiting& waiting = waiting_[i];
    const bool its_mutex = locks_.just_taken()->place == waiting.look.event.value;
    if (its_mutex && waiting.look.event.thread != e.thread && rest_.ordered(waiting.epoch, e.thread))
      waiting.forced_by = e.thread;
  }
  if (locks_.of(e.thread).size() != 1 || e.thread >= first_lock_.capacity()) return;
  FirstLock* first = first_lock_.find(e.thread);
  if (first == nullptr) first = &first_lock_.insert(e.thread, FirstLock{});
  *first = {{e, at.sequence}, now};
}

void PredictedSignal::waits(const Event& e) {
  const WaitLooks::Wait* look = looks_.of(e.thread);
  const FirstLock* lock = first_lock_.find(e.thread);
  if (look == nullptr || lock == nullptr) return;
  if (waiting_count_ == kMostWaiting) {
    truncated_ = true;
    return;
  }
  waiting_[waiting_count_++] = Waiting{*look, lock->taken, lock->epoch, RoleRecord{}, kNoThread};
}

void PredictedSignal::written(const Event& e, const Moment& at) {
  for (std::uint32_t i = 0; i < waiting_count_; ++i) {
    Waiting& waiting = waiting_[i];
    if (waiting.look.event.thread == e.thread || locks_.holds(e.thread, waiting.look.event.value)) continue;
    for (std::uint32_t k = 0; k < waiting.look.count; ++k) {
      if (WaitLooks::overlaps(waiting.look.look[k], e)) waiting.change = {e, at.sequence};
    }
  }
}

void PredictedSignal::woken(const Event& signal, const Moment& at, const Waiting& waiting) {
  if (waiting.forced_by == signal.thread) return;
  for (std::uint32_t i = 0; i < candidate_count_; ++i) {
    const Candidate& known = candidates_[i];
    if (known.signal.event.location == signal.location &&
        known.waiting.look.event.location == waiting.look.event.location)
      return;
  }
  if (candidate_count_ == kMostCandidates) {
    truncated_ = true;
    return;
  }
  candidates_[candidate_count_++] = Candidate{{signal, at.sequence}, waiting};
}

void PredictedSignal::on_event(const Event& e, const Moment& at) {
  looks_.on_event(e, at.sequence);
  const OpFamily family = family_of(e.kind);
  const bool locks = family == OpFamily::kMutex || family == OpFamily::kRw || family == OpFamily::kCond;
  if (!locks) (void)rest_.on_event(e);
  if (locks && locks_.just_taken() != nullptr) takes_lock(e, at);
  if (waiting_count_ != 0 && is_write(access_class(e))) written(e, at);
  switch (e.kind) {
    case OpKind::kCondWait:
      waits(e);
      return;
    case OpKind::kCondReacquire:
      for (std::uint32_t i = 0; i < waiting_count_; ++i) {
        if (waiting_[i].look.event.thread != e.thread) continue;
        waiting_[i] = waiting_[--waiting_count_];
        return;
      }
      return;
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      for (std::uint32_t i = 0; i < waiting_count_; ++i) {
        const Event& wait = waiting_[i].look.event;
        if (place_of(wait) != place_of(e)) continue;
        if (e.kind == OpKind::kCondBroadcast || static_cast<ThreadIndex>(e.value) == wait.thread)
          woken(e, at, waiting_[i]);
      }
      return;
    default:
      return;
  }
}

void PredictedSignal::judge(const Candidate& candidate) {
  const WaitLooks::Wait& look = candidate.waiting.look;
  const bool unlocked = candidate.waiting.change.event.kind != OpKind::kNone;
  if (!unlocked && looks_.has_predicate(look)) return;
  DetectionRecord found;
  found.kind = OutcomeKind::kLostSignal;
  found.detector = static_cast<std::uint8_t>(DetectorId::kPredictedSignal);
  found.variant = unlocked ? kUnlocked : kNoPredicate;
  found.roles = 3;
  found.role[0] = candidate.signal;
  found.role[1] = {look.event, look.sequence};
  found.role[2] = unlocked ? candidate.waiting.change : candidate.waiting.lock;
  found.key = hash_combine(detector_bit(DetectorId::kPredictedSignal), found.variant);
  for (unsigned i = 0; i < 2; ++i) found.key = hash_combine(found.key, found.role[i].event.location);
  sink_.on_detection(found);
}

void PredictedSignal::finish(const TraceView& trace) {
  const ExecutionResult& result = *trace.result;
  (void)result;
  if (looks_.truncated() || rest_.exhausted()) return;
  for (std::uint32_t i = 0; i < candidate_count_; ++i) judge(candidates_[i]);
}

}  // namespace ravel
