// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// block_barrier N: a barrier for N threads that is used twice. Who wakes up asks whether the count was reset instead of
// whether its round is over: a thread of the next round arrives before it has looked, and it waits for ever.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
std::condition_variable all_here;
int parties = 0;
int arrived = 0;
int round_number = 0;

void await() {
  std::unique_lock hold(lock);
  const int mine = round_number;
  if (++arrived == parties) {
    arrived = 0;
    ++round_number;
    all_here.notify_all();
    return;
  }
#ifdef FIXED
  while (round_number == mine) all_here.wait(hold);
#else
  (void)mine;
  while (arrived != 0) all_here.wait(hold);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  parties = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<std::thread> all;
  for (int i = 0; i < parties; ++i) {
    all.emplace_back([] {
      await();
      await();
    });
  }
  for (std::thread& one : all) one.join();
}
