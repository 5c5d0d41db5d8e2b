// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/signals/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/large_table.h"
#include "runtime/fiber/carrier.h"
#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/signals/alternate_stack.h"
#include "runtime/signals/delivery.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"
#include "runtime/sync/wait_begin.h"
#include "runtime/world/instructions.h"

namespace ravel::rt {

namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
constexpr std::size_t kAlternateStack = std::size_t{256} << 10;

// Just below the usable stack of the running thread, or of the address's own slot.
bool is_stack_overflow(std::uintptr_t address) {
  const int slot = slot_of_address(address);
  return slot >= 0 && address < stack_bottom(static_cast<std::uint32_t>(slot));
}

bool is_fatal(int number) {
  for (const int fatal : kFatal) {
    if (fatal == number) return true;
  }
  return false;
}

void describe(int number, const siginfo_t* info, TextBuffer& out) {
  const bool has_address = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;  // not sent by somebody
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (has_address && is_stack_overflow(address)) {
    out.text("stack overflow");
    return;
  }
  out.text(sigabbrev_np(number) != nullptr ? "SIG" : "signal ").text(sigabbrev_np(number));
  if (has_address)
    out.text(address < 4096 ? ": access through a null pointer" : ": access to memory that is not there");
}

// Straight to the kernel: the program's view of masks and signals has nothing to do with it any more.
void die_of(int number) {
  const std::uint64_t one = std::uint64_t{1} << (number - 1);
  raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&one), 0, 8);
  raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), number);
}

// The program counter is at the faulting instruction, not behind a call.
LocationId location_of_fault(const void* raw_context) {
  const auto* context = static_cast<const ucontext_t*>(raw_context);
  const LocationId location = location_of(static_cast<std::uintptr_t>(context->uc_mcontext.gregs[REG_RIP]) + 1);
  return location != 0 ? location : g.current->accessing;
}

void on_signal(int number, siginfo_t* info, void* raw_context) {
  if (number == SIGSEGV && answer_time_stamp(raw_context)) return;
  forget_plain_write();  // it may be the one that failed
  if (g.in_control) {
    char buffer[160];
    TextBuffer out(buffer, sizeof buffer);
    describe(number, info, out);
    g.block->result.signal = number;
    note_failure(OutcomeKind::kSignal, buffer, location_of_fault(raw_context));
    if (has_home()) go_home({0, number});
  }
  // Die of it, so that the parent and a core dump see what happened.
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  real().sigaction(number, &plain, nullptr);
  die_of(number);
}

void install(int number) {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  real().sigaction(number, &action, nullptr);
}

bool watching = false;
RAVEL_LARGE_TABLE struct sigaction handlers[NSIG];  // the program's, where `handled`
bool handled[NSIG];

void run_handler(int number, siginfo_t* info, void* context) {
  if (number == SIGSEGV && answer_time_stamp(context)) return;
  const struct sigaction action = handlers[number];  // the handler may change it
  if ((action.sa_flags & SA_RESETHAND) != 0) handled[number] = false;
  // Should the handler end the process, this is what led to it.
  const bool fault = g.in_control && is_fatal(number);
  if (fault) {
    forget_plain_write();
    ExecutionResult& result = g.block->result;
    TextBuffer out(result.message, kMessageBytes);
    describe(number, info, out);
    result.thread = g.current->index;
    result.location = location_of_fault(context);
    result.context = g.current->calls.context();
  }
  // The system has changed the mask for the time of the handler, and changes it back.
  VirtualThread* const self = g.in_control ? g.current : nullptr;
  const std::uint64_t mask = self != nullptr ? self->signal_mask : 0;
  if (self != nullptr) refresh_signal_mask(*self);
  changed();
  ++g.in_handler;
  call_handler(action, number, info, context);
  if (g.in_handler != 0) --g.in_handler;
  if (self != nullptr) self->signal_mask = mask;
  if (fault && g.in_control) {
    g.block->result.message[0] = 0;
    g.block->result.location = 0;
    g.block->result.context = 0;
  }
}

// What the system does about a signal that nobody has set up anything for.
void take_default(int number) {
  struct sigaction now = {};
  if (real().sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  if (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT) return;
  die_of(number);
}

}  // namespace

void take_signal(int number, siginfo_t& info, bool& restarts) {
  if (!handled[number]) {
    take_default(number);
    return;
  }
  const struct sigaction action = handlers[number];
  if ((action.sa_flags & SA_RESETHAND) != 0) {
    struct sigaction plain = {};
    change_handler(number, &plain, nullptr);
  }
  restarts = restarts && (action.sa_flags & SA_RESTART) != 0;
  std::uint64_t blocked = 0;
  memcpy(&blocked, &action.sa_mask, sizeof blocked);
  if ((action.sa_flags & SA_NODEFER) == 0) blocked |= std::uint64_t{1} << (number - 1);
  VirtualThread& self = *g.current;
  const std::uint64_t before = self.signal_mask;
  set_signal_mask(before | blocked);
  static ucontext_t no_context;
  call_handler(action, number, &info, &no_context);
  set_signal_mask(before);
}

void watch_fatal_signals() {
  if (watching) return;
  const long memory =
      raw_syscall(SYS_mmap, 0, kAlternateStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory > 0) {
    stack_t alternate = {};
    alternate.ss_sp = reinterpret_cast<void*>(memory);
    alternate.ss_size = kAlternateStack;
    raw_syscall(SYS_sigaltstack, reinterpret_cast<long>(&alternate), 0);
  }
  for (const int number : kFatal) install(number);
  watching = true;
}

int change_handler(int number, const struct sigaction* action, struct sigaction* old) {
  if (number < 1 || number >= NSIG || in_child_of_vfork()) return real().sigaction(number, action, old);
  struct sigaction before = {};
  const bool ours = watching && is_fatal(number) && !handled[number];
  if (real().sigaction(number, nullptr, &before) != 0) return -1;
  if (handled[number]) {
    before = handlers[number];
  } else if (ours && (before.sa_flags & SA_SIGINFO) != 0) {
    before = {};
  }
  if (action != nullptr) {
    struct sigaction actual = *action;
    const bool function = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    if (function) {
      handlers[number] = *action;
      if (!is_fatal(number)) note_handler((action->sa_flags & SA_RESTART) != 0);
      actual.sa_sigaction = run_handler;
      actual.sa_flags |= SA_SIGINFO;
    }
    handled[number] = function;
    if (watching && is_fatal(number) && action->sa_handler == SIG_DFL) {
      install(number);
    } else if (real().sigaction(number, &actual, nullptr) != 0) {
      return -1;
    }
  }
  if (old != nullptr) *old = before;
  return 0;
}

void leave_handlers() {
  g.in_handler = 0;
  if (!g.in_control) return;
  g.current->mask_stale = true;
  changed();
  g.current->calls.leave_all_handlers();
}

}  // namespace ravel::rt
