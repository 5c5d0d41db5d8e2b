// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A crash handler that prints and passes the signal on, as loggers install it: the report still names the faulting
// line.
//
// expect: kind=signal threads=T1 lines=fault
// output: crash handler
#include <signal.h>
#include <unistd.h>

#include <thread>

static void on_crash(int number) {
  constexpr char kText[] = "crash handler\n";
  (void)!write(2, kText, sizeof kText - 1);
  signal(number, SIG_DFL);
  raise(number);
}

int main() {
  signal(SIGSEGV, on_crash);
  std::thread careless([] {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;  // here: fault
  });
  std::thread other([] {});
  careless.join();
  other.join();
  return 0;
}
