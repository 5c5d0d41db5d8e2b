// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rw_upgrade N: N threads read a table and, where something is missing, turn their read lock into a write lock without
// giving it back. Two that do so at once wait for each other's read lock for ever.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class UpgradeLock {
 public:
  void lock_shared() {
    std::unique_lock hold(monitor_);
    while (writing_ || upgrading_) changed_.wait(hold);
    ++readers_;
  }
  void unlock_shared() {
    const std::lock_guard hold(monitor_);
    --readers_;
    changed_.notify_all();
  }
  // Of one who reads. False: somebody else is about to; the read lock is given back.
  bool upgrade() {
    std::unique_lock hold(monitor_);
#ifdef FIXED
    if (upgrading_) {
      --readers_;
      changed_.notify_all();
      return false;
    }
#endif
    upgrading_ = true;
    while (readers_ != 1) changed_.wait(hold);
    readers_ = 0;
    upgrading_ = false;
    writing_ = true;
    return true;
  }
  void unlock() {
    const std::lock_guard hold(monitor_);
    writing_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex monitor_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool upgrading_ = false;
  bool writing_ = false;
};

UpgradeLock table_lock;
int entries = 0;

void find_or_add() {
  for (;;) {
    table_lock.lock_shared();
    if (entries != 0) {
      table_lock.unlock_shared();
      return;
    }
    if (!table_lock.upgrade()) continue;
    ++entries;
    table_lock.unlock();
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(find_or_add);
  for (std::thread& one : all) one.join();
  assert(entries == 1);
}
