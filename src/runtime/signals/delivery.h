// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What reaches a thread from others: signals and cancellation. Both wait in the thread until its next scheduling point;
// a thread that waits for something else is enabled by them.
#pragma once

#include <signal.h>

#include <cstdint>

#include "model/event.h"
#include "runtime/fiber/signal_mask.h"
#include "runtime/schedule/mail.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

// As visible operations. Handlers of the running thread have run when they return.
// False: the thread has ended by then, and the signal is lost. Number 0: no signal, only that question.
bool send_to_thread(ThreadIndex target, int number, int code, void* value, LocationId location);
// The receiver is a choice of the schedule among the threads that do not block it.
void send_to_process(int number, int code, void* value, LocationId location);
// From now on a descriptor may be there to read blocked signals from: those that nobody takes are left to the system.
void use_signal_descriptor();
// Without a point, from a timer.
void post_signal(int number, int code, void* value);

// sigtimedwait: number of the signal, -EAGAIN after the deadline, -EINTR. deadline 0: only look.
long wait_for_signal(std::uint64_t set, siginfo_t* info, std::uint64_t deadline, LocationId location);
// sigsuspend and pause: with `mask` until a handler has run.
void suspend(std::uint64_t mask, LocationId location);
// sigpending: what may have come, as a visible operation.
std::uint64_t pending_signals(LocationId location);
// pthread_sigmask: who may be chosen for a signal depends on it. Signals that are let through have been handled.
void change_signal_mask(std::uint64_t mask, LocationId location);
// Signals for the process that nobody took: whoever unblocks them gets them.
void take_process_signals();

// Without effect when the thread has ended by then.
bool request_cancel(ThreadIndex target, LocationId location);

}  // namespace ravel::rt
