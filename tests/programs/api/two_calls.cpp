// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two calls of explore(): the first holds under every schedule, the second needs an alternative and a preemption to
// fail. What was made before the calls is there in each execution, as it was; the body's changes are not seen after.
#include <ravel/ravel.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
int prepared = 40;

void good() {
  std::atomic<int> sum{0};
  std::thread first([&sum] { ++sum; });
  std::thread second([&sum] { ++sum; });
  first.join();
  second.join();
  const std::lock_guard<std::mutex> lock(guard);
  ravel::observe("prepared", prepared);
  ravel::check(sum == 2 && prepared == 42, "everything is there");
  prepared = 0;
}

void bad() {
  std::atomic<int> counter{0};
  ravel::label(counter, "the counter");
  const unsigned kind = ravel::choose(3);
  const auto add = [&counter] {
    const ravel::atomic_region meant_as_one;
    const int before = counter;
    counter = before + 1;
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  ravel::observe("counter", counter.load());
  ravel::observe("kind", kind);
  RAVEL_CHECK(counter == 2 || kind != 2);  // here: fails
}

}  // namespace

int main() {
  // Threads and locks before the call are fine: they are virtual as well, or gone.
  std::thread([] {
    const std::lock_guard<std::mutex> lock(guard);
    prepared += 2;
  }).join();
  const ravel::Result fine = ravel::explore(good, {.name = "good", .iterations = 300});
  std::printf("good %d %d %llu prepared %d\n", fine.passed, fine.explored,
              static_cast<unsigned long long>(fine.executions), prepared);
  try {
    ravel::explore(bad, {.name = "bad"});
  } catch (const ravel::exploration_failed& failure) {
    std::printf("caught %s in execution %llu\n", failure.what(),
                static_cast<unsigned long long>(failure.result().failing_execution));
    return 1;
  }
  std::printf("no failure\n");
  return 0;
}
