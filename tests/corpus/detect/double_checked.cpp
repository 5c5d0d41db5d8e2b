// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Double-checked locking with a relaxed first look.
//
// expect: kind=order-violation threads=T1,T2 lines=set,look preemptions=0 also=data-race message=without.acquire
// options: --detect double-checked
#include <atomic>
#include <mutex>
#include <thread>

#ifdef FIXED
constexpr auto kLook = std::memory_order_acquire;
#else
constexpr auto kLook = std::memory_order_relaxed;
#endif

std::atomic<int*> shared{nullptr};
int storage = 0;
std::mutex mutex;

int* instance() {
  int* seen = shared.load(kLook);  // here: look
  if (seen != nullptr) return seen;
  std::lock_guard<std::mutex> guard(mutex);
  seen = shared.load(std::memory_order_relaxed);
  if (seen == nullptr) {
    storage = 42;
    seen = &storage;
    shared.store(seen, std::memory_order_release);  // here: set
  }
  return seen;
}

int main() {
  std::thread one([] { instance(); });
  std::thread two([] { instance(); });
  one.join();
  two.join();
  return 0;
}
