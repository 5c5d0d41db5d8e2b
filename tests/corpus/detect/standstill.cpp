// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads that let each other go first. They say where they make progress, and never come there; an event loop that
// does, is not taken for endless although it goes round many times.
//
// expect: kind=step-limit threads=T1,T2
// cause: livelock
// options: --max-steps 1500 --strategy random --minimize 2s
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

#ifdef FIXED
std::atomic<int> posted{0};
std::atomic<int> taken{0};

void loop() {
  while (taken.load() < 400) {
    if (posted.load() == taken.load()) {
      std::this_thread::yield();
      continue;
    }
    taken.fetch_add(1);
    ravel::progress();
  }
}

void feed() {
  while (posted.load() < 400) {
    posted.fetch_add(1);
    ravel::progress();
  }
}
#else
std::atomic<int> wants[2];
std::atomic<int> turn{0};

void enter(int me) {
  wants[me].store(1);
  for (;;) {
    while (turn.load() != me) std::this_thread::yield();
    if (wants[1 - me].load() == 0) break;
    turn.store(1 - me);  // after you
  }
  ravel::progress();
  wants[me].store(0);
  turn.store(1 - me);
}
void loop() {
  enter(0);
}
void feed() {
  enter(1);
}
#endif

int main() {
  std::thread one(loop);
  std::thread two(feed);
  one.join();
  two.join();
  return 0;
}
