// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/ready_set.h"

#include "base/invariant.h"
#include "base/large_table.h"
#include "runtime/schedule/enabled.h"
#include "runtime/schedule/schedule_log.h"

namespace ravel::rt {

namespace {
RAVEL_LARGE_TABLE VirtualThread* many_live[kMaxLive];
RAVEL_LARGE_TABLE VirtualThread* many_ready[kMaxLive];
RAVEL_LARGE_TABLE OperationView many_views[kMaxLive];
}  // namespace

void ReadySet::move_to_large_tables() {
  for (std::uint32_t i = 0; i < live_count_; ++i) many_live[i] = few_.live[i];
  live_ = many_live;
  ready_ = many_ready;
  views_ = many_views;
}

void ReadySet::add(VirtualThread& thread) {
  INVARIANT(live_count_ < kMaxLive, "there are as many entries as slots");
  if (live_count_ == kFew && live_ == few_.live) move_to_large_tables();
  live_[live_count_++] = &thread;
  make_stale();
}

void ReadySet::remove(VirtualThread& thread) {
  std::uint32_t at = 0;
  while (at < live_count_ && live_[at] != &thread) ++at;
  INVARIANT(at < live_count_, "a thread that ends has been added");
  for (; at + 1 < live_count_; ++at) live_[at] = live_[at + 1];
  --live_count_;
  make_stale();
}

inline void ReadySet::list(VirtualThread& thread) {
  thread.ready_at = count_;
  if (shows_operations) put_view(views_[count_], thread);
  ready_[count_++] = &thread;
}

void ReadySet::rebuild() {
  count_ = 0;
  spinning_ = 0;
  may_give_up_ = false;
  for (VirtualThread* const thread : live()) {
    const Pending& pending = thread->pending;
    thread->enabled = can_run(*thread);
    spinning_ += pending.spinning ? 1 : 0;
    if (thread->enabled) {
      list(*thread);
    } else {
      thread->had_to_wait = true;
      may_give_up_ |= pending.deadline != kNever || pending.may_wake_spuriously;
    }
  }
  if (may_give_up_) list_with_who_gives_up(count_);
  INVARIANT(count_ <= live_count_, "who is ready lives");
  stale_ = Stale::kNothing;
  mutex_ = 0;
  listed_at = kNotListed;
}

namespace {
// Whether a thread that waits and does not run can go on, behind a lock or unlock of `mutex`. Who waits for a thread or
// for another mutex can if it could; of other waits that is not certain, and they are asked. The mutex is read
// only for who waits for it: else its memory may be gone.
inline bool can_run_after(VirtualThread& thread, std::uintptr_t mutex) {
  const Pending& pending = thread.pending;
  const bool concerned = pending.for_mutex ? pending.address == mutex : pending.kind != OpKind::kThreadJoin;
  return concerned ? can_run(thread) : thread.enabled;
}
}  // namespace

void ReadySet::relist(VirtualThread& running) {
  const Pending& own = running.pending;
  if (own.spinning || own.deadline != kNever || own.may_wake_spuriously) return rebuild();
  running.enabled = can_run(running);
  const std::uintptr_t mutex = mutex_;
  VirtualThread** end = ready_;
  for (VirtualThread* const thread : live()) {
    const Pending& pending = thread->pending;
    if (pending.enabled != nullptr && thread != &running) thread->enabled = can_run_after(*thread, mutex);
    if (thread->enabled) {
      thread->ready_at = static_cast<std::uint32_t>(end - ready_);
      *end++ = thread;
    } else {
      thread->had_to_wait = true;
      if (pending.deadline != kNever || pending.may_wake_spuriously) return rebuild();
    }
  }
  count_ = static_cast<std::uint32_t>(end - ready_);
  INVARIANT(count_ <= live_count_, "who is ready lives");
  for (std::uint32_t i = 0; shows_operations && i < count_; ++i) put_view(views_[i], *ready_[i]);
  stale_ = Stale::kNothing;
  mutex_ = 0;
  listed_at = kNotListed;
}

// Spurious wake-ups are only alternatives to somebody who can really run: they never hide a deadlock. Time-outs would
// come anyway; when they are all that is left, adversarial time lets any of them be first.
void ReadySet::list_with_who_gives_up(std::uint32_t really) {
  count_ = 0;
  for (VirtualThread* const thread : live()) {
    if (!thread->enabled) {
      const Pending& waiting = thread->pending;
      if (waiting.deadline == kNever && !waiting.may_wake_spuriously) continue;  // as a rule
      if (!can_time_out(*thread) && (really == 0 || !can_wake_spuriously(*thread))) continue;
    }
    list(*thread);
  }
  INVARIANT(really <= count_, "who is enabled is ready");
}

std::uint32_t ReadySet::log() {
  if (listed_at == kNotListed) listed_at = log_enabled(ready_, count_);
  return listed_at;
}

}  // namespace ravel::rt
