// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/transfer_log.h"

#include "detect/detector.h"
#include "semantics/edges.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr unsigned kTagShift = 56;  // objects have 20 bits, offsets 32
static_assert(kAnyChannel >> kTagShift == 0);

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
  const std::uint64_t tagged = (static_cast<std::uint64_t>(tag) << kTagShift) | key;
  std::uint32_t* number = index_.claim(tagged);
  if (number == nullptr || (*number == 0 && elements_ == max_elements_)) {
    full_ = true;
    return 0;
  }
  if (*number == 0) {
    *number = ++elements_;
    infos_[*number] = {kNoThread, 0, tagged};
  }
  return *number;
}

ElementName TransferLog::name_of(Element e) const {
  const std::uint64_t tagged = infos_[e].tagged_key;
  const std::uint64_t key = tagged & ((std::uint64_t{1} << kTagShift) - 1);
  switch (tagged >> kTagShift) {
    case kThread:
      return {ElementName::Kind::kThread, key};
    case kPlace:
    case kShared:
      return {ElementName::Kind::kObject, key};
    default:
      return {ElementName::Kind::kCarrier, key};
  }
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
    infos_[known].holder = kNoThread;
    infos_[known].forgotten = count_;
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

// What one event's edges do to the log.
struct TransferLog::LoggedEdges {
  TransferLog& log;
  ThreadIndex thread;

  [[nodiscard]] Element self() const { return log.of_thread(thread); }
  [[nodiscard]] Element at(std::uint64_t key) const { return log.element(kPlace, key); }
  [[nodiscard]] Element shared(std::uint64_t key) const { return log.element(kShared, key); }

  void new_object(std::uint64_t key) { log.forget(key, thread); }
  void take(std::uint64_t key) { log.add(self(), at(key), thread); }
  void give(std::uint64_t key) { log.assign(at(key), self(), thread); }
  void add(std::uint64_t key) { log.add(at(key), self(), thread); }
  void wait_with(std::uint64_t mutex) {
    if (std::uint64_t* known = log.waiting_mutex_.find(thread)) {
      *known = mutex;
    } else if (thread < log.waiting_mutex_.capacity()) {
      log.waiting_mutex_.insert(thread, mutex);
    }
    give(mutex);
  }
  void resume() {
    if (const std::uint64_t* mutex = log.waiting_mutex_.find(thread)) take(*mutex);
  }

  void reader(std::uint64_t key) {
    if (at(key) != 0) take(key);
  }
  void writer(std::uint64_t key) {
    if (at(key) == 0 || shared(key) == 0) return;
    take(key);
    log.add(self(), shared(key), thread);
    log.assign(shared(key), 0, thread);
    log.infos_[at(key)].holder = thread;
  }
  void leave_lock(std::uint64_t key) {
    if (at(key) == 0 || shared(key) == 0) return;
    ThreadIndex& holder = log.infos_[at(key)].holder;
    if (holder == thread) {
      holder = kNoThread;
      give(key);
    } else {
      log.add(shared(key), self(), thread);
    }
  }

  void arrive(std::uint64_t key, bool fills) {
    const Element arrivals = shared(key);
    if (arrivals == 0 || thread >= log.next_in_round_.capacity()) return;
    log.add(arrivals, self(), thread);
    ThreadIndex* next = log.next_in_round_.find(thread);
    if (next == nullptr) next = &log.next_in_round_.insert(thread, kNoThread);
    *next = log.infos_[arrivals].holder;
    log.infos_[arrivals].holder = thread;
    if (!fills) return;
    for (ThreadIndex i = thread; i != kNoThread;) {
      log.assign(log.element(kRound, i), arrivals, thread);
      i = *log.next_in_round_.find(i);
    }
    log.infos_[arrivals].holder = kNoThread;
    log.assign(arrivals, 0, thread);
  }
  void leave() {
    const Element round = log.element(kRound, thread);
    log.add(self(), round, thread);
    log.assign(round, 0, thread);
  }
};

void TransferLog::synchronise(const Event& e) {
  LoggedEdges edges{*this, e.thread};
  follow_edges(e, edges);
}

}  // namespace ravel
