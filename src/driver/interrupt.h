// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signals that a person sends. SIGINT, SIGTERM, SIGHUP and SIGQUIT become a flag while a guard lives: the campaign ends
// in order, cleans up and reports what it has; a second one ends the tool at once. SIGTSTP (Ctrl-Z) stops the groups of
// tested programs as well, and they go on with us. What was ignored when the tool started stays ignored.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>

namespace ravel {

class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  [[nodiscard]] static bool interrupted();

 private:
  static constexpr std::array<int, 5> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
  std::array<struct sigaction, kSignals.size()> old_{};
};

// Process groups that stop and go on with the tool. More than fit are left alone.
void stop_with_us(pid_t group);
void no_longer_with_us(pid_t group);

}  // namespace ravel
