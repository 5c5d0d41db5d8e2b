// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// When `new` throws between lock and unlock, the lock stays taken for ever.
//
// expect: kind=deadlock threads=T1|T2 lines=locks preemptions=0 also=misuse
// options: --faults alloc
// injected: allocation failed
#include <memory>
#include <mutex>
#include <new>
#include <thread>

namespace {

std::mutex guard;
std::unique_ptr<int> last;

void put(int value) {
  try {
#ifdef FIXED
    const std::lock_guard<std::mutex> lock(guard);
    last.reset(new int(value));
#else
    guard.lock();  // here: locks
    last.reset(new int(value));
    guard.unlock();
#endif
  } catch (const std::bad_alloc&) {
    // nothing is stored then
  }
}

}  // namespace

int main() {
  try {
    std::thread first(put, 1);
    try {
      std::thread second(put, 2);
      second.join();
    } catch (const std::bad_alloc&) {
      // of the thread's own state
    }
    first.join();
  } catch (const std::bad_alloc&) {
    // the same
  }
}
