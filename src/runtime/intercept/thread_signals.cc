// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signals between threads of the program: sending, blocking, waiting.
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "runtime/entry/takeover.h"
#include "runtime/fiber/home.h"
#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/intercept/signal_sets.h"
#include "runtime/platform/raw.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/signals/alternate_stack.h"
#include "runtime/signals/delivery.h"
#include "runtime/sync/lifecycle.h"
#include "runtime/world/identity.h"
#include "runtime/world/uncontrolled_calls.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

bool is_signal(int number) {
  return number > 0 && number < NSIG;
}

bool is_this_process(pid_t process) {
  return process == kVirtualProcess;
}

int change_mask(int how, const sigset_t* set, sigset_t* old, LocationId location) {
  VirtualThread& self = *g.current;
  if (self.mask_stale) refresh_signal_mask(self);
  const std::uint64_t before = self.signal_mask;
  if (set != nullptr) {
    const std::uint64_t bits = bits_of(*set);
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    change_signal_mask(how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits, location);
  }
  if (old != nullptr) *old = set_of(before);
  return 0;
}

int signal_thread(pthread_t handle, int number, int code, void* value, LocationId location) {
  // Whether it has been joined is looked at behind the point: others decide that.
  const VirtualThread* const target = last_thread_of(handle);
  if (target == nullptr) return ESRCH;
  if (number != 0 && !is_signal(number)) return EINVAL;
  const ThreadIndex index = target->index;
  return !send_to_thread(index, number, code, value, location) && is_gone(*target, index) ? ESRCH : 0;
}

}  // namespace

RAVEL_EXPORT int pthread_kill(pthread_t handle, int number) noexcept {
  RAVEL_PASS_THROUGH(pthread_kill, handle, number);
  return signal_thread(handle, number, SI_TKILL, nullptr, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_sigqueue(pthread_t handle, int number, const sigval value) noexcept {
  RAVEL_PASS_THROUGH(pthread_sigqueue, handle, number, value);
  return signal_thread(handle, number, SI_QUEUE, value.sival_ptr, RAVEL_CALLER);
}

RAVEL_EXPORT int raise(int number) noexcept {
  RAVEL_PASS_THROUGH(raise, number);
  if (in_child_of_vfork()) return real().raise(number);
  if (!is_signal(number)) return static_cast<int>(as_c_result(-EINVAL));
  (void)send_to_thread(g.current->index, number, SI_TKILL, nullptr, RAVEL_CALLER);
  return 0;
}

RAVEL_EXPORT int kill(pid_t process, int number) noexcept {
  if (!is_controlled_process()) return static_cast<int>(as_c_result(call_for_program(SYS_kill, process, number)));
  if (process == 0 || process == -1 || process == -kVirtualProcess) {
    // The group holds the processes that run the exploration: the program is the only member it knows of.
    if (process == -1 && number != 0) note_uncontrolled("kill", "all processes: only this one gets it", RAVEL_CALLER);
    process = kVirtualProcess;
  }
  if (!is_this_process(process) || !is_signal(number)) {
    return static_cast<int>(as_c_result(call_for_program(SYS_kill, kernel_process(process), number)));
  }
  send_to_process(number, SI_USER, nullptr, RAVEL_CALLER);
  return 0;
}

RAVEL_EXPORT int tgkill(pid_t process, pid_t thread, int number) {
  if (!is_controlled_process())
    return static_cast<int>(as_c_result(call_for_program(SYS_tgkill, process, thread, number)));
  const ThreadIndex target = is_this_process(process) ? thread_with_number(thread) : kNoThread;
  const bool ours = target != kNoThread;
  if (!ours || !(number == 0 || is_signal(number))) {
    return static_cast<int>(
        as_c_result(call_for_program(SYS_tgkill, kernel_process(process), kernel_process(thread), number)));
  }
  const bool sent = send_to_thread(target, number, SI_TKILL, nullptr, RAVEL_CALLER);
  return static_cast<int>(as_c_result(sent ? 0 : -ESRCH));
}

RAVEL_EXPORT int sigqueue(pid_t process, int number, const sigval value) noexcept {
  if (!is_controlled_process() || !is_this_process(process) || !is_signal(number)) {
    return real().sigqueue(process, number, value);
  }
  send_to_process(number, SI_QUEUE, value.sival_ptr, RAVEL_CALLER);
  return 0;
}

RAVEL_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  RAVEL_PASS_THROUGH(pthread_sigmask, how, set, old);
  if (in_child_of_vfork()) return real().pthread_sigmask(how, set, old);
  return change_mask(how, set, old, RAVEL_CALLER);
}

RAVEL_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  RAVEL_PASS_THROUGH(sigprocmask, how, set, old);
  if (in_child_of_vfork()) return real().sigprocmask(how, set, old);
  return static_cast<int>(as_c_result(-change_mask(how, set, old, RAVEL_CALLER)));
}

RAVEL_EXPORT int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  if (g.in_control) use_signal_descriptor();
  return real().signalfd(descriptor, set, flags);
}

RAVEL_EXPORT int sigaltstack(const stack_t* next, stack_t* old) noexcept {
  RAVEL_PASS_THROUGH(sigaltstack, next, old);
  if (in_child_of_vfork()) return real().sigaltstack(next, old);
  return static_cast<int>(as_c_result(change_alternate_stack(next, old, __builtin_frame_address(0))));
}

RAVEL_EXPORT int sigpending(sigset_t* set) noexcept {
  RAVEL_PASS_THROUGH(sigpending, set);
  *set = set_of(pending_signals(RAVEL_CALLER));
  return 0;
}

RAVEL_EXPORT int sigwait(const sigset_t* set, int* number) {
  RAVEL_PASS_THROUGH(sigwait, set, number);
  const LocationId location = RAVEL_CALLER;
  long result = 0;
  do {  // POSIX gives it no EINTR
    result = wait_for_signal(bits_of(*set), nullptr, kNever, location);
  } while (result == -EINTR);
  if (result < 0) return static_cast<int>(-result);
  *number = static_cast<int>(result);
  return 0;
}

RAVEL_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  RAVEL_PASS_THROUGH(sigwaitinfo, set, info);
  return static_cast<int>(as_c_result(wait_for_signal(bits_of(*set), info, kNever, RAVEL_CALLER)));
}

RAVEL_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  RAVEL_PASS_THROUGH(sigtimedwait, set, info, timeout);
  std::uint64_t deadline = kNever;
  if (timeout != nullptr) {
    const std::uint64_t duration = nanoseconds_of(*timeout);
    deadline = duration == 0 ? 0 : virtual_now() + duration;
  }
  return static_cast<int>(as_c_result(wait_for_signal(bits_of(*set), info, deadline, RAVEL_CALLER)));
}

RAVEL_EXPORT int sigsuspend(const sigset_t* set) {
  RAVEL_PASS_THROUGH(sigsuspend, set);
  suspend(bits_of(*set), RAVEL_CALLER);
  return static_cast<int>(as_c_result(-EINTR));
}

RAVEL_EXPORT int pause() {
  RAVEL_PASS_THROUGH(pause);
  suspend(g.current->signal_mask, RAVEL_CALLER);
  return static_cast<int>(as_c_result(-EINTR));
}
