// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler of a fault that ends the process: its signal is blocked then, and must not be in the next execution.
//
// isolation: rollback
#include <signal.h>
#include <unistd.h>

#include "left_behind.h"

int main() {
  sigset_t before;
  sigprocmask(SIG_SETMASK, nullptr, &before);
  assert(sigismember(&before, SIGSEGV) == 0);
  signal(SIGSEGV, [](int) { _exit(0); });
  in_two_threads([](int) {});
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}
