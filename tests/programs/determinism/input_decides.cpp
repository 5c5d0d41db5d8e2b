// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fails under some schedules, but only when all of a long standard input arrived.
#include <cassert>
#include <iostream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

int main() {
  const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
  const bool armed = input.size() > 10'000;
  std::mutex mutex;
  int balance = 0;
  auto add = [&] {
    int seen = 0;
    {
      const std::lock_guard lock(mutex);
      seen = balance;
    }
    const std::lock_guard lock(mutex);
    balance = seen + 1;
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(!armed || balance == 2);
}
