// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include "base/random.h"
#include "runtime/schedule/enabled.h"
#include "runtime/schedule/mail.h"
#include "runtime/sync/virtual_mutex.h"
#include "support/runtime_fixture.h"

namespace ravel::rt {
namespace {

bool never(const VirtualThread&) {
  return false;
}
bool only_by_timeout(const VirtualThread& thread) {
  return thread.wake == WakeReason::kTimeout;
}
bool by_any_other_reason(const VirtualThread& thread) {
  return thread.wake != WakeReason::kNormal;
}

class ReadySetTest : public RuntimeTest {
 protected:
  ReadySet& ready = g_scheduler.ready;

  std::vector<ThreadIndex> indices() {
    ready.rebuild();
    std::vector<ThreadIndex> found;
    for (std::uint32_t i = 0; i < ready.count(); ++i) {
      EXPECT_EQ(ready[i].ready_at, i);
      EXPECT_EQ(ready.operations()[i].thread, ready[i].index);
      found.push_back(ready[i].index);
    }
    return found;
  }
  using Indices = std::vector<ThreadIndex>;
};

TEST_F(ReadySetTest, ListsEnabledThreadsInOrderOfCreation) {
  for (int i = 0; i < 4; ++i) make_thread();
  threads[2]->pending.enabled = never;
  EXPECT_EQ(indices(), (Indices{0, 1, 3}));
  EXPECT_TRUE(threads[2]->had_to_wait);
  EXPECT_FALSE(threads[1]->had_to_wait);
}

TEST_F(ReadySetTest, IsRightUntilSomethingChanges) {
  make_thread();
  make_thread();
  ready.rebuild();
  EXPECT_TRUE(ready.is_right_for(*threads[0]));
  threads[0]->pending.kind = OpKind::kMutexLock;
  ready.refresh(*threads[0]);
  EXPECT_EQ(ready.operations()[0].kind, OpKind::kMutexLock);
  // Nobody asks the others again while the list is right.
  threads[1]->pending.enabled = never;
  ready.refresh(*threads[0]);
  EXPECT_EQ(ready.count(), 2u);
  ready.make_stale();
  EXPECT_FALSE(ready.is_right_for(*threads[0]));
  ready.refresh(*threads[0]);
  EXPECT_EQ(ready.count(), 1u);
}

TEST_F(ReadySetTest, ASpinningThreadIsAskedEveryTime) {
  make_thread();
  VirtualThread& spins = make_thread();
  spins.pending.spinning = true;
  spins.pending.enabled = never;
  ready.rebuild();
  EXPECT_EQ(ready.count(), 1u);
  EXPECT_FALSE(ready.is_right_for(*threads[0]));
}

TEST_F(ReadySetTest, AThreadThatLeftIsNotListed) {
  make_thread();
  VirtualThread& leaves = make_thread();
  make_thread();
  ready.rebuild();
  ready.remove(leaves);
  EXPECT_FALSE(ready.is_right_for(*threads[0]));
  EXPECT_EQ(indices(), (Indices{0, 2}));
  EXPECT_FALSE(ready.lists(leaves));
  ready.add(leaves);  // the fixture takes it out again
}

TEST_F(ReadySetTest, MoreThreadsThanTheSmallTableHolds) {
  constexpr ThreadIndex kMany = 100;
  Indices all;
  for (ThreadIndex i = 0; i < kMany; ++i) {
    make_thread();
    all.push_back(i);
    EXPECT_EQ(indices(), all);
  }
  EXPECT_EQ(ready.live().size(), kMany);
}

TEST_F(ReadySetTest, ATimeoutIsAnAlternativeInAdversarialTimeOnly) {
  make_thread();
  VirtualThread& waits = make_thread();
  waits.pending.enabled = only_by_timeout;
  waits.pending.deadline = 1000;
  EXPECT_EQ(indices(), (Indices{0}));
  block.plan.timeouts = TimeoutMode::kAdversarial;
  EXPECT_EQ(indices(), (Indices{0, 1}));
  EXPECT_FALSE(waits.enabled);
  EXPECT_EQ(waits.wake, WakeReason::kNormal);  // asked, not woken
}

TEST_F(ReadySetTest, ASpuriousWakeUpNeverHidesADeadlock) {
  block.plan.faults = kFaultSpuriousWakeup;
  block.plan.max_faults = 1;
  make_thread();
  VirtualThread& waits = make_thread();
  waits.pending.enabled = by_any_other_reason;
  waits.pending.may_wake_spuriously = true;
  EXPECT_EQ(indices(), (Indices{0, 1}));
  block.result.faults = 1;  // the limit is used up
  EXPECT_EQ(indices(), (Indices{0}));
  block.result.faults = 0;
  threads[0]->pending.enabled = never;
  EXPECT_EQ(indices(), Indices{});
}

TEST_F(ReadySetTest, MailEnablesAThreadThatWaits) {
  make_thread();
  VirtualThread& waits = make_thread();
  waits.pending.enabled = by_any_other_reason;
  waits.signals = signal_bit(10);
  waits.signal_mask = signal_bit(10);
  EXPECT_EQ(indices(), (Indices{0}));
  waits.signal_mask = 0;
  EXPECT_EQ(indices(), (Indices{0, 1}));
  waits.signals = 0;
  waits.cancel_requested = true;
  EXPECT_EQ(indices(), (Indices{0}));  // not at a cancellation point
  waits.pending.cancellable = true;
  EXPECT_EQ(indices(), (Indices{0, 1}));
  waits.cancel_disabled = true;
  EXPECT_EQ(indices(), (Indices{0}));
}

TEST_F(ReadySetTest, ACancelledThreadThatHasNoLockYetIsNotReady) {
  make_thread();
  VirtualThread& waits = make_thread();
  waits.pending.enabled = never;  // a condition wait whose mutex another thread holds
  waits.pending.cancellable = true;
  waits.cancel_requested = true;
  EXPECT_EQ(indices(), (Indices{0}));
}

// The look at a mutex without a call says what its predicate does: for every type, holder, mail and reason.
TEST_F(ReadySetTest, WhoWaitsForAMutexIsAskedInEitherWay) {
  for (int i = 0; i < 2; ++i) make_thread();
  VirtualThread& waits = *threads[1];
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int enabled = 0;
  int disabled = 0;
  for (const int kind : {0, 1, 2, 3, 16, 17, 18, 128}) {
    for (std::uint32_t owner = 0; owner < 4; ++owner) {  // nobody, both, one that is gone
      for (unsigned how = 0; how < 32; ++how) {
        mutex.__data.__kind = kind;
        state_of(&mutex) = {.owner_plus_one = owner, .count = owner != 0};
        waits.pending = {};
        waits.pending.kind = OpKind::kMutexLock;
        waits.pending.address = reinterpret_cast<std::uintptr_t>(&mutex);
        waits.pending.for_mutex = true;
        waits.pending.enabled = [](const VirtualThread& thread) {
          return thread.wake == WakeReason::kTimeout ||
                 can_lock_mutex(reinterpret_cast<pthread_mutex_t*>(thread.pending.address), thread);
        };
        waits.signals = how & 1;
        waits.cancel_requested = (how & 2) != 0;
        waits.cancel_at_once = (how & 4) != 0;
        waits.wake = static_cast<WakeReason>(how >> 3);
        ASSERT_EQ(can_run(waits), is_enabled(waits)) << kind << " " << owner << " " << how;
        ++(can_run(waits) ? enabled : disabled);
      }
    }
  }
  EXPECT_GT(enabled, 100);
  EXPECT_GT(disabled, 100);
  waits.pending = {};
}

// What threads wait for, at random: two mutexes, a thread, a condition; now and then with mail or a time limit.
class MutexNewsTest : public ReadySetTest {
 protected:
  static constexpr unsigned kThreads = 6;
  Random random{7};
  pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
  static bool open;

  void wait_for(VirtualThread& thread, pthread_mutex_t& mutex) {
    thread.pending.kind = OpKind::kMutexLock;
    thread.pending.address = reinterpret_cast<std::uintptr_t>(&mutex);
    thread.pending.for_mutex = random.below(8) != 0;
    thread.pending.enabled = [](const VirtualThread& waiting) {
      return can_lock_mutex(reinterpret_cast<pthread_mutex_t*>(waiting.pending.address), waiting);
    };
  }
  // What the thread did, or is about to do.
  void go_on(VirtualThread& thread) {
    pthread_mutex_t& mutex = mutexes[random.below(2)];
    const std::uint64_t what = random.below(6);
    thread.had_to_wait = false;
    thread.pending = {};
    if (what < 2) {
      state_of(&mutex).owner_plus_one = what == 0 ? thread.index + 1 : 0;
      return ready.make_stale_by(reinterpret_cast<std::uintptr_t>(&mutex));
    }
    if (what == 3) wait_for(thread, mutex);
    if (what == 4) thread.pending.kind = OpKind::kThreadJoin;
    if (what == 4) thread.pending.enabled = never;
    if (what == 5) thread.pending.enabled = [](const VirtualThread&) { return open; };
    if (what == 5 && random.below(8) == 0) thread.pending.deadline = 1000;
    ready.make_own_stale();
  }
  // Something that concerns everybody.
  void disturb() {
    VirtualThread& other = *threads[random.below(kThreads)];
    other.signals = other.signals == 0 ? signal_bit(10) : 0;
    open = !open;
    ready.make_stale();
  }
  std::vector<std::uint64_t> taken() {
    std::vector<std::uint64_t> seen;
    for (std::uint32_t i = 0; i < ready.count(); ++i) seen.push_back(ready.operations()[i].thread.number());
    for (const auto& thread : threads) {
      seen.push_back(1000u + 4u * thread->enabled + 2u * thread->had_to_wait + (ready.lists(*thread) ? 1u : 0u));
    }
    return seen;
  }
};
bool MutexNewsTest::open = false;

// Behind a lock or an unlock only those are asked that wait for that mutex: the list is the one that asking all makes.
TEST_F(MutexNewsTest, OnlyWhoWaitsForTheMutexIsAsked) {
  constexpr unsigned kSteps = 20'000;
  for (unsigned i = 0; i < kThreads; ++i) make_thread();
  unsigned lists[kThreads + 1] = {};
  ready.rebuild();
  for (unsigned step = 0; step < kSteps; ++step) {
    VirtualThread& runs = *threads[random.below(kThreads)];
    go_on(runs);
    if (random.below(4) == 0) go_on(runs);
    if (random.below(16) == 0) disturb();
    std::vector<bool> waited;
    for (const auto& thread : threads) waited.push_back(thread->had_to_wait);
    ready.refresh(runs);
    const std::vector<std::uint64_t> quick = taken();
    for (unsigned i = 0; i < kThreads; ++i) threads[i]->had_to_wait = waited[i];
    ready.rebuild();
    ASSERT_EQ(quick, taken()) << "step " << step;
    ++lists[ready.count()];
  }
  for (unsigned count = 2; count < kThreads; ++count) EXPECT_GT(lists[count], kSteps / 100) << count;
  for (const auto& thread : threads) thread->pending = {};
}

// It was unlocked, and what it was in is gone, be it overwritten or unmapped: nobody waits for it.
TEST_F(MutexNewsTest, AMutexThatIsGoneIsNotLookedAt) {
  for (unsigned i = 0; i < 3; ++i) make_thread();
  pthread_mutex_t overwritten = PTHREAD_MUTEX_INITIALIZER;
  const std::uintptr_t unmapped = 4096;
  wait_for(*threads[2], mutexes[0]);
  for (const std::uintptr_t gone : {reinterpret_cast<std::uintptr_t>(&overwritten), unmapped}) {
    ready.rebuild();
    ready.make_stale_by(gone);
    overwritten.__data.__kind = 0x55555555;
    ready.refresh(*threads[0]);
    EXPECT_EQ(ready.count(), 3u);
  }
  threads[2]->pending = {};
}

TEST_F(ReadySetTest, UnknownThreadsAreAnInternalError) {
  make_thread();
  VirtualThread stranger;
  EXPECT_DEATH(ready.remove(stranger), "a thread that ends has been added");
}

}  // namespace
}  // namespace ravel::rt
