// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What reaches a thread from others: signals and cancellation. Both wait in the thread until its next scheduling point;
// a thread that waits for something else is enabled by them. The mask of the process is always that of the running
// thread, so that the system treats real signals as the program has asked.
#pragma once

#include <signal.h>

#include <cstdint>

#include "model/event.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

inline constexpr std::uint64_t signal_bit(int number) {
  return std::uint64_t{1} << (number - 1);
}

inline bool has_signal(const VirtualThread& thread) {
  return (thread.signals & ~thread.signal_mask) != 0;
}
// A cancellation that its pending operation has to act on.
inline bool is_cancelled(const VirtualThread& thread) {
  return thread.cancel_requested && !thread.cancel_disabled && !thread.cancelling &&
         (thread.pending.cancellable || thread.cancel_at_once);
}
inline bool has_mail(const VirtualThread& thread) {
  return has_signal(thread) || is_cancelled(thread);
}

std::uint64_t process_signal_mask();
// Changes the running thread's mask; never SIGKILL and SIGSTOP.
void set_signal_mask(std::uint64_t mask);
void apply_signal_mask(const VirtualThread& thread);
void refresh_signal_mask(VirtualThread& running);

// As a visible operation: to one thread, or (nullptr) to the process, whose receiver is a choice of the schedule among
// those that do not block it. Handlers of the running thread have run when it returns.
void send_signal(VirtualThread* target, int number, int code, void* value, LocationId location);
// From now on a descriptor may be there to read blocked signals from: those that nobody takes are left to the system.
void use_signal_descriptor();
// Without a point, from a timer.
void post_signal(int number, int code, void* value);

// Runs the handlers of all signals that have reached the running thread. False: one of them interrupts system calls.
bool run_handlers();

// sigtimedwait: number of the signal, -EAGAIN after the deadline, -EINTR. deadline 0: only look.
long wait_for_signal(std::uint64_t set, siginfo_t* info, std::uint64_t deadline, LocationId location);
// sigsuspend and pause: with `mask` until a handler has run.
void suspend(std::uint64_t mask, LocationId location);
std::uint64_t pending_signals();
// Signals for the process that nobody took: whoever unblocks them gets them.
void take_process_signals();

bool somebody_waits_for_signals();
// Signals that the system keeps for the process and a thread waits for. True: there was one.
bool take_outside_signals();

void request_cancel(VirtualThread& target, LocationId location);
// Ends the running thread if it has been cancelled and was at a cancellation point.
void act_on_cancellation();
// Runs a cleanup handler of C code whose frame the unwinding thread has left (stack pointer `frame`).
void run_cleanup_left_by(std::uintptr_t frame, bool all);

}  // namespace ravel::rt
