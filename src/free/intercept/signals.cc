// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Handlers of signals run without hooks: the thread's slot is put aside for as long as one of them runs.
#include <errno.h>
#include <signal.h>

#include "free/fatal_signals.h"
#include "free/library.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

constexpr int kSignals = 65;
using Simple = void (*)(int);
using Full = void (*)(int, siginfo_t*, void*);
std::atomic<std::uintptr_t> handlers[kSignals];  // of the program
std::atomic<bool> simple[kSignals];              // ... that take the number alone

void on_signal(int signal, siginfo_t* info, void* context) {
  FreeThread* const self = t_self;
  t_self = nullptr;
  if (g_block != nullptr) g_block->handlers.fetch_add(1, std::memory_order_relaxed);
  reinterpret_cast<Full>(handlers[signal].load(std::memory_order_acquire))(signal, info, context);
  t_self = g_block != nullptr ? self : nullptr;
}

bool is_handler(Simple handler) {
  return handler != SIG_DFL && handler != SIG_IGN;
}

bool is_watched(int signal) {
  return g_block != nullptr && signal > 0 && signal < kSignals;
}

// What the program would read: its own handler, and nothing of ours.
void hide(std::uintptr_t handler, bool was_simple, struct sigaction* old) {
  if ((old->sa_flags & SA_SIGINFO) == 0 || !is_handler(old->sa_handler)) return;
  if (old->sa_sigaction == on_signal) {
    old->sa_sigaction = reinterpret_cast<Full>(handler);
    if (was_simple) old->sa_flags &= ~SA_SIGINFO;
  } else if (is_our_handler(old->sa_sigaction)) {
    *old = {};
    old->sa_handler = SIG_DFL;
  }
}

}  // namespace

RAVEL_FREE_EXPORT int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  if (!is_watched(signal)) return library().sigaction(signal, action, old);
  const std::uintptr_t before = handlers[signal].load(std::memory_order_acquire);
  const bool was_simple = simple[signal].load(std::memory_order_relaxed);
  struct sigaction ours {};
  if (action != nullptr) {
    ours = *action;
    if (is_handler(action->sa_handler)) {
      handlers[signal].store(reinterpret_cast<std::uintptr_t>(action->sa_sigaction), std::memory_order_release);
      simple[signal].store((action->sa_flags & SA_SIGINFO) == 0, std::memory_order_relaxed);
      ours.sa_sigaction = on_signal;
      ours.sa_flags |= SA_SIGINFO;
    }
  }
  const int error = library().sigaction(signal, action != nullptr ? &ours : nullptr, old);
  if (error != 0 && action != nullptr) handlers[signal].store(before, std::memory_order_release);
  if (error == 0 && old != nullptr) hide(before, was_simple, old);
  return error;
}

RAVEL_FREE_EXPORT Simple signal(int number, Simple handler) noexcept {
  if (!is_watched(number)) return library().signal(number, handler);
  struct sigaction action {};
  struct sigaction old {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, number);
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}
