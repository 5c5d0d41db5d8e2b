// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Both threads see that the buffer is still there, and both free it.
//
// expect: kind=double-free threads=T1,T2 lines=allocated,freed preemptions=1 also=data-race
#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<void*> buffer{nullptr};

void close_buffer() {
#ifdef FIXED
  std::free(buffer.exchange(nullptr));
#else
  void* const seen = buffer;
  if (seen == nullptr) return;
  std::free(seen);  // here: freed
  buffer = nullptr;
#endif
}

}  // namespace

int main() {
  buffer = std::malloc(100);  // here: allocated
  std::thread first(close_buffer);
  std::thread second(close_buffer);
  first.join();
  second.join();
}
