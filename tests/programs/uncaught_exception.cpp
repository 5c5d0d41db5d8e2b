// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An exception that leaves a thread.
//
// expect: kind=exception threads=T1 lines=throw message=ledger
#include <atomic>
#include <stdexcept>
#include <thread>

int main() {
  std::atomic<int> entries{0};
  std::thread auditor([&entries] {
    if (entries.load() == 0) {
      throw std::logic_error("ledger is empty");  // here: throw
    }
  });
  std::thread clerk([&entries] { entries.store(1); });
  auditor.join();
  clerk.join();
  return 0;
}
