// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What main does while all other threads are joined has no other order, so it is not recorded: phases NAME N. Main
// stores kBetween times between two phases of threads and kAfter times after the last join. The numbers are in
// tests/system/exhaustive.py.
#include <ravel/ravel.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr int kBetween = 7;
constexpr int kAfter = 11;
constexpr int kMost = 6;

std::atomic<int> x{0}, y{0};
int plain = 0;
int n = 0;

template <class Body>
void phase(const Body& body) {
  std::thread threads[kMost];
  for (int i = 0; i < n; ++i) threads[i] = std::thread(body, i);
  for (int i = 0; i < n; ++i) threads[i].join();
}

void store(int times, int last) {
  for (int i = times - 1; i >= 0; --i) x.store(last - i);
}

// (n!)^2 orders.
void increments() {
  phase([](int) { y.fetch_add(1); });
  store(kBetween, 50);
  phase([](int) { y.fetch_add(1); });
  store(kAfter, 60);
}

// n! orders of the stores, then whoever comes first finds what main has stored: n.
void values() {
  phase([](int i) { x.store(i + 1); });
  store(kBetween, 100);
  phase([](int i) {
    int expected = 100;
    x.compare_exchange_strong(expected, i + 1);
  });
  store(kAfter, 60);
}

// The first thread of the second phase finds main's store unless another one has come before it.
void assertion() {
  phase([](int i) { x.store(i + 1); });
  store(kBetween, 100);
  phase([](int i) {
    if (i != 0) x.store(i);
    if (i == 0) assert(x.load() == 100);
  });
}

// The second phase is started and joined by a thread of the first: main is alone only when that one is joined too.
void nested() {
  std::thread([] {
    phase([](int) { y.fetch_add(1); });
    x.store(1);
  }).join();
  store(kAfter, 60);
}

// One thread is never joined: what main does after the last join can come before what that thread does.
void detached() {
  std::thread([] {
    plain = 1;
    y.store(1);
  }).detach();
  phase([](int) {});
  ravel::observe("plain", plain);
  ravel::observe("y", y.load());
}

struct Row {
  const char* name;
  void (*body)();
};
constexpr Row kPrograms[] = {{"increments", increments},
                             {"values", values},
                             {"assertion", assertion},
                             {"nested", nested},
                             {"detached", detached}};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) n = std::atoi(argv[2]);
  for (const Row& program : kPrograms) {
    if (argc < 3 || std::strcmp(program.name, argv[1]) != 0) continue;
    program.body();
    return 0;
  }
  std::fprintf(stderr, "phases NAME N\n");
  return 2;
}
