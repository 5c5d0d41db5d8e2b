// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/interrupt.h"

#include <unistd.h>

namespace ravel {
namespace {

volatile sig_atomic_t g_signals = 0;

void on_signal(int) {
  g_signals = g_signals + 1;
  if (g_signals > 1) _exit(130);  // the program's group dies with us (PR_SET_PDEATHSIG)
}

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

bool InterruptGuard::interrupted() {
  return g_signals != 0;
}

}  // namespace ravel
