// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Process and thread numbers, signals sent by number, and what the machine looks like: the same in every execution and
// on every machine.
#include "runtime/world/identity.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/world/uncontrolled_calls.h"

using namespace ravel::rt;

namespace {
int as_call(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}
}  // namespace

RAVEL_EXPORT pid_t getpid() noexcept {
  return is_controlled_process() ? kVirtualProcess : static_cast<pid_t>(raw_syscall(SYS_getpid));
}

RAVEL_EXPORT pid_t getppid() noexcept {
  return is_controlled_process() ? kVirtualParent : static_cast<pid_t>(raw_syscall(SYS_getppid));
}

RAVEL_EXPORT pid_t gettid() noexcept {
  return is_controlled_process() ? virtual_thread_number() : static_cast<pid_t>(raw_syscall(SYS_gettid));
}

RAVEL_EXPORT pid_t getpgrp() noexcept {
  return is_controlled_process() ? kVirtualProcess : static_cast<pid_t>(raw_syscall(SYS_getpgrp));
}

RAVEL_EXPORT pid_t getpgid(pid_t process) noexcept {
  if (is_controlled_process() && (process == 0 || is_own_thread(process))) return kVirtualProcess;
  return as_call(raw_syscall(SYS_getpgid, process));
}

RAVEL_EXPORT pid_t getsid(pid_t process) noexcept {
  if (is_controlled_process() && (process == 0 || is_own_thread(process))) return kVirtualParent;
  return as_call(raw_syscall(SYS_getsid, process));
}

RAVEL_EXPORT int setpgid(pid_t process, pid_t group) noexcept {
  if (!is_controlled_process()) return as_call(raw_syscall(SYS_setpgid, process, group));
  if (process != 0 && !is_own_thread(process)) return as_call(raw_syscall(SYS_setpgid, process, kernel_process(group)));
  // The program leads its group already; leaving it would take it out of the driver's reach.
  return 0;
}

RAVEL_EXPORT int killpg(pid_t group, int number) noexcept {
  if (group < 0) {
    errno = EINVAL;
    return -1;
  }
  return kill(-group, number);
}

RAVEL_EXPORT int sched_getcpu() noexcept {
  RAVEL_PASS_THROUGH(sched_getcpu);
  return 0;
}

RAVEL_EXPORT int get_nprocs() noexcept {
  RAVEL_PASS_THROUGH(get_nprocs);
  return kVirtualProcessors;
}

RAVEL_EXPORT int get_nprocs_conf() noexcept {
  RAVEL_PASS_THROUGH(get_nprocs_conf);
  return kVirtualProcessors;
}

RAVEL_EXPORT long sysconf(int name) noexcept {
  RAVEL_PASS_THROUGH(sysconf, name);
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return kVirtualProcessors;
  return real().sysconf(name);
}
