// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/core/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "runtime/core/finish.h"
#include "runtime/core/locations.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/fiber/carrier.h"

namespace ravel::rt {

namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
constexpr std::size_t kAlternateStack = std::size_t{256} << 10;

// Just below the usable stack of the running thread, or of the address's own slot.
bool is_stack_overflow(std::uintptr_t address) {
  const int slot = slot_of_address(address);
  return slot >= 0 && address < stack_bottom(static_cast<std::uint32_t>(slot));
}

void on_signal(int number, siginfo_t* info, void* raw_context) {
  const auto* context = static_cast<const ucontext_t*>(raw_context);
  const auto pc = static_cast<std::uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
  char buffer[160];
  TextBuffer out(buffer, sizeof buffer);
  const bool has_address = number == SIGSEGV || number == SIGBUS;
  if (has_address && is_stack_overflow(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
    out.text("stack overflow");
  } else {
    out.text(sigabbrev_np(number) != nullptr ? "SIG" : "signal ").text(sigabbrev_np(number));
    if (has_address) {
      const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
      if (address < 4096) {
        out.text(": access through a null pointer");
      } else {
        out.text(": access to memory that is not there");
      }
    }
  }
  g.block->result.signal = number;
  // The program counter is at the faulting instruction, not behind a call.
  note_failure(OutcomeKind::kSignal, buffer, location_of(pc + 1));
  // Die of it, so that the parent and a core dump see what happened.
  signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
  raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), number);
}

}  // namespace

void watch_fatal_signals() {
  const long memory = raw_syscall(SYS_mmap, 0, kAlternateStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory > 0) {
    stack_t alternate = {};
    alternate.ss_sp = reinterpret_cast<void*>(memory);
    alternate.ss_size = kAlternateStack;
    sigaltstack(&alternate, nullptr);
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int number : kFatal) sigaction(number, &action, nullptr);
}

}  // namespace ravel::rt
