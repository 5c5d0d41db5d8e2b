// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
#include "free/fatal_signals.h"

#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#include "free/library.h"
#include "runtime/platform/raw.h"

namespace ravel::fr {

namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

bool is_ours(std::uintptr_t pc) {
  for (std::uint32_t i = 0; i < g_block->module_count.load() && i < kMaxModules; ++i) {
    if (pc >= g_block->modules[i].base && pc < g_block->modules[i].end) return true;
  }
  return false;
}

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
  FreeFailure& failure = *static_cast<FreeFailure*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (failure.frames >= kFreeFrames) return _URC_END_OF_STACK;
  if (is_ours(pc)) failure.frame[failure.frames++] = pc;
  return _URC_NO_REASON;
}

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    default:
      return "SIGILL";
  }
}

// Returns: the instruction is executed again, and the default action ends the process.
void on_fatal_signal(int signal, siginfo_t*, void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (g_block == nullptr) return;
  note_failure(OutcomeKind::kSignal, signal, name_of(signal), static_cast<std::uintptr_t>(registers[REG_RIP]) + 1);
}

}  // namespace

void note_failure(OutcomeKind kind, int signal, const char* message, std::uintptr_t first) {
  if (g_block == nullptr) return;
  FreeFailure& failure = g_block->failure;
  std::uint32_t none = 0;
  if (!failure.state.compare_exchange_strong(none, 1)) return;
  failure.kind = kind;
  failure.signal = signal;
  failure.thread = t_state.index;
  strncpy(failure.message, message, kMessageBytes - 1);
  if (first != 0) failure.frame[failure.frames++] = first;
  failure.state.store(2, std::memory_order_release);  // an unwinder that fails must not take this with it
  _Unwind_Backtrace(add_frame, &failure);
}

void watch_fatal_signals() {
  for (const int signal : kFatal) {
    struct sigaction now {};
    if (library().sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_fatal_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    library().sigaction(signal, &ours, nullptr);
  }
}

bool is_our_handler(void (*handler)(int, siginfo_t*, void*)) {
  return handler == on_fatal_signal;
}

}  // namespace ravel::fr
