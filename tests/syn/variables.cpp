// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Programs of the catalogue on shared variables, by -DPROGRAM=number. Reads and writes are atomic, each by itself: they
// are the steps that count.
#include <ravel/ravel.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

static void run(const std::vector<std::function<void()>>& bodies) {
  std::vector<std::thread> threads;
  for (const auto& body : bodies) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

std::atomic<int> x{0};
std::atomic<int> y{0};

#if PROGRAM == 36  // N threads add one, in two steps
int main() {
  run(std::vector<std::function<void()>>(N, [] { x.store(x.load() + 1); }));
  ravel::observe("x", x.load());
}

#elif PROGRAM == 37  // in one
int main() {
  run(std::vector<std::function<void()>>(N, [] { x.fetch_add(1); }));
  ravel::check(x.load() == N);
}

#elif PROGRAM == 38  // the store buffer, or with PASSING a message
int main() {
  int first = 0;
  int second = 0;
#ifdef PASSING
  run({[] {
         x.store(1);
         y.store(1);
       },
       [&] {
         first = y.load();
         second = x.load();
       }});
  ravel::check(first == 0 || second == 1);
#else
  run({[&] {
         x.store(1);
         first = y.load();
       },
       [&] {
         y.store(1);
         second = x.load();
       }});
  ravel::check(first == 1 || second == 1);
#endif
}
#endif
