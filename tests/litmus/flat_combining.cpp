// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Flat combining: each thread posts a request, whoever has the lock serves all.
//
// outcomes: 5
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> request[2] = {0, 0};
  std::atomic<int> lock{0};
  int sum = 0;
  int served[2] = {};
  const auto use = [&](int me) {
    request[me].store(1);
    int expected = 0;
    if (!lock.compare_exchange_strong(expected, 1)) return;
    for (int i = 0; i < 2; ++i) {
      if (request[i].load() == 0) continue;
      ++sum;
      ++served[me];
      request[i].store(0);
    }
    lock.store(0);
  };
  std::thread other([&] { use(0); });
  use(1);
  other.join();
  ravel::observe("served", served[0] * 10 + served[1]);
}
