// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that sorts twenty thousand numbers while another waits for it.
//
// expect: clean
// executions: 300
#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool sorted = false;
  std::vector<int> values(20'000);
  std::thread waiter([&] {
    std::unique_lock<std::mutex> guard(mutex);
    changed.wait(guard, [&] { return sorted; });
    assert(std::is_sorted(values.begin(), values.end()));
  });
  std::mt19937 random(1);
  for (int& value : values) value = static_cast<int>(random() >> 1);
  std::sort(values.begin(), values.end());
  {
    const std::lock_guard<std::mutex> guard(mutex);
    sorted = true;
  }
  changed.notify_one();
  waiter.join();
  return 0;
}
