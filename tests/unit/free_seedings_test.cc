// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the seedings do: their delay grows with the strength, and a halt lasts for as long as another thread can run.
// Delays are judged by their shortest: a busy machine only makes them longer.
#include "free/noise/seedings.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <thread>

namespace ravel::fr {

// Of the library, which is not part of this test.
FreeBlock* g_block = nullptr;
std::uint64_t time_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}
std::uint64_t now_ns() {
  return time_of(CLOCK_MONOTONIC);
}

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kLongestHalt = 50 * kMillisecond;

std::uint64_t shortest(void (*seeding)(std::uint32_t), std::uint32_t strength, int times = 30,
                       clockid_t clock = CLOCK_MONOTONIC) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < times; ++i) {
    const std::uint64_t begin = time_of(clock);
    seeding(strength);
    least = std::min(least, time_of(clock) - begin);
  }
  return least;
}

// Of its own: a thread that yields is away for as long as others like.
std::uint64_t processor_time(void (*seeding)(std::uint32_t), std::uint32_t strength) {
  return shortest(seeding, strength, 30, CLOCK_THREAD_CPUTIME_ID);
}

TEST(Seedings, TimesAreThoseThatWereAskedFor) {
  for (const auto seeding : {sleep_noise, wait_noise}) {
    EXPECT_GE(shortest(seeding, 5000, 4), 5 * kMillisecond);
    EXPECT_LT(shortest(seeding, 50), 5 * kMillisecond);
  }
}

TEST(Seedings, MoreStrengthIsMoreWork) {
  EXPECT_GT(processor_time(busy_wait_noise, 200'000), 20 * processor_time(busy_wait_noise, 2000));
  EXPECT_GT(processor_time(yield_noise, 1000), 5 * processor_time(yield_noise, 10));
  EXPECT_GT(processor_time(synch_yield_noise, 1000), 5 * processor_time(synch_yield_noise, 10));
}

// The monitor is released for the time of the wait, and held for that of the yields.
TEST(Seedings, WaitersShareTheirMonitorAndYieldersDoNot) {
  std::atomic<bool> waits{false};
  std::thread waiter([&] {
    waits = true;
    wait_noise(600'000);
  });
  while (!waits) std::this_thread::yield();
  EXPECT_LT(shortest(synch_yield_noise, 1, 1), 500 * kMillisecond);
  waiter.join();
  g_monitor.lock();
  std::atomic<bool> done{false};
  std::thread yielder([&] {
    synch_yield_noise(1);
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(done);
  g_monitor.unlock();
  yielder.join();
}

class Halt : public testing::Test {
 protected:
  Halt() {
    g_block = block_;
    block_->thread_count = 3;
    for (int i = 0; i < 3; ++i) block_->threads[i].state = FreeThreadState::kLive;
  }
  ~Halt() override {
    munmap(block_, sizeof(FreeBlock));
    g_block = nullptr;
  }
  void halt_first() {
    halted_ = std::thread([this] {
      const std::uint64_t begin = now_ns();
      resumed_ = halt_noise(thread(0));
      nobody_ran_ = thread(2).state == FreeThreadState::kEnded;
      lasted_ = now_ns() - begin;
    });
  }
  FreeThread& thread(int number) { return block_->threads[number]; }

  // All zero is an empty block, and most of it is never touched.
  FreeBlock* block_ = static_cast<FreeBlock*>(
      mmap(nullptr, sizeof(FreeBlock), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  std::thread halted_;
  bool resumed_ = false;
  bool nobody_ran_ = false;
  std::uint64_t lasted_ = 0;
};

TEST_F(Halt, LastsUntilAllOthersAreBlockedOrHaveEnded) {
  thread(1).waits = OpKind::kMutexLock;
  halt_first();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // while the third one runs
  thread(2).state = FreeThreadState::kEnded;
  halted_.join();
  // A machine so busy that this thread was away for long ends the halt by its limit.
  EXPECT_TRUE(resumed_ ? nobody_ran_ : lasted_ >= kLongestHalt);
}

TEST_F(Halt, IsNoneWhereNobodyElseCanRun) {
  thread(1).waits = OpKind::kThreadJoin;
  thread(2).waits = OpKind::kSleep;
  EXPECT_TRUE(halt_noise(thread(0)));
}

TEST_F(Halt, AThreadThatIsAboutToBeginCanRun) {
  thread(1).waits = OpKind::kCondWait;
  thread(2).state = FreeThreadState::kMade;
  const std::uint64_t begin = now_ns();
  EXPECT_FALSE(halt_noise(thread(0)));  // given up
  EXPECT_GE(now_ns() - begin, kLongestHalt);
}

}  // namespace
}  // namespace ravel::fr
