// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The last user of a pool joins its thread; when that is the pool's own thread, it joins itself.
//
// expect: kind=exception threads=T1 message=deadlock
#include <atomic>
#include <memory>
#include <thread>

struct Pool {
  std::thread worker;
  ~Pool() {
#ifdef FIXED
    if (worker.get_id() == std::this_thread::get_id()) {
      worker.detach();
      return;
    }
#endif
    worker.join();
  }
};

int main() {
  std::atomic<bool> is_set{false};
  std::atomic<bool> is_over{false};
  auto pool = std::make_shared<Pool>();
  pool->worker = std::thread([copy = pool, &is_set, &is_over]() mutable {
    while (!is_set.load()) std::this_thread::yield();
    copy.reset();
    is_over.store(true);
  });
  is_set.store(true);
  pool.reset();
  while (!is_over.load()) std::this_thread::yield();
  return 0;
}
