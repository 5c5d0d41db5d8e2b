// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Six philosophers. One execution that does not hang is enough to see the circle; the deadlock is then driven into.
//
// expect: kind=deadlock threads=T1,T2,T3,T4,T5,T6 lines=second preemptions=1
// options: --strategy run-on --iterations 1 --minimize 60s
#include <mutex>
#include <thread>
#include <vector>

constexpr int kPhilosophers = 6;
std::mutex forks[kPhilosophers];

void dine(int seat) {
  int left = seat;
  int right = (seat + 1) % kPhilosophers;
#ifdef FIXED
  if (left > right) {
    const int lower = right;
    right = left;
    left = lower;
  }
#endif
  forks[left].lock();
  forks[right].lock();  // here: second
  forks[right].unlock();
  forks[left].unlock();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kPhilosophers; ++i) threads.emplace_back(dine, i);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
