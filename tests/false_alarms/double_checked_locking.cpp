// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Double-checked locking with an acquire load and a release store.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct Single {
  int one = 1;
  int two = 2;
};

std::atomic<Single*> instance{nullptr};
std::mutex mutex;
int made = 0;

Single& get() {
  Single* seen = instance.load(std::memory_order_acquire);
  if (seen == nullptr) {
    const std::lock_guard<std::mutex> guard(mutex);
    seen = instance.load(std::memory_order_relaxed);
    if (seen == nullptr) {
      seen = new Single;
      ++made;
      instance.store(seen, std::memory_order_release);
    }
  }
  return *seen;
}

void work() {
  const Single& single = get();
  assert(single.one + single.two == 3);
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(made == 1);
  delete instance.load();
  return 0;
}
