// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A loop without any call-out: nothing the scheduler could take over, only the watchdog sees it.
//
// expect: kind=hang
// native: no
// iterations: 3
// options: --hang 1s
#include <atomic>
#include <thread>

namespace {

__attribute__((no_sanitize("thread"), noinline)) void grind(const volatile int* stop) {
  while (*stop == 0) {
  }
}

}  // namespace

int main() {
  std::atomic<int> began{0};
  volatile int stop = 0;
  std::thread grinder([&] {
    began.fetch_add(1);
    grind(&stop);
  });
  std::thread other([&] { began.fetch_add(1); });
  grinder.join();
  other.join();
  return 0;
}
