// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A read through a null pointer: the runtime looks at the value before the program does, and the program's line is
// told.
//
// expect: kind=signal threads=T2 lines=read message=SIGSEGV
#include <atomic>
#include <thread>

int main() {
  std::atomic<int*> slot{nullptr};
  std::atomic<int> sum{0};
  std::thread other([&slot] { slot.load(); });
  std::thread reader([&] {
    const int* target = slot.load();
    sum += *target;  // here: read
  });
  other.join();
  reader.join();
  return 0;
}
