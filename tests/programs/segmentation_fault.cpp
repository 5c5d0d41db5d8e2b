// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A write through a null pointer in the second of two threads.
//
// expect: kind=signal threads=T2 lines=write message=SIGSEGV
#include <atomic>
#include <thread>

int main() {
  std::atomic<int*> slot{nullptr};
  std::thread reader([&slot] { slot.load(); });
  std::thread writer([&slot] {
    volatile int* target = slot.load();
    *target = 1;  // here: write
  });
  reader.join();
  writer.join();
  return 0;
}
