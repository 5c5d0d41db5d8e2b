// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A token passed round by condition variables, each thread waiting for its own turn; notify_all wakes the wrong ones
// too.
//
// expect: clean
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable changed;
int turn = 0;

void work(int me) {
  for (int round = 0; round < 2; ++round) {
    std::unique_lock<std::mutex> guard(mutex);
    changed.wait(guard, [&] { return turn % 3 == me; });
    ++turn;
    changed.notify_all();
  }
}

}  // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  work(0);
  first.join();
  second.join();
  assert(turn == 6);
  return 0;
}
