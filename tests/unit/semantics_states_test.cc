// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The states lie in the program's own pthread objects: sizes, static initialisers, and the rules of each family.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <cstring>

#include "semantics/barrier.h"
#include "semantics/condvar.h"
#include "semantics/effects.h"
#include "semantics/futex.h"
#include "semantics/mutex.h"
#include "semantics/once.h"
#include "semantics/rwlock.h"
#include "semantics/semaphore.h"

namespace ravel {
namespace {

static_assert(sizeof(MutexState) <= sizeof(pthread_mutex_t));
static_assert(sizeof(RwState) <= sizeof(pthread_rwlock_t));
static_assert(sizeof(CondState) <= sizeof(pthread_cond_t));
static_assert(sizeof(SemState) <= sizeof(sem_t));
static_assert(sizeof(BarrierState) <= sizeof(pthread_barrier_t));
static_assert(sizeof(OnceState) <= sizeof(pthread_once_t));
static_assert(sizeof(SpinState) <= sizeof(pthread_spinlock_t));

template <class State, class Object>
State overlay(const Object& object) {
  State state;
  std::memcpy(static_cast<void*>(&state), &object, sizeof(state));
  return state;
}

template <class State>
bool is_fresh(const State& state) {
  const State fresh{};
  return std::memcmp(&state, &fresh, sizeof(state)) == 0;
}

TEST(States, StaticInitialisersAreFreshObjects) {
  const pthread_mutex_t mutexes[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                     PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};
  const MutexType types[] = {MutexType::kNormal, MutexType::kRecursive, MutexType::kErrorCheck, MutexType::kNormal};
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(is_fresh(overlay<MutexState>(mutexes[i])));
    EXPECT_EQ(mutex_type(&mutexes[i]), types[i]) << i;
  }
  const pthread_rwlock_t rwlock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
  EXPECT_TRUE(is_fresh(overlay<RwState>(rwlock)));
  const pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  EXPECT_TRUE(is_fresh(overlay<CondState>(cond)));
  const pthread_once_t once = PTHREAD_ONCE_INIT;
  EXPECT_TRUE(is_fresh(overlay<OnceState>(once)));
}

TEST(States, KindIsThatOfTheSystem) {
  for (const int kind : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attributes);
    EXPECT_EQ(mutex_type(&mutex), mutex_type_of_kind(kind));
    pthread_mutex_destroy(&mutex);
  }
}

TEST(Mutex, NormalWaitsForEverOnItself) {
  MutexState m;
  EXPECT_EQ(lock(m, MutexType::kNormal, 3), SyncResult::kOk);
  EXPECT_EQ(owner(m), 3u);
  EXPECT_FALSE(can_lock(m, MutexType::kNormal, 3));
  EXPECT_FALSE(can_lock(m, MutexType::kNormal, 4));
  EXPECT_EQ(lock(m, MutexType::kNormal, 3), SyncResult::kSelfDeadlock);
  EXPECT_EQ(try_lock(m, MutexType::kNormal, 3), SyncResult::kBusy);
  EXPECT_EQ(lock(m, MutexType::kNormal, 4), SyncResult::kBusy);
  EXPECT_EQ(unlock(m, 4), SyncResult::kNotOwner);
  EXPECT_EQ(destroy(m), SyncResult::kBusy);
  EXPECT_EQ(unlock(m, 3), SyncResult::kOk);
  EXPECT_TRUE(is_fresh(m));
  EXPECT_EQ(unlock(m, 3), SyncResult::kNotLocked);
}

TEST(Mutex, RecursiveCountsAndErrorCheckComplains) {
  MutexState m;
  EXPECT_EQ(lock(m, MutexType::kRecursive, 0), SyncResult::kOk);
  EXPECT_TRUE(can_lock(m, MutexType::kRecursive, 0));
  EXPECT_EQ(try_lock(m, MutexType::kRecursive, 0), SyncResult::kOk);
  EXPECT_EQ(unlock(m, 0), SyncResult::kOk);
  EXPECT_FALSE(can_lock(m, MutexType::kRecursive, 1));
  EXPECT_EQ(unlock(m, 0), SyncResult::kOk);
  EXPECT_TRUE(can_lock(m, MutexType::kRecursive, 1));

  EXPECT_EQ(lock(m, MutexType::kErrorCheck, 0), SyncResult::kOk);
  EXPECT_TRUE(can_lock(m, MutexType::kErrorCheck, 0));  // returns at once, with an error
  EXPECT_EQ(lock(m, MutexType::kErrorCheck, 0), SyncResult::kSelfDeadlock);
  EXPECT_EQ(m.count, 1u);
}

TEST(Mutex, DestroyedIsInvalid) {
  MutexState m;
  EXPECT_EQ(destroy(m), SyncResult::kOk);
  EXPECT_TRUE(can_lock(m, MutexType::kNormal, 0));
  EXPECT_EQ(lock(m, MutexType::kNormal, 0), SyncResult::kInvalid);
  EXPECT_EQ(unlock(m, 0), SyncResult::kInvalid);
  EXPECT_EQ(destroy(m), SyncResult::kInvalid);
}

TEST(Spin, IsANormalMutex) {
  SpinState s;
  EXPECT_EQ(owner(s), kNoThread);
  EXPECT_EQ(lock(s, 0), SyncResult::kOk);
  EXPECT_FALSE(can_lock(s, 0));
  EXPECT_EQ(lock(s, 0), SyncResult::kSelfDeadlock);
  EXPECT_EQ(try_lock(s, 1), SyncResult::kBusy);
  EXPECT_EQ(unlock(s, 1), SyncResult::kNotOwner);
  EXPECT_EQ(destroy(s), SyncResult::kBusy);
  EXPECT_EQ(unlock(s, 0), SyncResult::kOk);
  EXPECT_EQ(unlock(s, 0), SyncResult::kNotLocked);
  EXPECT_EQ(destroy(s), SyncResult::kOk);
  EXPECT_EQ(try_lock(s, 0), SyncResult::kInvalid);
}

TEST(Cond, CountsWaitersAndBindsTheMutex) {
  CondState c;
  Waiting first{};
  Waiting second{};
  Waiting third{};
  EXPECT_EQ(signal_alternatives(c), 0u);
  EXPECT_EQ(cond_enter(c, first, 100), SyncResult::kOk);
  EXPECT_EQ(cond_enter(c, third, 200), SyncResult::kWrongMutex);
  EXPECT_EQ(third, Waiting::kOutside);
  EXPECT_EQ(cond_enter(c, second, 100), SyncResult::kOk);
  EXPECT_EQ(signal_alternatives(c), 2u);
  EXPECT_EQ(destroy(c), SyncResult::kBusy);
  EXPECT_FALSE(can_reacquire(first, false, true));
  cond_wake(c, first);
  EXPECT_TRUE(can_reacquire(first, false, true));
  EXPECT_FALSE(can_reacquire(first, false, false));
  EXPECT_EQ(signal_alternatives(c), 1u);
  EXPECT_TRUE(can_reacquire(second, true, true));  // its time-out
  EXPECT_FALSE(cond_leave(c, second));
  EXPECT_TRUE(cond_leave(c, first));
  EXPECT_EQ(cond_enter(c, third, 200), SyncResult::kOk);  // free to be used with another one now
  EXPECT_FALSE(cond_leave(c, third));
  EXPECT_EQ(destroy(c), SyncResult::kOk);
  EXPECT_EQ(cond_enter(c, first, 100), SyncResult::kInvalid);
  EXPECT_EQ(signal_alternatives(c), 0u);
}

TEST(Rw, ReadersShareAndWriterExcludes) {
  RwState l;
  EXPECT_EQ(read_lock(l, 1), SyncResult::kOk);
  EXPECT_EQ(read_lock(l, 0), SyncResult::kOk);
  EXPECT_TRUE(can_read_lock(l, 2));
  EXPECT_FALSE(can_write_lock(l, 2));
  EXPECT_EQ(write_lock(l, 2), SyncResult::kBusy);
  EXPECT_EQ(write_lock(l, 1), SyncResult::kSelfDeadlock);  // an upgrade waits for itself
  EXPECT_EQ(try_write_lock(l, 1), SyncResult::kBusy);
  EXPECT_EQ(unlock(l, 2), SyncResult::kNotOwner);
  EXPECT_EQ(unlock_value(l), kReaderUnlock);
  EXPECT_EQ(unlock(l, 1), SyncResult::kOk);
  EXPECT_EQ(destroy(l), SyncResult::kBusy);
  EXPECT_EQ(unlock(l, 0), SyncResult::kOk);
  EXPECT_TRUE(is_fresh(l));
  EXPECT_EQ(unlock(l, 0), SyncResult::kNotLocked);

  EXPECT_EQ(write_lock(l, 1), SyncResult::kOk);
  EXPECT_EQ(unlock_value(l), 0u);
  EXPECT_FALSE(can_read_lock(l, 0));
  EXPECT_TRUE(can_read_lock(l, 1));  // returns at once, with an error
  EXPECT_EQ(read_lock(l, 1), SyncResult::kSelfDeadlock);
  EXPECT_EQ(try_read_lock(l, 0), SyncResult::kBusy);
  EXPECT_EQ(unlock(l, 0), SyncResult::kNotOwner);
  EXPECT_EQ(unlock(l, 1), SyncResult::kOk);
}

TEST(Rw, ManyReadersAreCountedBeyondTheNamedOnes) {
  RwState l;
  for (ThreadIndex t = 0; t < 10; ++t) EXPECT_EQ(read_lock(l, 9 - t), SyncResult::kOk);
  EXPECT_TRUE(has_unnamed_readers(l));
  for (ThreadIndex t = 0; t < 10; ++t) EXPECT_EQ(unlock(l, t), SyncResult::kOk);
  EXPECT_TRUE(is_fresh(l));
  EXPECT_TRUE(can_write_lock(l, 0));
}

TEST(Semaphore, Counts) {
  SemState s;
  EXPECT_FALSE(can_take(s));
  EXPECT_EQ(take(s), SyncResult::kBusy);
  EXPECT_EQ(post(s), SyncResult::kOk);
  EXPECT_EQ(take(s), SyncResult::kOk);
  s.value = kSemaphoreMax;
  EXPECT_EQ(post(s), SyncResult::kOverflow);
  EXPECT_EQ(destroy(s), SyncResult::kOk);
  EXPECT_EQ(take(s), SyncResult::kInvalid);
}

TEST(Barrier, RoundsDoNotMix) {
  BarrierState b;
  EXPECT_EQ(arrive(b).result, SyncResult::kInvalid);  // never initialised
  b.needed = 2;
  const Arrival first = arrive(b);
  EXPECT_EQ(first.value, kOthersMissing);
  EXPECT_FALSE(can_leave(b, first.round));
  EXPECT_EQ(destroy(b), SyncResult::kBusy);
  const Arrival second = arrive(b);
  EXPECT_EQ(second.value, kFilledRound);
  EXPECT_TRUE(can_leave(b, first.round));
  leave(b);  // the second one leaves and is back before the first has left
  const Arrival third = arrive(b);
  EXPECT_TRUE(can_leave(b, first.round));
  EXPECT_FALSE(can_leave(b, third.round));
  EXPECT_EQ(arrive(b).value, kFilledRound);
  EXPECT_EQ(b.leaving, 3u);  // the first one of the old round, and both of the new one
}

template <class State>
void run_once() {
  State s{};
  EXPECT_TRUE(can_begin(s));
  EXPECT_EQ(begin_value(s), kOnceRuns);
  EXPECT_EQ(once_begin(s, 5).value, kOnceRuns);
  EXPECT_EQ(s.phase(), OncePhase::kRunning);
  EXPECT_EQ(s.runner(), 5u);
  EXPECT_FALSE(can_begin(s));
  EXPECT_EQ(once_begin(s, 6).result, SyncResult::kBusy);
  EXPECT_EQ(once_begin(s, 5).result, SyncResult::kSelfDeadlock);
  EXPECT_EQ(once_end(s, 6), SyncResult::kNotOwner);
  EXPECT_EQ(once_abort(s, 5), SyncResult::kOk);
  EXPECT_EQ(once_begin(s, 0).value, kOnceRuns);
  EXPECT_NE(reinterpret_cast<const unsigned char&>(s), sizeof(State) == 8 ? 1 : 2);
  EXPECT_EQ(once_end(s, 0), SyncResult::kOk);
  EXPECT_EQ(begin_value(s), kOnceDone);
  EXPECT_EQ(once_begin(s, 1).value, kOnceDone);
  EXPECT_EQ(once_end(s, 0), SyncResult::kNotLocked);
}

TEST(Once, RunsOnceAndAgainAfterAnAbort) {
  run_once<OnceState>();
}
TEST(Once, GuardToo) {
  run_once<GuardState>();
  GuardState guard;
  guard.set_running(0xff);
  EXPECT_EQ(reinterpret_cast<const unsigned char&>(guard), 0);  // compiled code must not take it for done
  guard.set_done();
  EXPECT_EQ(reinterpret_cast<const unsigned char&>(guard), 1);
}

TEST(Futex, WaitsIffTheWordIsEqual) {
  EXPECT_TRUE(futex_waits(7, 7));
  EXPECT_FALSE(futex_waits(8, 7));
  EXPECT_EQ(futex_wakes(3, 2), 2u);
  EXPECT_EQ(futex_wakes(1, 0x7fffffff), 1u);
  EXPECT_EQ(futex_wakes(3, 0), 1u);
  EXPECT_EQ(futex_wakes(0, 1), 0u);
}

TEST(Effects, WritesAndOrders) {
  EXPECT_TRUE(has_write_effect(OpKind::kAtomicCas, 0));
  EXPECT_FALSE(has_write_effect(OpKind::kAtomicCas, kFailed));
  EXPECT_FALSE(has_write_effect(OpKind::kRead, 0));
  EXPECT_TRUE(is_acquire(__ATOMIC_ACQUIRE) && is_acquire(__ATOMIC_SEQ_CST) && !is_acquire(__ATOMIC_RELEASE));
  EXPECT_TRUE(is_release(__ATOMIC_ACQ_REL) && !is_release(__ATOMIC_RELAXED) && !is_release(__ATOMIC_CONSUME));
  EXPECT_TRUE(ranges_meet(8, 4, 11, 1) && !ranges_meet(8, 4, 12, 4) && ranges_meet(8, 0, 8, 8));
}

}  // namespace
}  // namespace ravel
