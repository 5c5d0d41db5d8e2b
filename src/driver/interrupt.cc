// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "model/exit_code.h"

namespace ravel {
namespace {

volatile sig_atomic_t g_signals = 0;
std::atomic<pid_t> g_groups[512] = {};  // 0: free
static_assert(std::atomic<pid_t>::is_always_lock_free);

void on_end(int) {
  g_signals = g_signals + 1;
  if (g_signals > 1) _exit(kExitInterrupted);  // the program's group dies with us (PR_SET_PDEATHSIG)
}

void signal_groups(int number) {
  for (const std::atomic<pid_t>& group : g_groups) {
    const pid_t leader = group.load(std::memory_order_relaxed);
    if (leader > 1) kill(-leader, number);
  }
}

void on_stop(int) {
  const int saved = errno;
  signal_groups(SIGSTOP);
  kill(getpid(), SIGSTOP);
  signal_groups(SIGCONT);
  errno = saved;
}

void exchange(pid_t from, pid_t to) {
  for (std::atomic<pid_t>& group : g_groups) {
    pid_t expected = from;
    if (group.compare_exchange_strong(expected, to)) return;
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &old_[i]);
    const bool ends = kSignals[i] == SIGINT || kSignals[i] == SIGTERM;
    if (old_[i].sa_handler == SIG_IGN && !ends) continue;  // nohup, or a shell without job control
    action.sa_handler = kSignals[i] == SIGTSTP ? on_stop : on_end;
    action.sa_flags = kSignals[i] == SIGTSTP ? SA_RESTART : 0;
    sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &old_[i], nullptr);
}

bool InterruptGuard::interrupted() {
  return g_signals != 0;
}

void stop_with_us(pid_t group) {
  exchange(0, group);
}

void no_longer_with_us(pid_t group) {
  exchange(group, 0);
}

}  // namespace ravel
