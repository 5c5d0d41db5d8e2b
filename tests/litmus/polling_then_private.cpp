// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// As bounded_polling.cpp, but behind the loop the thread reads memory of its own that has another value than before.
// That is no change that the loop waited for.
//
// expect: incomplete-by-all polling polling_then_private.cpp:22
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

static std::atomic<int> ready{0};

static void show(const char* name, long value) {
  ravel::observe(name, value);
}

// Loops of up to three reads are explored as they are.
static int poll(int most) {
  int round = 0;
  while (round < most && ready.load() == 0) ++round;
  return round;
}

int main(int arguments, char**) {
  std::thread poller([arguments] {
    show("first", poll(arguments + 1));
    show("second", poll(arguments + 4));
  });
  ready.store(1);
  poller.join();
}
