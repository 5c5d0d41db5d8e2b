// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock that spins, then yields, then sleeps for longer and longer, with three threads and a long critical section.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

class PatientLock {
 public:
  void lock() {
    auto pause = std::chrono::microseconds(1);
    for (int attempt = 0; busy_.exchange(true, std::memory_order_acquire); ++attempt) {
      if (attempt < 4) continue;
      if (attempt < 8) {
        std::this_thread::yield();
        continue;
      }
      std::this_thread::sleep_for(pause);
      pause *= 2;
    }
  }
  void unlock() { busy_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> busy_{false};
};

PatientLock lock;
int guarded = 0;

void work() {
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard<PatientLock> guard(lock);
    for (int k = 0; k < 10; ++k) std::this_thread::yield();
    ++guarded;
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(guarded == 6);
  return 0;
}
