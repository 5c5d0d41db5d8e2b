// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A detached thread uses a variable of main; main may have returned by then.
//
// expect: kind=use-after-free threads=T1 lines=use message=main.has.returned
#include <atomic>
#include <thread>

int main() {
  std::atomic<int> ticks{0};
  std::thread ticker([&ticks] {
    ticks.fetch_add(1);  // here: use
#ifndef FIXED
    ticks.fetch_add(1);
#endif
  });
  ticker.detach();
  while (ticks.load() == 0) std::this_thread::yield();
  return 0;
}
