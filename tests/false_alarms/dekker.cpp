// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Dekker's mutual exclusion of two threads.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<bool> wants[2];
std::atomic<int> turn{0};
int guarded = 0;

void enter(int me) {
  const int other = 1 - me;
  wants[me] = true;
  while (wants[other]) {
    if (turn == me) continue;
    wants[me] = false;
    while (turn != me) std::this_thread::yield();
    wants[me] = true;
  }
}

void leave(int me) {
  turn = 1 - me;
  wants[me] = false;
}

void work(int me) {
  for (int i = 0; i < 2; ++i) {
    enter(me);
    ++guarded;
    leave(me);
  }
}

}  // namespace

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
  assert(guarded == 4);
  return 0;
}
