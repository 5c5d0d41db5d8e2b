// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/held_locks.h"

namespace ravel {

void HeldLocks::begin() {
  threads_.clear();
  records_.clear();
  taken_ = nullptr;
  complete_ = true;
}

void HeldLocks::sync_event(const Event& e, std::uint64_t sequence) {
  taken_ = nullptr;
  switch (e.kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
      if (!e.failed()) take(e, place_of(e), sequence, false);
      break;
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
      if (!e.failed()) take(e, place_of(e), sequence, true);
      break;
    case OpKind::kCondReacquire:
      take(e, e.value, sequence, false);
      break;
    case OpKind::kMutexUnlock:
    case OpKind::kRwUnlock:
      if (!e.failed()) give(e.thread, place_of(e), false);
      break;
    case OpKind::kCondWait:
      give(e.thread, e.value, true);
      break;
    default:
      break;
  }
}

// nullptr: there is no room.
HeldLocks::Record* HeldLocks::record_of(ThreadIndex thread) {
  std::uint32_t* number = threads_.find(thread);
  if (number == nullptr && thread >= threads_.capacity()) return nullptr;
  if (number == nullptr) number = &threads_.insert(thread, 0);
  if (*number == 0) {
    *number = records_.add_unset();
    if (*number == 0) return nullptr;
    records_[*number].count = 0;
  }
  return &records_[*number];
}

void HeldLocks::take(const Event& e, std::uint64_t place, std::uint64_t sequence, bool shared) {
  Record* known = record_of(e.thread);
  if (known == nullptr) {
    complete_ = false;
    return;
  }
  Record& record = *known;
  for (std::uint32_t i = 0; i < record.count; ++i) {
    if (record.lock[i].place != place) continue;
    ++record.lock[i].depth;
    return;
  }
  if (record.count == kMost) {
    complete_ = false;
    return;
  }
  LockHold& hold = record.lock[record.count++];  // member by member: a copy through the stack costs a stall
  hold.place = place;
  hold.taken = e;
  hold.sequence = sequence;
  hold.depth = 1;
  hold.shared = shared;
  taken_ = &hold;
}

void HeldLocks::give(ThreadIndex thread, std::uint64_t place, bool all) {
  std::uint32_t* number = threads_.find(thread);
  if (number == nullptr || *number == 0) return;
  Record& record = records_[*number];
  for (std::uint32_t i = 0; i < record.count; ++i) {
    if (record.lock[i].place != place) continue;
    if (!all && --record.lock[i].depth != 0) return;
    for (std::uint32_t j = i + 1; j < record.count; ++j) record.lock[j - 1] = record.lock[j];
    --record.count;
    break;
  }
  if (record.count == 0) {  // most threads hold nothing most of the time
    records_.remove(*number);
    *number = 0;
  }
}

std::span<const LockHold> HeldLocks::of(ThreadIndex thread) const {
  const std::uint32_t* number = threads_.find(thread);
  if (number == nullptr || *number == 0) return {};
  const Record& record = records_[*number];
  return {record.lock, record.count};
}

bool HeldLocks::holds(ThreadIndex thread, std::uint64_t place) const {
  for (const LockHold& lock : of(thread)) {
    if (lock.place == place) return true;
  }
  return false;
}

}  // namespace ravel
