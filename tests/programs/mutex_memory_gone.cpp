// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mutexes whose memory is gone right behind their unlock, without a scheduling point in between: std::mutex has no
// destroy. A mutex that nobody waits for must not be read any more, be it written over or unmapped.
//
// expect: clean
// iterations: 300
// operations: lock,unlock,rmw
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

namespace {

std::atomic<int> steps{0};
std::mutex other;

void beside() {
  for (int i = 0; i < 4; ++i) {
    const std::lock_guard<std::mutex> guard(other);
    steps.fetch_add(1);
  }
}

}  // namespace

int main() {
  std::thread thread(beside);
  for (int i = 0; i < 4; ++i) {
    constexpr std::size_t kPage = 4096;
    void* const page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return 2;
    auto* const mutex = new (page) std::mutex;
    mutex->lock();
    mutex->unlock();
    if (i % 2 == 0) {
      std::memset(page, 0x55, kPage);
    } else {
      munmap(page, kPage);
    }
    steps.fetch_add(1);
  }
  thread.join();
  return steps.load() == 8 ? 0 : 3;
}
