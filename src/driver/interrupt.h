// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SIGINT and SIGTERM become a flag while a guard lives: the campaign ends in order and reports what it has. A second
// signal within the guard ends the tool at once.
#pragma once

#include <signal.h>

namespace ravel {

class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  [[nodiscard]] static bool interrupted();

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

}  // namespace ravel
