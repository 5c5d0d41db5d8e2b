// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/system_call_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "runtime/platform/raw.h"

namespace ravel {

namespace {

using rt::raw_syscall;

void execute(SystemCall& call) {
  const long* a = call.arguments;
  call.result = raw_syscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  call.executed = true;
}

bool is_open(long fd) {
  return raw_syscall(SYS_fcntl, fd, F_GETFD) >= 0;
}

// Leave nothing behind in this process: they look, or act on what a descriptor stands for, which a child of ours would
// share as well.
bool leaves_nothing(long number) {
  // clang-format off
  switch (number) {
    case SYS_read: case SYS_write: case SYS_readv: case SYS_writev: case SYS_pread64: case SYS_pwrite64:
    case SYS_preadv: case SYS_pwritev: case SYS_preadv2: case SYS_pwritev2: case SYS_lseek: case SYS_sendfile:
    case SYS_splice: case SYS_tee: case SYS_copy_file_range: case SYS_fallocate: case SYS_ftruncate:
    case SYS_truncate: case SYS_fsync: case SYS_fdatasync: case SYS_sync: case SYS_syncfs:
    case SYS_stat: case SYS_fstat: case SYS_lstat: case SYS_newfstatat: case SYS_statx: case SYS_statfs:
    case SYS_fstatfs: case SYS_access: case SYS_faccessat: case SYS_faccessat2: case SYS_readlink:
    case SYS_readlinkat: case SYS_getdents: case SYS_getdents64: case SYS_getcwd: case SYS_unlink:
    case SYS_unlinkat: case SYS_mkdir: case SYS_mkdirat: case SYS_rmdir: case SYS_rename: case SYS_renameat:
    case SYS_renameat2: case SYS_link: case SYS_linkat: case SYS_symlink: case SYS_symlinkat: case SYS_chmod:
    case SYS_fchmod: case SYS_fchmodat: case SYS_chown: case SYS_fchown: case SYS_lchown: case SYS_fchownat:
    case SYS_utimensat: case SYS_mknod: case SYS_mknodat: case SYS_poll: case SYS_ppoll: case SYS_select:
    case SYS_pselect6: case SYS_epoll_wait: case SYS_epoll_pwait: case SYS_epoll_pwait2: case SYS_epoll_ctl:
    case SYS_sendto: case SYS_recvfrom: case SYS_sendmsg: case SYS_recvmsg: case SYS_sendmmsg:
    case SYS_recvmmsg: case SYS_shutdown: case SYS_bind: case SYS_listen: case SYS_connect:
    case SYS_getsockname: case SYS_getpeername: case SYS_setsockopt: case SYS_getsockopt: case SYS_ioctl:
    case SYS_timerfd_settime: case SYS_timerfd_gettime: case SYS_inotify_add_watch: case SYS_inotify_rm_watch:
    case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_clock_gettime: case SYS_clock_getres:
    case SYS_gettimeofday: case SYS_time: case SYS_times: case SYS_getpid: case SYS_gettid: case SYS_getppid:
    case SYS_getuid: case SYS_geteuid: case SYS_getgid: case SYS_getegid: case SYS_getresuid:
    case SYS_getresgid: case SYS_getgroups: case SYS_getpgrp: case SYS_getpgid: case SYS_getsid:
    case SYS_getpriority: case SYS_getrlimit: case SYS_getrusage: case SYS_sysinfo: case SYS_uname:
    case SYS_capget: case SYS_getcpu: case SYS_getitimer: case SYS_sched_yield: case SYS_sched_getaffinity:
    case SYS_sched_getparam: case SYS_sched_getscheduler: case SYS_sched_get_priority_max:
    case SYS_sched_get_priority_min: case SYS_sched_rr_get_interval: case SYS_futex: case SYS_membarrier:
    case SYS_getrandom: case SYS_madvise: case SYS_mincore: case SYS_msync: case SYS_wait4: case SYS_waitid:
    case SYS_rt_sigpending: case SYS_rt_sigtimedwait: case SYS_get_robust_list: case SYS_process_vm_readv:
      return true;
    default:
      return false;
  }
  // clang-format on
}

bool opens_descriptor(long number) {
  // clang-format off
  switch (number) {
    case SYS_open: case SYS_openat: case SYS_openat2: case SYS_creat: case SYS_socket: case SYS_accept:
    case SYS_accept4: case SYS_dup: case SYS_eventfd: case SYS_eventfd2: case SYS_epoll_create:
    case SYS_epoll_create1: case SYS_signalfd: case SYS_signalfd4: case SYS_timerfd_create:
    case SYS_inotify_init: case SYS_inotify_init1: case SYS_memfd_create: case SYS_pidfd_open:
      return true;
    default:
      return false;
  }
  // clang-format on
}

const char* run_memory_call(SystemCall& call, KernelUndo& undo) {
  const auto address = static_cast<std::uintptr_t>(call.arguments[0]);
  const auto bytes = static_cast<std::size_t>(call.arguments[1]);
  const bool own = undo.is_own_mapping(address, bytes);
  switch (call.number) {
    case SYS_mmap: {
      const bool fixed = (call.arguments[3] & MAP_FIXED) != 0;
      if (fixed && !own) return "it maps memory over what was there";
      execute(call);
      const bool failed = call.result < 0 && call.result > -4096;
      return failed || undo.mapped(static_cast<std::uintptr_t>(call.result), bytes) ? nullptr
                                                                                    : "it maps memory too often";
    }
    case SYS_munmap:
      if (!own) return "it unmaps memory that was there before it";
      execute(call);
      return nullptr;
    case SYS_mprotect:
      if (!own) return "it changes the protection of memory that was there before it";
      execute(call);
      return nullptr;
    default:
      return "it moves mapped memory";
  }
}

// pipe, pipe2, socketpair: two descriptors come back in memory.
const char* open_pair(SystemCall& call, const int* pair, KernelUndo& undo) {
  execute(call);
  if (call.result != 0) return nullptr;
  const bool noted = undo.opened(pair[0]) && undo.opened(pair[1]);
  return noted ? nullptr : "it opens too many files";
}

// Locks go when the descriptor is closed, which an inherited one is not.
constexpr const char* kLocksInherited = "it locks a file that it has inherited";
bool sets_lock(long command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

const char* run_descriptor_call(SystemCall& call, KernelUndo& undo) {
  const long* a = call.arguments;
  switch (call.number) {
    case SYS_close:
      if (!undo.is_own(a[0]) && is_open(a[0])) return "it closes a descriptor that it has inherited";
      undo.closed(a[0]);
      execute(call);
      return nullptr;
    case SYS_dup2:
    case SYS_dup3:
      if (!undo.is_own(a[1]) && is_open(a[1])) return "it replaces a descriptor that it has inherited";
      undo.closed(a[1]);
      execute(call);
      return undo.opened(call.result) ? nullptr : "it opens too many files";
    case SYS_flock:
      if (!undo.is_own(a[0]) && is_open(a[0])) return kLocksInherited;
      execute(call);
      return nullptr;
    case SYS_fcntl:
      if (a[1] == F_SETFD && !undo.is_own(a[0])) return "it changes a descriptor that it has inherited";
      if (sets_lock(a[1]) && !undo.is_own(a[0]) && is_open(a[0])) return kLocksInherited;
      execute(call);
      if (a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC)
        return undo.opened(call.result) ? nullptr : "it opens too many files";
      return nullptr;
    case SYS_pipe:
    case SYS_pipe2:
      return open_pair(call, reinterpret_cast<const int*>(a[0]), undo);
    default:
      return open_pair(call, reinterpret_cast<const int*>(a[3]), undo);
  }
}

// Those that change the process itself.
const char* run_process_call(SystemCall& call, KernelUndo& undo) {
  const long* a = call.arguments;
  switch (call.number) {
    case SYS_rt_sigaction:
      if (a[1] != 0 && !undo.will_change_action(static_cast<int>(a[0]))) return "it handles SIGSYS";
      break;
    case SYS_sigaltstack:
      if (a[0] != 0) return "it sets an alternate signal stack";
      break;
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
      undo.sent_signal();
      break;
    case SYS_brk:
      if (!undo.will_set_break(static_cast<std::uintptr_t>(a[0]))) return "it shrinks the data segment";
      break;
    case SYS_chdir:
    case SYS_fchdir:
      undo.changed_directory();
      break;
    case SYS_umask:
      undo.changed_mask();
      break;
    case SYS_prlimit64:
      if (a[2] != 0) return "it changes its resource limits";
      break;
    case SYS_prctl:
      if (a[0] != PR_GET_NAME && a[0] != PR_GET_DUMPABLE && a[0] != PR_GET_PDEATHSIG) return "it calls prctl";
      break;
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
      return "it makes child processes or threads of its own";
    case SYS_execve:
    case SYS_execveat:
      return "it replaces itself by another program";
    case SYS_setitimer:
    case SYS_alarm:
    case SYS_timer_create:
      return "it sets a timer that sends signals";
    case SYS_rt_sigsuspend:
    case SYS_pause:
      return "it waits for a signal";
    default:
      return "it makes a system call that cannot be taken back";
  }
  execute(call);
  return nullptr;
}

bool is_stream_call(long number) {
  // clang-format off
  switch (number) {
    case SYS_read: case SYS_write: case SYS_readv: case SYS_writev: case SYS_lseek: case SYS_ftruncate:
    case SYS_pwrite64: case SYS_sendfile: case SYS_splice: case SYS_dup:
      return true;
    default:
      return false;
  }
  // clang-format on
}

}  // namespace

const char* obey_rules(SystemCall& call, KernelUndo& undo) {
  if (is_stream_call(call.number)) undo.used_streams();
  if (leaves_nothing(call.number)) {
    execute(call);
    return nullptr;
  }
  if (opens_descriptor(call.number)) {
    execute(call);
    return undo.opened(call.result) ? nullptr : "it opens too many files";
  }
  switch (call.number) {
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_mremap:
      return run_memory_call(call, undo);
    case SYS_close:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_fcntl:
    case SYS_flock:
    case SYS_pipe:
    case SYS_pipe2:
    case SYS_socketpair:
      return run_descriptor_call(call, undo);
    default:
      return run_process_call(call, undo);
  }
}

}  // namespace ravel
