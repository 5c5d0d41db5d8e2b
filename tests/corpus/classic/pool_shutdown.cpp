// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pool_shutdown: the pool is told to end and wakes its workers before the flag can be seen under their lock.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::condition_variable work;
std::atomic<bool> ending{false};

void worker() {
  std::unique_lock hold(lock);
  while (!ending) work.wait(hold);
}

}  // namespace

int main() {
  std::thread first(worker);
  std::thread second(worker);
#ifdef FIXED
  {
    std::lock_guard hold(lock);
    ending = true;
  }
#else
  ending = true;
#endif
  work.notify_all();
  first.join();
  second.join();
}
