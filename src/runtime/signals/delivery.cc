// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/signals/delivery.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "model/tables.h"
#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/signals/signals.h"
#include "runtime/sync/lifecycle.h"
#include "runtime/sync/wait_begin.h"
#include "runtime/world/io.h"
#include "runtime/world/outside_signals.h"

namespace ravel::rt {

namespace {

struct Details {
  int code;
  void* value;
};
Details details[NSIG];              // of the last one sent of each number
std::uint64_t process_signals = 0;  // for the process, blocked by all

std::uintptr_t mailbox() {
  return channel_address(kSignalsChannel);
}

siginfo_t info_of(int number) {
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = details[number].code;
  info.si_value.sival_ptr = details[number].value;
  info.si_pid = static_cast<pid_t>(raw_syscall(SYS_getpid));
  info.si_uid = static_cast<uid_t>(raw_syscall(SYS_getuid));
  return info;
}

std::uint64_t set_waited_for(const VirtualThread& thread) {
  const bool waits = thread.pending.kind == OpKind::kSignalWait && thread.pending.enabled != nullptr;
  return waits ? thread.pending.value : 0;
}

// The thread that a signal for the process goes to: one that waits for it, else one that does not block it.
VirtualThread* choose_receiver(int number) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  const auto takes = [&](const VirtualThread& thread) { return lets_through(thread, number); };
  std::uint32_t able = 0;
  for (std::uint32_t i = 0; i < live; ++i) able += takes(*list[i]) ? 1 : 0;
  if (able == 0) return nullptr;
  std::uint32_t n = choose(able);
  for (std::uint32_t i = 0; i < live; ++i) {
    if (takes(*list[i]) && n-- == 0) return list[i];
  }
  return nullptr;
}

bool signal_descriptor = false;

// Blocked by all, and a descriptor may read it: as if it had come from outside, but ordered behind what was done
// before.
void leave_to_system(int number, void* value) {
  record(OpKind::kIoWrite, __ATOMIC_RELEASE, 0, channel_address(kEventsChannel), 0, 0);
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = SI_QUEUE;
  info.si_value.sival_ptr = value;
  info.si_pid = static_cast<pid_t>(raw_syscall(SYS_getpid));
  info.si_uid = static_cast<uid_t>(raw_syscall(SYS_getuid));
  call_for_program(SYS_rt_sigqueueinfo, info.si_pid, number, reinterpret_cast<long>(&info));
  note_io_change();
}

void leave_in_mailbox(VirtualThread* target, int number, int code, void* value) {
  details[number] = {code, value};
  if (target != nullptr) {
    leave_signal(*target, number);
  } else if (signal_descriptor) {
    leave_to_system(number, value);
  } else {
    process_signals |= signal_bit(number);
  }
  changed();
}

// The point and the event of a signal that is sent.
void pass_send(ThreadIndex target, int number, LocationId location) {
  Pending pending;
  pending.kind = OpKind::kSignalSend;
  pending.size = static_cast<std::uint16_t>(number);
  pending.address = mailbox();
  pending.location = location;
  pending.value = target;
  point(pending);
  record_pending(0, target);
}

// Sees what has been sent to the running thread, or who lets it through, without waiting.
void pass_look(LocationId location) {
  Pending pending;
  pending.kind = OpKind::kSignalWait;
  pending.address = mailbox();
  pending.location = location;
  point(pending);
  record_pending(kFailed, 0);
}

}  // namespace

bool send_to_thread(ThreadIndex target, int number, int code, void* value, LocationId location) {
  pass_send(target, number, location);
  VirtualThread* const receiver = live_thread(target);
  if (receiver == nullptr) return false;
  if (number != 0) leave_in_mailbox(receiver, number, code, value);
  if (has_signal(*g.current)) (void)run_handlers();
  return true;
}

void send_to_process(int number, int code, void* value, LocationId location) {
  pass_send(kNoThread, number, location);
  leave_in_mailbox(choose_receiver(number), number, code, value);
  if (has_signal(*g.current)) (void)run_handlers();
}

void use_signal_descriptor() {
  signal_descriptor = true;
}

void post_signal(int number, int code, void* value) {
  leave_in_mailbox(choose_receiver(number), number, code, value);
}

namespace {
std::uint8_t begin_step(bool is_step) {
  const VirtualThread& self = *g.current;
  if (is_step) set_operand(time_operand(self, 0));
  return is_step && self.chosen ? kChosen : 0;
}
}  // namespace

bool run_handlers(bool is_step) {
  VirtualThread& self = *g.current;
  bool restarts = true;
  while (has_signal(self)) {
    const int number = take_deliverable(self);
    siginfo_t info = info_of(number);
    record(OpKind::kSignalHandle, begin_step(is_step), static_cast<std::uint16_t>(number), mailbox(), 0,
           static_cast<std::uint64_t>(number));
    is_step = false;
    const int saved = errno;
    take_signal(number, info, restarts);
    errno = saved;
    record(OpKind::kSignalReturn, 0, static_cast<std::uint16_t>(number), mailbox(), 0,
           static_cast<std::uint64_t>(number));
  }
  changed();
  return restarts;
}

long wait_for_signal(std::uint64_t set, siginfo_t* info, std::uint64_t deadline, LocationId location) {
  if (deadline != 0) begin_wait(Interruption::kAlways, location);
  VirtualThread& self = *g.current;
  Pending pending;
  pending.kind = OpKind::kSignalWait;
  pending.address = mailbox();
  pending.location = location;
  pending.value = set;
  if (deadline != 0) {
    pending.deadline = deadline;
    pending.interruption = Interruption::kAlways;
    pending.cancellable = true;
    pending.enabled = [](const VirtualThread& thread) {
      return thread.wake != WakeReason::kNormal || waiting_in_set(thread, process_signals, thread.pending.value) != 0;
    };
  }
  point(pending);
  if (waiting_in_set(self, process_signals, set) == 0) {
    const bool interrupted = self.wake == WakeReason::kInterrupted;
    record_pending(static_cast<std::uint8_t>(kFailed | (interrupted ? 0 : kTimeout)), 0);
    act_on_cancellation();
    return interrupted ? -EINTR : -EAGAIN;
  }
  const int number = take_waited(self, process_signals, set);
  record_pending(0, static_cast<std::uint64_t>(number));
  changed();
  if (info != nullptr) *info = info_of(number);
  return number;
}

void suspend(std::uint64_t mask, LocationId location) {
  begin_wait(Interruption::kAlways, location);
  VirtualThread& self = *g.current;
  const std::uint64_t before = self.signal_mask;
  set_signal_mask(mask);
  take_process_signals();
  Pending pending;
  pending.kind = OpKind::kSignalWait;
  pending.address = mailbox();
  pending.location = location;
  pending.interruption = Interruption::kAlways;
  pending.cancellable = true;
  pending.enabled = [](const VirtualThread& thread) { return thread.wake != WakeReason::kNormal; };
  point(pending);
  record_pending(kFailed, 0);
  set_signal_mask(before);
  act_on_cancellation();
}

void change_signal_mask(std::uint64_t mask, LocationId location) {
  VirtualThread& self = *g.current;
  if (g.next_index > 1) pass_look(location);  // nobody else has been there to send anything otherwise
  set_signal_mask(mask);
  take_process_signals();
  changed();
  if (has_signal(self)) (void)run_handlers();
}

std::uint64_t pending_signals(LocationId location) {
  pass_look(location);
  std::uint64_t real = 0;
  call_for_program(SYS_rt_sigpending, reinterpret_cast<long>(&real), 8);
  return g.current->signals | process_signals | real;
}

void take_process_signals() {
  take_common(*g.current, process_signals);
}

bool somebody_waits_for_signals() {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  for (std::uint32_t i = 0; i < live; ++i) {
    if (set_waited_for(*list[i]) != 0) return true;
  }
  return false;
}

bool take_outside_signals() {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  std::uint64_t wanted = 0;
  for (std::uint32_t i = 0; i < live; ++i) wanted |= set_waited_for(*list[i]);
  siginfo_t info = {};
  const timespec now = {};
  const long number = wanted == 0 ? 0
                                  : call_for_program(SYS_rt_sigtimedwait, reinterpret_cast<long>(&wanted),
                                                     reinterpret_cast<long>(&info), reinterpret_cast<long>(&now), 8);
  if (number <= 0) return false;
  details[number] = {info.si_code, info.si_value.sival_ptr};
  process_signals |= signal_bit(static_cast<int>(number));
  changed();
  return true;
}

bool request_cancel(ThreadIndex target, LocationId location) {
  Pending pending;
  pending.kind = OpKind::kCancel;
  pending.address = mailbox();
  pending.location = location;
  pending.value = target;
  point(pending);
  record_pending(0, target);
  VirtualThread* const receiver = live_thread(target);
  if (receiver == nullptr) return false;
  receiver->cancel_requested = true;
  changed();
  if (receiver == g.current && receiver->cancel_at_once) act_on_cancellation();
  return true;
}

void act_on_cancellation(bool is_step) {
  VirtualThread& self = *g.current;
  if (!is_cancelled(self)) return;
  record(OpKind::kCancelled, begin_step(is_step), 0, mailbox(), self.pending.location, 0);
  exit_thread(PTHREAD_CANCELED);
}

}  // namespace ravel::rt
