// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where and how urgently the kernel is to run a thread. All threads of the program are one to the kernel, and which of
// them runs is the plan's business: what the program asks for itself is accepted, on processors that are the same on
// every machine, told when it asks, and has no effect. Other processes are the kernel's.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/sync/lifecycle.h"
#include "runtime/world/identity.h"

using namespace ravel;
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

constexpr unsigned char kAllProcessors = (1u << kVirtualProcessors) - 1;

// What a thread has asked for; all zero: nothing.
struct Wish {
  unsigned char processors;
  signed char niceness;
};
constexpr std::size_t kWishes = 1024;
Wish wishes[kWishes];
Wish forgotten;  // of all later threads

Wish& wish_of(ThreadIndex thread) {
  return thread < kWishes ? wishes[thread.number()] : forgotten;
}
Wish& wish_of_number(pid_t number) {
  if (number != 0) return wish_of(thread_with_number(number));
  return g.in_control ? wish_of(g.current->index) : forgotten;
}

// Results are errno numbers.
int wish_for_processors(Wish& wish, std::size_t bytes, const cpu_set_t* set) {
  unsigned char first = 0;
  if (bytes > 0) __builtin_memcpy(&first, set, 1);
  if ((first & kAllProcessors) == 0) return EINVAL;
  wish.processors = first & kAllProcessors;
  return 0;
}
int tell_processors(const Wish& wish, std::size_t bytes, cpu_set_t* set) {
  if (bytes < sizeof(unsigned long) || bytes % sizeof(unsigned long) != 0) return EINVAL;
  const unsigned char first = wish.processors != 0 ? wish.processors : kAllProcessors;
  __builtin_memset(set, 0, bytes);
  __builtin_memcpy(set, &first, 1);
  return 0;
}

}  // namespace

RAVEL_EXPORT int sched_setaffinity(pid_t thread, std::size_t bytes, const cpu_set_t* set) noexcept {
  if (is_own(thread)) return as_call(-wish_for_processors(wish_of_number(thread), bytes, set));
  return as_call(raw_syscall(SYS_sched_setaffinity, thread, static_cast<long>(bytes), reinterpret_cast<long>(set)));
}

RAVEL_EXPORT int sched_getaffinity(pid_t thread, std::size_t bytes, cpu_set_t* set) noexcept {
  if (is_own(thread)) return as_call(-tell_processors(wish_of_number(thread), bytes, set));
  __builtin_memset(set, 0, bytes);  // the kernel fills in what it knows
  const long filled = raw_syscall(SYS_sched_getaffinity, thread, static_cast<long>(bytes), reinterpret_cast<long>(set));
  return as_call(filled > 0 ? 0 : filled);
}

RAVEL_EXPORT int pthread_setaffinity_np(pthread_t handle, std::size_t bytes, const cpu_set_t* set) noexcept {
  RAVEL_PASS_THROUGH(pthread_setaffinity_np, handle, bytes, set);
  const VirtualThread* const thread = thread_of(handle);
  return thread == nullptr ? ESRCH : wish_for_processors(wish_of(thread->index), bytes, set);
}

RAVEL_EXPORT int pthread_getaffinity_np(pthread_t handle, std::size_t bytes, cpu_set_t* set) noexcept {
  RAVEL_PASS_THROUGH(pthread_getaffinity_np, handle, bytes, set);
  const VirtualThread* const thread = thread_of(handle);
  return thread == nullptr ? ESRCH : tell_processors(wish_of(thread->index), bytes, set);
}

RAVEL_EXPORT int setpriority(__priority_which_t which, id_t who, int value) noexcept {
  if (which != PRIO_PROCESS || !is_own(static_cast<pid_t>(who))) {
    return as_call(raw_syscall(SYS_setpriority, which, static_cast<long>(who), value));
  }
  constexpr int kLeast = -20;
  constexpr int kMost = 19;
  wish_of_number(static_cast<pid_t>(who)).niceness = static_cast<signed char>(value < kLeast  ? kLeast
                                                                              : value > kMost ? kMost
                                                                                              : value);
  return 0;
}

RAVEL_EXPORT int getpriority(__priority_which_t which, id_t who) noexcept {
  if (which == PRIO_PROCESS && is_own(static_cast<pid_t>(who))) {
    errno = 0;
    return wish_of_number(static_cast<pid_t>(who)).niceness;
  }
  constexpr int kZero = 20;  // what the kernel says of niceness 0, to have no negative numbers
  const long result = raw_syscall(SYS_getpriority, which, static_cast<long>(who));
  return result < 0 ? as_call(result) : kZero - static_cast<int>(result);
}

// Every thread of the program has the common policy, and what it asks for is granted without effect.
RAVEL_EXPORT int sched_getscheduler(pid_t thread) noexcept {
  return is_own(thread) ? SCHED_OTHER : as_call(raw_syscall(SYS_sched_getscheduler, thread));
}
RAVEL_EXPORT int sched_getparam(pid_t thread, sched_param* parameter) noexcept {
  if (!is_own(thread)) return as_call(raw_syscall(SYS_sched_getparam, thread, reinterpret_cast<long>(parameter)));
  parameter->sched_priority = 0;
  return 0;
}
RAVEL_EXPORT int sched_setscheduler(pid_t thread, int policy, const sched_param* parameter) noexcept {
  if (is_own(thread)) return 0;
  return as_call(raw_syscall(SYS_sched_setscheduler, thread, policy, reinterpret_cast<long>(parameter)));
}
RAVEL_EXPORT int sched_setparam(pid_t thread, const sched_param* parameter) noexcept {
  if (is_own(thread)) return 0;
  return as_call(raw_syscall(SYS_sched_setparam, thread, reinterpret_cast<long>(parameter)));
}
