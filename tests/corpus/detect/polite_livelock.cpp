// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads undo each other's work until main tells them to stop; the word to stop can be overwritten, and then they
// never do.
//
// expect: kind=step-limit threads=T1,T2
// cause: livelock
// options: --max-steps 2000 --strategy random --minimize 2s
#include <atomic>
#include <thread>

enum State { kLow, kHigh, kStop };
std::atomic<int> state{kLow};

void pull(State from, State to) {
  int now = 0;
  while ((now = state.load()) != kStop) {
#ifdef FIXED
    now = from;
    state.compare_exchange_strong(now, to);
#else
    if (now == from) state.store(to);
#endif
    std::this_thread::yield();
  }
}

int main() {
  std::thread up(pull, kLow, kHigh);
  std::thread down(pull, kHigh, kLow);
  state.store(kStop);
  up.join();
  down.join();
  return 0;
}
