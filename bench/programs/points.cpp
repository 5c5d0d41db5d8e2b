// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One kind of operation in a loop: points WHAT COUNT. Run under a strategy that never preempts.
//   choice   atomic operations while another thread could run: a decision each, no switch
//   forced   atomic operations while the other thread waits for a lock: no decision
//   switch   two threads that yield to each other: a switch each
//   event    plain writes to fresh memory: recorded, no scheduling point
//   lock     an uncontended lock and its unlock
//   thread   creating, starting, ending and joining a thread
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "ticks.h"

namespace {

std::atomic<int> counter{0};
constexpr int kRounds = 5;

// More events than the ring holds, so that its pages are there.
void warm_up() {
  static std::atomic<int> somewhere{0};
  for (int i = 0; i < (1 << 20) + 1000; ++i) somewhere.store(i, std::memory_order_relaxed);
}

// Can always run, and gives way whenever it is let run (fairness: once in many points).
std::thread other_that_yields(int count) {
  return std::thread([count] {
    static std::atomic<int> moved{0};  // a thread that does nothing but yield would be taken to wait for something
    for (int i = 0; i < kRounds * count / 500 + 10; ++i) {
      moved.store(i, std::memory_order_relaxed);
      sched_yield();
    }
  });
}

void count_up(int count) {
  tell_best(kRounds, count, [count] {
    for (int i = 0; i < count; ++i) counter.fetch_add(1, std::memory_order_relaxed);
  });
}

void forced(int count) {
  std::mutex mutex;
  mutex.lock();
  std::thread waiting([&] { const std::lock_guard lock(mutex); });
  std::this_thread::yield();  // it starts and waits
  count_up(count);
  mutex.unlock();
  waiting.join();
}

void choice(int count) {
  std::thread other = other_that_yields(count);
  count_up(count);
  other.join();
}

void switches(int count) {
  std::thread other([count] {
    for (int i = 0; i < (kRounds + 1) * count; ++i) sched_yield();
  });
  sched_yield();
  tell_best(kRounds, 2 * count, [count] {
    for (int i = 0; i < count; ++i) sched_yield();
  });
  other.join();
}

void events(int count) {
  static long memory[512];  // a global: repeated accesses to heap and stacks are not recorded
  std::thread other = other_that_yields(count);
  tell_best(kRounds, count, [&] {
    for (int i = 0; i < count; ++i) {
      memory[i % 512] = i;
      asm volatile("" ::"r"(memory) : "memory");  // each of them is made; volatile ones have a call-out of their own
    }
  });
  other.join();
}

void locks(int count) {
  std::mutex mutex;
  std::thread other = other_that_yields(count);
  tell_best(kRounds, count, [&] {
    for (int i = 0; i < count; ++i) {
      mutex.lock();
      mutex.unlock();
    }
  });
  other.join();
}

void threads(int count) {
  tell_best(kRounds, count, [count] {
    for (int i = 0; i < count; ++i) std::thread([] {}).join();
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view what = argv[1];
  const int count = std::atoi(argv[2]);
  if (count >= 10000) {
    std::mutex mutex;
    mutex.lock();
    std::thread waiting([&] { const std::lock_guard lock(mutex); });
    warm_up();
    mutex.unlock();
    waiting.join();
  }
  if (what == "choice") choice(count);
  if (what == "forced") forced(count);
  if (what == "switch") switches(count);
  if (what == "event") events(count);
  if (what == "lock") locks(count);
  if (what == "thread") threads(count);
  return 0;
}
