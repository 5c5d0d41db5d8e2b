// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A loop that gives up after six reads: from the fourth equal one on reads are no points, so the schedules in which the
// store comes between later reads are not run. No search may call that complete, and each names the loop.
//
// expect: incomplete-by-all polling bounded_polling.cpp:18
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main(int arguments, char**) {
  std::atomic<int> ready{0};
  int polls = 0;
  std::thread poller([&] {
    int round = 0;
    while (round < arguments + 5 && ready.load() == 0) ++round;
    polls = round;
  });
  ready.store(1);
  poller.join();
  ravel::observe("polls", polls);
}
