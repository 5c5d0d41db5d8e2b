// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that sorts memory of its own while another one waits: accesses that are no scheduling points do not count
// towards the limit of steps.
//
// expect: clean
// iterations: 3
// options: --max-steps 1000
// cut: 0
// operations: read,write,lock
#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  mutex.lock();
  std::thread waiting([&mutex] { const std::lock_guard<std::mutex> guard(mutex); });
  std::vector<unsigned> numbers(50'000);
  unsigned next = 1;
  for (unsigned& number : numbers) number = next = next * 1664525u + 1013904223u;
  std::sort(numbers.begin(), numbers.end());
  mutex.unlock();
  waiting.join();
  return std::is_sorted(numbers.begin(), numbers.end()) ? 0 : 1;
}
