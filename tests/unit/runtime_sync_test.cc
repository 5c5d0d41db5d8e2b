// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <errno.h>
#include <gtest/gtest.h>

#include "runtime/sync/virtual_condvar.h"
#include "runtime/sync/virtual_mutex.h"
#include "runtime/sync/virtual_semaphore.h"
#include "support/runtime_fixture.h"

namespace ravel::rt {
namespace {

class SyncTest : public RuntimeTest {
 protected:
  SyncTest() : main(make_thread()), other(make_thread()) {}

  VirtualThread& main;
  VirtualThread& other;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
};

TEST_F(SyncTest, AMutexThatIsHeldBlocksUntilItsUnlock) {
  ASSERT_EQ(mutex_lock(&mutex, kNever, 0), 0);
  as(other, [&] {
    EXPECT_EQ(mutex_trylock(&mutex, 0), EBUSY);
    EXPECT_THROW(mutex_lock(&mutex, kNever, 0), Blocked);
    while_waiting = [&] { as(main, [&] { mutex_unlock(&mutex, 0); }); };
    EXPECT_EQ(mutex_lock(&mutex, kNever, 0), 0);
  });
  EXPECT_EQ(owner(state_of(&mutex)), other.index);
}

TEST_F(SyncTest, ALockGivesUpAtItsDeadline) {
  ASSERT_EQ(mutex_lock(&mutex, kNever, 0), 0);
  as(other, [&] {
    while_waiting = [&] { other.wake = WakeReason::kTimeout; };
    EXPECT_EQ(mutex_lock(&mutex, 100, 0), ETIMEDOUT);
  });
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().bits & (kFailed | kTimeout), kFailed | kTimeout);
  EXPECT_EQ(owner(state_of(&mutex)), main.index);
}

TEST_F(SyncTest, UnlockByAnotherThreadEndsTheExecution) {
  ASSERT_EQ(mutex_lock(&mutex, kNever, 0), 0);
  as(other, [&] { EXPECT_THROW(mutex_unlock(&mutex, 0), Ended); });
}

TEST_F(SyncTest, AConditionWaitReleasesTheMutexAndTakesItBack) {
  ASSERT_EQ(mutex_lock(&mutex, kNever, 0), 0);
  while_waiting = [&] {
    as(other, [&] {
      EXPECT_EQ(mutex_lock(&mutex, kNever, 0), 0);
      EXPECT_EQ(cond_signal(&condition, 0), 0);
      EXPECT_FALSE(main.pending.enabled(main));  // signalled, but the mutex is another's
      EXPECT_EQ(mutex_unlock(&mutex, 0), 0);
    });
  };
  EXPECT_EQ(cond_wait(&condition, &mutex, kNever, 0), 0);
  EXPECT_EQ(owner(state_of(&mutex)), main.index);
}

TEST_F(SyncTest, ASignalBeforeTheWaitIsLost) {
  as(other, [&] { EXPECT_EQ(cond_signal(&condition, 0), 0); });
  ASSERT_EQ(mutex_lock(&mutex, kNever, 0), 0);
  EXPECT_THROW(cond_wait(&condition, &mutex, kNever, 0), Blocked);
}

TEST_F(SyncTest, ASemaphoreCountsItsPosts) {
  sem_t semaphore;
  ASSERT_EQ(semaphore_init(&semaphore, 1, 0), 0);
  EXPECT_EQ(semaphore_wait(&semaphore, kNever, 0), 0);
  EXPECT_EQ(semaphore_trywait(&semaphore, 0), EAGAIN);
  while_waiting = [&] { as(other, [&] { semaphore_post(&semaphore, 0); }); };
  EXPECT_EQ(semaphore_wait(&semaphore, kNever, 0), 0);
  EXPECT_THROW(semaphore_wait(&semaphore, kNever, 0), Blocked);
}

TEST_F(SyncTest, DestroyingASemaphoreThatAThreadWaitsForIsMisuse) {
  sem_t semaphore;
  ASSERT_EQ(semaphore_init(&semaphore, 0, 0), 0);
  as(other, [&] { EXPECT_THROW(semaphore_wait(&semaphore, kNever, 0), Blocked); });
  EXPECT_THROW(semaphore_destroy(&semaphore, 0), Ended);
}

}  // namespace
}  // namespace ravel::rt
