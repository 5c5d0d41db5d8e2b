// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// syscall(): the C++ library blocks on futexes through it (std::atomic::wait, latch, barrier, counting_semaphore,
// futures, guards of function-local statics), and shows here that it waits. What these order is recorded where their
// atomics are.
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "free/callers.h"
#include "free/library.h"
#include "free/recorder.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

bool is_wait(long operation) {
  const long command = operation & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

bool is_fork(long number, const long* a) {
  return number == SYS_fork || (number == SYS_clone && (a[0] & CLONE_VM) == 0);
}

long pass_on(long number, const long* a) {
  return library().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

}  // namespace

RAVEL_FREE_EXPORT long syscall(long number, ...) noexcept {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  FreeThread* const self = t_self;
  if (self != nullptr && number == SYS_futex && is_wait(a[1])) {
    const std::uintptr_t pc = user_caller(RAVEL_FREE_CALLER);
    const Waits waits(*self, OpKind::kFutexWait, static_cast<std::uint64_t>(a[0]), pc, a[3] != 0);
    return pass_on(number, a);
  }
  const long result = pass_on(number, a);
  if (is_fork(number, a) && result == 0 && g_block != nullptr) leave_in_child();
  return result;
}
