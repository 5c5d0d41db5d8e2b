// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock that spins for a while, then sleeps between its attempts, as some libraries have it, beside a thread that
// never waits.
//
// expect: clean
// iterations: 20
// operations: sleep,wake-up,cas
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

namespace {

class SpinThenSleep {
 public:
  void lock() {
    for (int attempt = 0;; ++attempt) {
      bool expected = false;
      if (busy_.compare_exchange_strong(expected, true)) return;
      if (attempt < 10) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(10));
      }
    }
  }
  void unlock() { busy_.store(false); }

 private:
  std::atomic<bool> busy_{false};
};

SpinThenSleep lock;
int value = 0;
std::atomic<int> done{0};
std::atomic<long> idle{0};

void add() {
  for (int i = 0; i < 4; ++i) {
    lock.lock();
    ++value;
    for (int k = 0; k < 20; ++k) std::this_thread::yield();
    lock.unlock();
  }
  ++done;
}

void run_beside() {
  while (done.load() != 2) ++idle;
}

}  // namespace

int main() {
  std::thread beside(run_beside);
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  beside.join();
  assert(value == 8);
  return 0;
}
