// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A function publishes the address of its variable and returns while another thread still uses it.
//
// expect: kind=use-after-free threads=T0 lines=use message=has.returned
// options: --strategy random
#include <atomic>
#include <thread>

std::atomic<std::atomic<int>*> published{nullptr};
std::atomic<bool> was_used{false};
std::atomic<bool> may_end{false};

[[gnu::noinline]] void offer() {
  std::atomic<int> result{42};
  published.store(&result);
#ifdef FIXED
  while (!was_used.load()) std::this_thread::yield();
#endif
}

void work() {
  offer();
  while (!may_end.load()) std::this_thread::yield();
}

int main() {
  std::thread worker(work);
  std::atomic<int>* where = nullptr;
  while ((where = published.load()) == nullptr) std::this_thread::yield();
  where->store(7);  // here: use
  was_used.store(true);
  may_end.store(true);
  worker.join();
  return 0;
}
