// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/transfer_log.h"

#include "detect/detector.h"
#include "semantics/barrier.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr unsigned kTagShift = 56;                                          // objects have 20 bits, offsets 32
constexpr std::uint64_t kAnyChannel = (std::uint64_t{1} << kTagShift) - 1;  // no object has this number

}  // namespace

TransferLog::TransferLog(std::pmr::memory_resource& memory, std::uint32_t max_transfers, std::uint32_t max_elements)
    : index_(memory, 1u << 10, max_elements * 2),
      infos_(static_cast<Info*>(memory.allocate(sizeof(Info) * (std::size_t{max_elements} + 1), alignof(Info)))),
      log_(static_cast<Transfer*>(memory.allocate(sizeof(Transfer) * max_transfers, alignof(Transfer)))),
      next_in_round_(memory, kDetectorThreads),
      waiting_mutex_(memory, kDetectorThreads),
      max_transfers_(max_transfers),
      max_elements_(max_elements) {
  begin();
}

void TransferLog::begin() {
  index_.clear();
  next_in_round_.clear();
  waiting_mutex_.clear();
  count_ = elements_ = 0;
  full_ = false;
}

Element TransferLog::element(Tag tag, std::uint64_t key) {
  std::uint32_t* number = index_.claim((static_cast<std::uint64_t>(tag) << kTagShift) | key);
  if (number == nullptr || (*number == 0 && elements_ == max_elements_)) {
    full_ = true;
    return 0;
  }
  if (*number == 0) {
    *number = ++elements_;
    infos_[*number] = {kNoThread, 0};
  }
  return *number;
}

void TransferLog::log(Element to, Element from, ThreadIndex thread, bool assigns) {
  if (to == 0 || full_) return;
  if (count_ == max_transfers_) {
    full_ = true;
    return;
  }
  log_[count_++] = {to, from, thread, assigns};
}

// A new object in old memory.
void TransferLog::forget(std::uint64_t place, ThreadIndex thread) {
  for (const Tag tag : {kPlace, kShared}) {
    const Element known = index_.find((static_cast<std::uint64_t>(tag) << kTagShift) | place);
    if (known == 0) continue;
    assign(known, 0, thread);
    infos_[known] = {kNoThread, count_};
  }
}

void TransferLog::on_event(const Event& e) {
  switch (op_class(e.kind)) {
    case OpClass::kLifecycle:
      lifecycle(e);
      break;
    case OpClass::kAtomic:
      atomic(e);
      break;
    case OpClass::kSync:
      synchronise(e);
      break;
    case OpClass::kPlain:
      if (e.kind == OpKind::kWrite) forget(place_of(e), e.thread);
      break;
    default:
      break;
  }
}

void TransferLog::lifecycle(const Event& e) {
  const auto other = static_cast<ThreadIndex>(e.value);
  if (e.failed() || (e.bits & kTimeout) != 0 || other == e.thread) return;
  if (e.kind == OpKind::kThreadCreate && other < kDetectorThreads) add(of_thread(other), of_thread(e.thread), e.thread);
  if (e.kind == OpKind::kThreadJoin) add(of_thread(e.thread), of_thread(other), e.thread);
}

void TransferLog::atomic(const Event& e) {
  const int order = e.order();
  const ThreadIndex t = e.thread;
  const Element self = of_thread(t);
  if (e.kind == OpKind::kFence) {
    if (is_acquire(order)) add(self, element(kRelaxedReads, t), t);
    if (is_release(order)) assign(element(kReleaseFence, t), self, t);
    return;
  }
  const Element place = element(kPlace, place_of(e));
  if (e.kind != OpKind::kAtomicStore) add(is_acquire(order) ? self : element(kRelaxedReads, t), place, t);
  if (!has_write_effect(e.kind, e.bits)) return;
  const Element source = is_release(order) ? self : element(kReleaseFence, t);
  log(place, source, t, e.kind == OpKind::kAtomicStore);  // a store begins a new release sequence
}

void TransferLog::read_write_lock(const Event& e) {
  const Element self = of_thread(e.thread);
  const Element released = element(kPlace, place_of(e));
  const Element shared = element(kShared, place_of(e));
  if (released == 0 || shared == 0) return;
  switch (e.kind) {
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
      add(self, released, e.thread);
      break;
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
      add(self, released, e.thread);
      add(self, shared, e.thread);
      assign(shared, 0, e.thread);
      infos_[released].holder = e.thread;
      break;
    default:
      if (infos_[released].holder == e.thread) {
        infos_[released].holder = kNoThread;
        assign(released, self, e.thread);
      } else {
        add(shared, self, e.thread);
      }
      break;
  }
}

void TransferLog::barrier(const Event& e) {
  const ThreadIndex t = e.thread;
  const Element round = element(kRound, t);
  if (e.kind == OpKind::kBarrierLeave) {
    add(of_thread(t), round, t);
    assign(round, 0, t);
    return;
  }
  const Element arrivals = element(kShared, place_of(e));
  if (arrivals == 0 || t >= next_in_round_.capacity()) return;
  add(arrivals, of_thread(t), t);
  ThreadIndex* next = next_in_round_.find(t);
  if (next == nullptr) next = &next_in_round_.insert(t, kNoThread);
  *next = infos_[arrivals].holder;
  infos_[arrivals].holder = t;
  if (e.value != kFilledRound) return;
  for (ThreadIndex i = t; i != kNoThread;) {
    assign(element(kRound, i), arrivals, t);
    i = *next_in_round_.find(i);
  }
  infos_[arrivals].holder = kNoThread;
  assign(arrivals, 0, t);
}

void TransferLog::synchronise(const Event& e) {
  const ThreadIndex t = e.thread;
  const Element self = of_thread(t);
  const bool got = !e.failed() && (e.bits & kTimeout) == 0;
  const auto here = [&] { return element(kPlace, place_of(e)); };
  switch (e.kind) {
    case OpKind::kMutexInit:
    case OpKind::kRwInit:
    case OpKind::kSemInit:
    case OpKind::kBarrierInit:
      forget(place_of(e), t);
      break;
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
      if (got) add(self, here(), t);
      break;
    case OpKind::kMutexUnlock:
      if (!e.failed()) assign(here(), self, t);
      break;
    case OpKind::kCondWait:
      if (std::uint64_t* mutex = waiting_mutex_.find(t)) {
        *mutex = e.value;
      } else if (t < waiting_mutex_.capacity()) {
        waiting_mutex_.insert(t, e.value);
      }
      assign(element(kPlace, e.value), self, t);
      break;
    case OpKind::kCondReacquire:
      if (const std::uint64_t* mutex = waiting_mutex_.find(t)) add(self, element(kPlace, *mutex), t);
      break;
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
    case OpKind::kRwUnlock:
      if (got) read_write_lock(e);
      break;
    case OpKind::kSemPost:
      if (!e.failed()) add(here(), self, t);
      break;
    case OpKind::kBarrierArrive:
    case OpKind::kBarrierLeave:
      barrier(e);
      break;
    case OpKind::kOnceBegin:
      add(self, here(), t);
      break;
    case OpKind::kOnceEnd:
    case OpKind::kOnceAbort:
      assign(here(), self, t);
      break;
    case OpKind::kIoRead:
      if (!e.failed() && is_acquire(e.order())) add(self, here(), t);
      break;
    case OpKind::kIoWait:
      add(self, element(kPlace, kAnyChannel), t);
      break;
    case OpKind::kIoWrite:
    case OpKind::kIoClose:
      if (e.failed() || !is_release(e.order())) break;
      add(here(), self, t);
      add(element(kPlace, kAnyChannel), self, t);
      if (is_acquire(e.order())) add(self, here(), t);
      break;
    case OpKind::kSignalSend:
    case OpKind::kCancel:
      add(here(), self, t);
      break;
    case OpKind::kSignalHandle:
    case OpKind::kSignalWait:
    case OpKind::kCancelled:
      if (!e.failed()) add(self, here(), t);
      break;
    default:
      break;
  }
}

}  // namespace ravel
