// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Programs that would notice what an earlier execution has left behind in their process. Two threads give the schedules
// something to differ in.
#pragma once

#include <atomic>
#include <cassert>
#include <thread>

template <class Work>
void in_two_threads(Work work) {
  std::atomic<int> turn{0};
  std::thread first([&] {
    turn.fetch_add(1);
    work(0);
    turn.fetch_add(1);
  });
  std::thread second([&] {
    turn.fetch_add(1);
    work(1);
    turn.fetch_add(1);
  });
  first.join();
  second.join();
  assert(turn.load() == 4);
}
