// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler of a fault that passes the signal on, as loggers do: it is pending while the process dies of the fault.
//
// isolation: rollback
#include <signal.h>

#include "left_behind.h"

int main() {
  sigset_t waiting;
  sigpending(&waiting);
  assert(sigismember(&waiting, SIGSEGV) == 0);
  signal(SIGSEGV, [](int number) {
    signal(number, SIG_DFL);
    raise(number);
  });
  in_two_threads([](int) {});
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}
