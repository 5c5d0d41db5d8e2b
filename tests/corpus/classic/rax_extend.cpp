// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rax_extend N: a planner looks twice at a counter that an executive raises; N further threads only use locks of their
// own groups. All but two threads are noise.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex plan_lock;
std::atomic<int> plan_count{0};
std::mutex group_locks[4];
int groups[4];

void executive() {
  const std::lock_guard hold(plan_lock);
  plan_count.store((plan_count.load() + 1) % 3);
}

void planner() {
#ifdef FIXED
  const std::lock_guard hold(plan_lock);
#endif
  const int cached = plan_count.load();
  assert(cached == plan_count.load());
}

void task(int number) {
  for (int i = 0; i < 3; ++i) {
    const std::lock_guard hold(group_locks[number % 4]);
    ++groups[number % 4];
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int tasks = argc > 1 ? std::atoi(argv[1]) : 8;
  std::vector<std::thread> all;
  all.emplace_back(planner);
  for (int i = 0; i < tasks; ++i) all.emplace_back(task, i);
  all.emplace_back(executive);
  for (std::thread& one : all) one.join();
}
