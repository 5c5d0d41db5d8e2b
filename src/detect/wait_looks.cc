// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/wait_looks.h"

#include "detect/access_class.h"

namespace ravel {

WaitLooks::WaitLooks(std::pmr::memory_resource& memory, const HeldLocks& locks)
    : locks_(locks),
      threads_(memory, kMaxThreadsSeen),
      waits_(memory, kMaxWaits),
      bytes_(memory, 1u << 10, 1u << 20),
      writes_(memory, 1u << 19) {}

void WaitLooks::begin() {
  threads_.clear();
  waits_.clear();
  bytes_.clear();
  writes_.clear();
  truncated_ = false;
}

bool WaitLooks::reads(const Event& e) {
  return e.kind == OpKind::kRead || e.kind == OpKind::kAtomicLoad || e.kind == OpKind::kAtomicRmw ||
         e.kind == OpKind::kAtomicCas;
}

bool WaitLooks::overlaps(const Look& look, const Event& e) {
  const std::uint64_t place = place_of(e);
  return place < look.place + look.size && look.place < place + e.size;
}

bool WaitLooks::takes_first_lock(const Event& e) const {
  return op_class(e.kind) == OpClass::kSync && locks_.just_taken() != nullptr && locks_.of(e.thread).size() == 1;
}

void WaitLooks::on_event(const Event& e, std::uint64_t sequence) {
  if (reads(e) && !locks_.of(e.thread).empty()) look_at(e, sequence);
  if (e.kind == OpKind::kWrite || is_write(access_class(e))) write(e, sequence);
  if (e.kind == OpKind::kCondWait) {
    if (Wait* wait = make(e.thread); wait != nullptr) {
      wait->event = e;
      wait->sequence = sequence;
    }
  } else if (e.kind == OpKind::kCondReacquire || takes_first_lock(e)) {
    if (Wait* wait = make(e.thread); wait != nullptr) {
      wait->event.kind = OpKind::kNone;
      wait->count = 0;
      wait->all_known = true;
    }
  }
}

WaitLooks::Wait* WaitLooks::make(ThreadIndex thread) {
  if (thread >= threads_.capacity()) {
    truncated_ = true;
    return nullptr;
  }
  std::uint32_t* number = threads_.find(thread);
  if (number != nullptr) return &waits_[*number];
  Wait fresh = {};
  fresh.all_known = true;
  const std::uint32_t added = waits_.add(fresh);
  if (added == 0) {
    truncated_ = true;
    return nullptr;
  }
  threads_.insert(thread, added);
  return &waits_[added];
}

void WaitLooks::look_at(const Event& e, std::uint64_t sequence) {
  Wait* wait = make(e.thread);
  if (wait == nullptr) return;
  for (std::uint32_t i = 0; i < wait->count; ++i) {
    if (wait->look[i].place != place_of(e) || wait->look[i].size != e.size) continue;
    wait->look[i].sequence = sequence;
    return;
  }
  if (wait->count == kMost) {
    wait->all_known = false;
  } else {
    wait->look[wait->count++] = {place_of(e), e.size, sequence};
  }
}

void WaitLooks::write(const Event& e, std::uint64_t sequence) {
  if (e.kind == OpKind::kHeapFree) return;  // its memory is used for nothing else in this execution
  if (e.size > kMaxBytes) truncated_ = true;
  for (std::uint32_t i = 0; i < e.size && i < kMaxBytes; ++i) {
    std::uint32_t* number = bytes_.claim(place_of(e) + i);
    if (number == nullptr) {
      truncated_ = true;
      return;
    }
    if (*number == 0) {
      *number = writes_.add(Write{e, sequence, kNoThread});
      if (*number == 0) truncated_ = true;
      continue;
    }
    Write& last = writes_[*number];
    if (last.event.thread != e.thread) last.other = last.event.thread;
    last.event = e;
    last.sequence = sequence;
  }
}

const WaitLooks::Wait* WaitLooks::of(ThreadIndex thread) {
  const std::uint32_t* number = threads_.find(thread);
  return number == nullptr ? nullptr : &waits_[*number];
}

const WaitLooks::Write* WaitLooks::last_write(const Look& look) const {
  const Write* last = nullptr;
  for (std::uint32_t i = 0; i < look.size && i < kMaxBytes; ++i) {
    const std::uint32_t number = bytes_.find(look.place + i);
    if (number != 0 && (last == nullptr || writes_[number].sequence > last->sequence)) last = &writes_[number];
  }
  return last;
}

bool WaitLooks::written_by_others(const Look& look, ThreadIndex thread) const {
  for (std::uint32_t i = 0; i < look.size && i < kMaxBytes; ++i) {
    const std::uint32_t number = bytes_.find(look.place + i);
    if (number == 0) continue;
    const Write& last = writes_[number];
    if (last.event.thread != thread || last.other != kNoThread) return true;
  }
  return false;
}

bool WaitLooks::has_predicate(const Wait& wait) const {
  if (!wait.all_known) return true;
  for (std::uint32_t i = 0; i < wait.count; ++i) {
    if (written_by_others(wait.look[i], wait.event.thread)) return true;
  }
  return false;
}

}  // namespace ravel
