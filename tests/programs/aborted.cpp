// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// abort from a thread.
//
// expect: kind=signal threads=T1 lines=abort message=SIGABRT|abort
#include <atomic>
#include <cstdlib>
#include <thread>

int main() {
  std::atomic<int> seen{0};
  std::thread judge([&seen] {
    seen.fetch_add(1);
    std::abort();  // here: abort
  });
  std::thread other([&seen] { seen.fetch_add(1); });
  judge.join();
  other.join();
  return 0;
}
