// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A reader-writer lock destroyed by the writer that got it after all others had given it back.
//
// expect: clean
#include <atomic>
#include <shared_mutex>
#include <thread>

namespace {

struct Counted {
  std::shared_mutex mutex;
  int users = 3;
  void release() {
    {
      const std::shared_lock<std::shared_mutex> guard(mutex);
      if (users == 0) return;
    }
    mutex.lock();
    const bool last = --users == 0;
    mutex.unlock();
    if (last) delete this;
  }
};

}  // namespace

int main() {
  auto* const counted = new Counted;
  std::thread first([counted] { counted->release(); });
  std::thread second([counted] { counted->release(); });
  counted->release();
  first.join();
  second.join();
  return 0;
}
