// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A buffer of semaphores (P13, with ONE mutex P14): P producers and C consumers of N items each, SLOTS. Semaphores are
// those of POSIX; with CONSTRUCTS of ravel/semaphore.h, with WHOLE of the standard library (ravel c++ --whole-sync).
#include "semaphores.h"

#include <thread>
#include <vector>

#ifndef N
#define N 1
#endif

Counting empty{SLOTS, "empty"};
Counting full{0, "full"};
Binary at_in{1, "at_in"};
Binary at_out{1, "at_out"};
#ifdef ONE
Binary& out = at_in;
#else
Binary& out = at_out;
#endif

void use(Counting& before, Binary& mutex, Counting& after) {
  before.acquire();
  mutex.acquire();
  mutex.release();
  after.release();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < P; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < N; ++n) use(empty, at_in, full);
    });
  }
  for (int i = 0; i < C; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < N; ++n) use(full, out, empty);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
