// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One thread's wait, followed through the operations of all, against a queue that is kept whole: random sequences of
// waits, wakes and waits that are given up.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "semantics/condvar.h"
#include "semantics/futex.h"
#include "semantics/robust.h"

namespace ravel {
namespace {

constexpr std::uint32_t kThreads = 5;

OperationView op(OpKind kind, std::uint32_t thread, std::uint64_t value = 0, std::uint8_t bits = 0) {
  OperationView view;
  view.kind = kind;
  view.thread = thread;
  view.value = value;
  view.bits = bits;
  return view;
}

struct Waiters {
  std::vector<std::uint32_t> queue;  // first come first
  std::vector<std::uint32_t> woken;  // not resumed yet

  [[nodiscard]] bool is_waiting(std::uint32_t thread) const {
    return std::count(queue.begin(), queue.end(), thread) != 0;
  }
  [[nodiscard]] bool is_woken(std::uint32_t thread) const {
    return std::count(woken.begin(), woken.end(), thread) != 0;
  }
  void wake(std::size_t at) {
    woken.push_back(queue[at]);
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(at));
  }
};

// The next operation on a futex, and what it does to the queue.
OperationView futex_step(Random& random, Waiters& all) {
  const auto thread = static_cast<std::uint32_t>(random.below(kThreads));
  if (all.is_woken(thread)) {
    std::erase(all.woken, thread);
    return op(OpKind::kFutexResume, thread);
  }
  if (all.is_waiting(thread)) {
    std::erase(all.queue, thread);
    return op(OpKind::kFutexResume, thread, 0, random.below(2) != 0 ? kTimeout : kSpurious);
  }
  if (random.below(5) == 0) return op(OpKind::kFutexWait, thread, 0, kFailed);
  if (random.below(2) == 0) {
    all.queue.push_back(thread);
    return op(OpKind::kFutexWait, thread);
  }
  const std::uint32_t count =
      futex_wakes(static_cast<std::uint32_t>(all.queue.size()), static_cast<std::int32_t>(random.below(3)));
  for (std::uint32_t i = 0; i < count; ++i) all.wake(0);
  return op(OpKind::kFutexWake, thread, count);
}

TEST(Followers, FutexWaiterKnowsWhetherItWasWoken) {
  Random random(3);
  unsigned woken = 0;
  for (int round = 0; round < 2'000; ++round) {
    Waiters all;
    std::vector<FutexWaiter> followed;
    for (std::uint32_t t = 0; t < kThreads; ++t) followed.push_back({t});
    for (int i = 0; i < 40; ++i) {
      const OperationView next = futex_step(random, all);
      for (FutexWaiter& one : followed) ASSERT_TRUE(apply(one, next)) << "round " << round << ", step " << i;
      for (const FutexWaiter& one : followed) {
        ASSERT_EQ(one.queue, all.queue.size());
        if (!all.is_waiting(one.thread) && !all.is_woken(one.thread)) continue;
        const bool is_woken = one.waiting == Waiting::kWoken;
        ASSERT_EQ(is_woken, all.is_woken(one.thread)) << "round " << round << ", step " << i;
        ASSERT_EQ(ask(one, op(OpKind::kFutexResume, one.thread), false).enabled, is_woken);
        woken += is_woken;
      }
    }
  }
  EXPECT_GT(woken, 1'000u);
}

// The next operation on a condition variable: a signal wakes anybody.
OperationView cond_step(Random& random, Waiters& all) {
  const auto thread = static_cast<std::uint32_t>(random.below(kThreads));
  if (all.is_woken(thread) || (all.is_waiting(thread) && random.below(4) == 0)) {
    const std::uint8_t why = all.is_woken(thread) ? 0 : kTimeout;
    std::erase(all.woken, thread);
    std::erase(all.queue, thread);
    return op(OpKind::kCondReacquire, thread, 0, why);
  }
  if (all.is_waiting(thread)) return op(OpKind::kCondSignal, kThreads, kNoThread, kFailed);
  const std::uint64_t kind = random.below(3);
  if (kind == 0) {
    all.queue.push_back(thread);
    return op(OpKind::kCondWait, thread);
  }
  if (kind == 1 && !all.queue.empty()) {
    const std::size_t at = random.below(all.queue.size());
    const std::uint32_t chosen = all.queue[at];
    all.wake(at);
    return op(OpKind::kCondSignal, thread, chosen);
  }
  const std::uint64_t count = all.queue.size();
  while (!all.queue.empty()) all.wake(0);
  return op(OpKind::kCondBroadcast, thread, count);
}

TEST(Followers, CondWaitKnowsWhereItsThreadIs) {
  Random random(4);
  unsigned woken = 0;
  for (int round = 0; round < 2'000; ++round) {
    Waiters all;
    std::vector<CondWait> followed;
    for (std::uint32_t t = 0; t < kThreads; ++t) followed.push_back({t, {}});
    for (int i = 0; i < 40; ++i) {
      const OperationView next = cond_step(random, all);
      for (CondWait& one : followed) ASSERT_TRUE(apply(one, next)) << "round " << round << ", step " << i;
      for (const CondWait& one : followed) {
        const Waiting expected = all.is_waiting(one.thread) ? Waiting::kWaits
                                 : all.is_woken(one.thread) ? Waiting::kWoken
                                                            : Waiting::kOutside;
        ASSERT_EQ(one.waiting, expected) << "round " << round << ", step " << i;
        ASSERT_EQ(signal_alternatives(one.state), all.queue.size());
        for (const bool free : {false, true}) {
          const OperationView back = op(OpKind::kCondReacquire, one.thread);
          ASSERT_EQ(ask(one, back, false, free).enabled, free && expected == Waiting::kWoken);
          ASSERT_EQ(ask(one, back, true, free).enabled, free);
        }
        woken += one.waiting == Waiting::kWoken;
      }
    }
  }
  EXPECT_GT(woken, 1'000u);
}

// A robust mutex as POSIX describes it, kept by hand: who owns it, what the last owner left behind.
TEST(SemanticsFollowers, RobustMutexesAgreeWithPosix) {
  enum class Left { kNothing, kDead, kLost };
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    RobustState followed;
    Left left = Left::kNothing;
    std::uint32_t holder = kNoThread;
    bool repaired = true;
    for (int i = 0; i < 40; ++i) {
      const auto thread = static_cast<std::uint32_t>(random.below(kThreads));
      if (holder == kNoThread) {
        const OpKind kind = random.below(2) == 0 ? OpKind::kMutexLock : OpKind::kMutexTryLock;
        const Answer answer = ask(followed, op(kind, thread));
        ASSERT_TRUE(answer.enabled);
        ASSERT_EQ(answer.fails, left == Left::kLost);
        ASSERT_TRUE(apply(followed, op(kind, thread, 0, answer.fails ? kFailed : 0)));
        if (answer.fails) continue;
        holder = thread;
        repaired = left == Left::kNothing;
      } else if (thread != holder) {
        ASSERT_FALSE(ask(followed, op(OpKind::kMutexLock, thread)).enabled);
        ASSERT_TRUE(ask(followed, op(OpKind::kMutexTryLock, thread)).fails);
      } else if (random.below(3) == 0) {  // it ends
        ASSERT_TRUE(apply(followed, op(OpKind::kMutexUnlock, thread, kUnlockByDeath)));
        holder = kNoThread;
        left = Left::kDead;
      } else {
        if (random.below(2) == 0) repaired = true;
        const RobustMark mark = repaired ? RobustMark::kConsistent : RobustMark::kOwnerDied;
        ASSERT_TRUE(apply(followed, op(OpKind::kMutexUnlock, thread, unlock_value(mark))));
        holder = kNoThread;
        left = repaired ? Left::kNothing : Left::kLost;
      }
    }
  }
}

}  // namespace
}  // namespace ravel
