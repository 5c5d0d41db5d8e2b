// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mutexes, condition variables, read-write locks and semaphores of the toy machine.
#include "support/model_execution.h"

namespace ravel::toy {

bool Execution::act_mutex(MutexState& mutex) {
  switch (view_.kind) {
    case OpKind::kMutexLock:
      settle(transition_.timeout ? SyncResult::kBusy : ravel::lock(mutex, step_.type, transition_.thread));
      break;
    case OpKind::kMutexTryLock:
      settle(try_lock(mutex, step_.type, transition_.thread));
      break;
    case OpKind::kMutexUnlock:
      settle(ravel::unlock(mutex, transition_.thread));
      break;
    case OpKind::kMutexDestroy:
      settle(destroy(mutex));
      break;
    default:
      mutex = {};
      break;
  }
  return false;
}

bool Execution::act_cond(CondState& cond) {
  MutexState& mutex = state_.mutexes[step_.second];
  switch (view_.kind) {
    case OpKind::kCondWait: {
      const bool holds = owner(mutex) == transition_.thread;
      if (!settle(holds ? cond_enter(cond, thread_.waiting, mutex_place(step_.second)) : SyncResult::kNotOwner)) {
        return false;
      }
      (void)ravel::unlock(mutex, transition_.thread);
      return true;
    }
    case OpKind::kCondReacquire:
      (void)cond_leave(cond, thread_.waiting);
      (void)ravel::lock(mutex, step_.type, transition_.thread);
      return false;
    case OpKind::kCondSignal:
      view_.value = kNoThread;
      if (waiters_at(program_, state_, step_.at) != 0) view_.value = wake_waiter(cond, transition_.choice);
      return false;
    case OpKind::kCondBroadcast: {
      const std::uint32_t woken = waiters_at(program_, state_, step_.at);
      for (std::uint32_t i = 0; i < woken; ++i) wake_waiter(cond, 0);
      view_.value = woken;
      return false;
    }
    case OpKind::kCondDestroy:
      settle(destroy(cond));
      return false;
    default:
      cond = {};
      return false;
  }
}

std::uint32_t Execution::wake_waiter(CondState& cond, std::uint32_t rank) {
  for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
    if (state_.threads[t].waiting != Waiting::kWaits || state_.threads[t].timed_out != 0) continue;
    const Step& other = step_of(program_, state_, t);
    if (other.kind != OpKind::kCondWait || other.at != step_.at) continue;
    if (rank-- == 0) {
      cond_wake(cond, state_.threads[t].waiting);
      return t;
    }
  }
  return kNoThread;
}

bool Execution::act_rw(RwState& lock) {
  switch (view_.kind) {
    case OpKind::kRwReadLock:
      settle(transition_.timeout ? SyncResult::kBusy : read_lock(lock, transition_.thread));
      break;
    case OpKind::kRwTryReadLock:
      settle(try_read_lock(lock, transition_.thread));
      break;
    case OpKind::kRwWriteLock:
      settle(transition_.timeout ? SyncResult::kBusy : write_lock(lock, transition_.thread));
      break;
    case OpKind::kRwTryWriteLock:
      settle(try_write_lock(lock, transition_.thread));
      break;
    case OpKind::kRwUnlock:
      view_.value = unlock_value(lock);
      settle(ravel::unlock(lock, transition_.thread));
      break;
    case OpKind::kRwDestroy:
      settle(destroy(lock));
      break;
    default:
      lock = {};
      break;
  }
  return false;
}

bool Execution::act_sem(SemState& sem) {
  switch (view_.kind) {
    case OpKind::kSemWait:
      settle(transition_.timeout ? SyncResult::kBusy : take(sem));
      break;
    case OpKind::kSemTryWait:
      settle(take(sem));
      break;
    case OpKind::kSemPost:
      settle(post(sem));
      break;
    case OpKind::kSemValue:
      if (settle(is_destroyed(sem) ? SyncResult::kInvalid : SyncResult::kOk)) observed_ = sem.value;
      break;
    case OpKind::kSemDestroy:
      settle(destroy(sem));
      break;
    default:
      sem = {};
      break;
  }
  return false;
}

}  // namespace ravel::toy
