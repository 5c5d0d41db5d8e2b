// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread publishes the address of a variable on its stack and ends; whether the reader comes in time is up to the
// schedule.
//
// expect: kind=use-after-free threads=T0 lines=use preemptions=0
// options: --strategy random
#include <atomic>
#include <thread>

std::atomic<std::atomic<int>*> published{nullptr};
std::atomic<bool> was_read{false};

void wait_for_reader() {
  while (!was_read.load()) std::this_thread::yield();
}

void work() {
  std::atomic<int> result{42};
  published.store(&result);
#ifdef FIXED
  wait_for_reader();
#endif
}

int main() {
  std::thread other(wait_for_reader);
  std::thread worker(work);
  std::atomic<int>* where = nullptr;
  while ((where = published.load()) == nullptr) std::this_thread::yield();
  where->load();  // here: use
  was_read.store(true);
  worker.join();
  other.join();
  return 0;
}
