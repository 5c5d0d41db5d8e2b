// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// syscall(): libstdc++ blocks on futexes through it. Calls that have an interceptor of their own take that way;
// everything else goes to the kernel as it is.
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "runtime/entry/takeover.h"
#include "runtime/fiber/home.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/virtual_futex.h"
#include "runtime/world/identity.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

bool is_virtual(long operation) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
      return true;
    default:
      return false;
  }
}

long virtual_futex(long word, long operation, long value, long time, long bits, LocationId location) {
  auto* address = reinterpret_cast<std::uint32_t*>(word);
  const long command = operation & FUTEX_CMD_MASK;
  const bool bitset = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
  const std::uint32_t mask = bitset ? static_cast<std::uint32_t>(bits) : FUTEX_BITSET_MATCH_ANY;
  if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
    return futex_wake(address, static_cast<std::int32_t>(value), mask, location);
  }
  std::uint64_t deadline = kNever;
  if (time != 0) {
    const timespec& when = *reinterpret_cast<const timespec*>(time);
    if (!valid_timespec(&when)) return -EINVAL;
    const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    // FUTEX_WAIT takes a duration, FUTEX_WAIT_BITSET a point in time.
    deadline = bitset ? virtual_deadline(clock, when) : virtual_now() + nanoseconds_of(when);
  }
  return futex_wait({address, static_cast<std::uint32_t>(value), mask, deadline}, location);
}

long virtual_requeue(const long* a, bool compares, LocationId location) {
  FutexRequeue call;
  call.from = reinterpret_cast<std::uint32_t*>(a[0]);
  call.to = reinterpret_cast<std::uint32_t*>(a[4]);
  call.wake = static_cast<std::int32_t>(a[2]);
  call.move = static_cast<std::int32_t>(a[3]);
  call.compares = compares;
  call.expected = static_cast<std::uint32_t>(a[5]);
  if (call.wake < 0 || call.move < 0) return -EINVAL;
  return futex_requeue(call, location);
}

// Calls that show the machine: answered as their functions answer. False: not one of them.
bool as_function(long number, const long* a, long& result) {
  switch (number) {
    case SYS_getpid:
      result = getpid();
      return true;
    case SYS_gettid:
      result = gettid();
      return true;
    case SYS_getppid:
      result = getppid();
      return true;
    case SYS_getrandom:
      result = getrandom(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]), static_cast<unsigned>(a[2]));
      return true;
    case SYS_time:
      result = time(reinterpret_cast<time_t*>(a[0]));
      return true;
    case SYS_gettimeofday:
      result = gettimeofday(reinterpret_cast<timeval*>(a[0]), reinterpret_cast<void*>(a[1]));
      return true;
    case SYS_times:
      result = times(reinterpret_cast<tms*>(a[0]));
      return true;
    case SYS_getrusage:
      result = getrusage(static_cast<int>(a[0]), reinterpret_cast<rusage*>(a[1]));
      return true;
    case SYS_sysinfo:
      result = sysinfo(reinterpret_cast<struct sysinfo*>(a[0]));
      return true;
    case SYS_clock_gettime:
      result = clock_gettime(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
      return true;
    case SYS_kill:
      result = kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
      return true;
    case SYS_tgkill:
      result = tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
      return true;
    default:
      return false;
  }
}

}  // namespace

RAVEL_EXPORT long syscall(long number, ...) noexcept {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  long result = 0;
  if (is_controlled_process() && as_function(number, a, result)) return result;
  if (number == SYS_futex && g.in_control && is_virtual(a[1])) {
    const long command = a[1] & FUTEX_CMD_MASK;
    if (command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE) {
      result = virtual_requeue(a, command == FUTEX_CMP_REQUEUE, RAVEL_CALLER);
    } else {
      result = virtual_futex(a[0], a[1], a[2], a[3], a[5], RAVEL_CALLER);
    }
  } else if (number == SYS_sched_yield && g.in_control) {
    return sched_yield();
  } else {
    result = call_for_program(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    const bool forks = number == SYS_fork || (number == SYS_clone && (a[0] & CLONE_VM) == 0);
    if (forks && result == 0) let_child_go();
  }
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}
