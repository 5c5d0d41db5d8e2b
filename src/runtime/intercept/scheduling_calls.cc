// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where and how urgently the kernel is to run a thread. All threads of the program are one to the kernel, and which of
// them runs is the plan's business: what the program asks for itself is accepted, on processors that are the same on
// every machine, and has no effect. Other processes are the kernel's.
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/world/identity.h"

using namespace ravel::rt;

namespace {

int as_call(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

bool is_own(pid_t thread) {
  return is_controlled_process() && (thread == 0 || is_own_thread(thread));
}

constexpr unsigned long kAllProcessors = (1ul << kVirtualProcessors) - 1;

}  // namespace

RAVEL_EXPORT int sched_setaffinity(pid_t thread, std::size_t bytes, const cpu_set_t* set) noexcept {
  if (!is_own(thread)) {
    return as_call(raw_syscall(SYS_sched_setaffinity, thread, static_cast<long>(bytes), reinterpret_cast<long>(set)));
  }
  unsigned char first = 0;
  if (bytes > 0) __builtin_memcpy(&first, set, 1);
  return (first & kAllProcessors) != 0 ? 0 : as_call(-EINVAL);
}

RAVEL_EXPORT int setpriority(__priority_which_t which, id_t who, int value) noexcept {
  if (which == PRIO_PROCESS && is_own(static_cast<pid_t>(who))) return 0;
  return as_call(raw_syscall(SYS_setpriority, which, static_cast<long>(who), value));
}
