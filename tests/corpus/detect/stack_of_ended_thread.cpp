// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread publishes the address of a variable on its stack and ends; whether the reader comes in time is up to the
// schedule.
//
// expect: kind=use-after-free threads=T0 lines=use also=exit-code
#include <atomic>
#include <thread>

std::atomic<std::atomic<int>*> published{nullptr};
std::atomic<bool> may_end{false};

void work() {
  std::atomic<int> result{42};
  published.store(&result);
#ifdef FIXED
  while (!may_end.load()) std::this_thread::yield();
#endif
}

int main() {
  std::thread worker(work);
  std::atomic<int>* where = nullptr;
  while ((where = published.load()) == nullptr) std::this_thread::yield();
  const int value = where->load();  // here: use
  may_end.store(true);
  worker.join();
  return value == 42 ? 0 : 1;
}
