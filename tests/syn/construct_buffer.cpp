// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A buffer as a monitor of ravel/monitor.h (P9 to P12): P producers and C consumers of N items each, SLOTS. SU: whoever
// is signalled goes on at once.
#include <ravel/monitor.h>

#include <thread>
#include <vector>

#ifndef N
#define N 1
#endif
#ifdef SU
using Monitor = ravel::monitor_su;
#else
using Monitor = ravel::monitor_sc;
#endif

class Buffer : Monitor {
  ravel::condition not_full{*this, "not_full"};
  ravel::condition not_empty{*this, "not_empty"};
  int full = 0;

  static void wake(ravel::condition& condition) {
#ifdef ALL
    condition.signal_all();
#else
    condition.signal();
#endif
  }

 public:
  Buffer() : Monitor("buffer") {}
  void put() {
    const auto in = enter("put");
#ifdef SU
    if (full == SLOTS) not_full.wait();
#else
    while (full == SLOTS) not_full.wait();
#endif
    ++full;
    wake(not_empty);
  }
  void take() {
    const auto in = enter("take");
#ifdef SU
    if (full == 0) not_empty.wait();
#else
    while (full == 0) not_empty.wait();
#endif
    --full;
    wake(not_full);
  }
};

int main() {
  Buffer buffer;
  std::vector<std::thread> threads;
  for (int i = 0; i < P; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < N; ++n) buffer.put();
    });
  }
  for (int i = 0; i < C; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < N; ++n) buffer.take();
    });
  }
  for (std::thread& thread : threads) thread.join();
}
