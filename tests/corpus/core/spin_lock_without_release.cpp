// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Spin lock without release: one way out of the critical section forgets to give the lock back; the next one spins for
// ever.
//
// expect: kind=deadlock|step-limit threads=T2 lines=spin preemptions=0
// operations: load,store,cas
#include <atomic>
#include <thread>

namespace {

class SpinLock {
 public:
  void lock() {
    for (;;) {
      bool expected = false;
      if (busy_.compare_exchange_strong(expected, true)) {
        return;
      }
      while (busy_.load()) {  // here: spin
      }
    }
  }
  void unlock() { busy_.store(false); }

 private:
  std::atomic<bool> busy_{false};
};

class Warehouse {
 public:
  bool sell() {
    lock_.lock();
    if (stock_ == 0) {
#ifdef FIXED
      lock_.unlock();
#endif
      return false;
    }
    --stock_;
    lock_.unlock();
    return true;
  }

  void restock() {
    lock_.lock();
    ++stock_;
    lock_.unlock();
  }

 private:
  SpinLock lock_;
  int stock_ = 0;
};

}  // namespace

int main() {
  Warehouse warehouse;
  std::thread shop([&warehouse] { warehouse.sell(); });
  std::thread supplier([&warehouse] { warehouse.restock(); });
  shop.join();
  supplier.join();
  return 0;
}
