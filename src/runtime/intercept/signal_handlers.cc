// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signal handlers of the program, and jumps out of them.
#include "runtime/intercept/export.h"
#include "runtime/signals/signals.h"
#include "runtime/world/library_state.h"

using namespace ravel::rt;

RAVEL_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  RAVEL_PASS_THROUGH(sigaction, number, action, old);
  if (action != nullptr) change_setting(RAVEL_CALLER);
  return change_handler(number, action, old);
}

RAVEL_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction action = {};
  struct sigaction old = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (g.in_control) change_setting(RAVEL_CALLER);
  const int result = g.in_control ? change_handler(number, &action, &old) : real().sigaction(number, &action, &old);
  return result == 0 ? old.sa_handler : SIG_ERR;
}

RAVEL_EXPORT void longjmp(__jmp_buf_tag* environment, int value) noexcept {
  leave_handlers();
  real().longjmp(environment, value);
  __builtin_unreachable();
}

RAVEL_EXPORT void _longjmp(__jmp_buf_tag* environment, int value) noexcept {
  leave_handlers();
  real()._longjmp(environment, value);
  __builtin_unreachable();
}

RAVEL_EXPORT void siglongjmp(__jmp_buf_tag* environment, int value) noexcept {
  leave_handlers();
  real().siglongjmp(environment, value);
  __builtin_unreachable();
}

RAVEL_EXPORT void __longjmp_chk(__jmp_buf_tag* environment, int value) {
  leave_handlers();
  real().__longjmp_chk(environment, value);
  __builtin_unreachable();
}
