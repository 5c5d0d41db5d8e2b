// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Peterson's mutual exclusion: sequentially consistent where it must be, acquire and release elsewhere.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<bool> wants[2];
std::atomic<int> last{0};
int guarded = 0;

void work(int me) {
  for (int i = 0; i < 2; ++i) {
    wants[me].store(true, std::memory_order_relaxed);
    last.exchange(me, std::memory_order_seq_cst);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    while (wants[1 - me].load(std::memory_order_acquire) && last.load(std::memory_order_acquire) == me) {
    }
    ++guarded;
    wants[me].store(false, std::memory_order_release);
  }
}

}  // namespace

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
  assert(guarded == 4);
  return 0;
}
