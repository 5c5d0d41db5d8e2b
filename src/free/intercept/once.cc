// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One-time initialisation: pthread_once (and with it std::call_once) and the guards of function-local statics. Recorded
// in runs that are traced: who finds it done is ordered behind it. A thread that comes while another one runs the
// initialiser shows that it waits; guards wait by a futex (futexes.cc).
#include "free/intercept/lock_calls.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

bool traced() {
  return (g_hooks & kHookTrace) != 0;
}

void note(OpKind kind, const void* object, std::uintptr_t pc, std::uint32_t value = 0) {
  FreeThread* const self = synchronising();
  if (self != nullptr) record(*self, kind, address_of(object), pc, value);
}

struct OnceCall {
  void (*initialiser)();
  std::uintptr_t pc;
  bool ran;
};
thread_local OnceCall* t_once __attribute__((tls_model("initial-exec"))) = nullptr;

// In the place of the initialiser, by the thread that runs it and waits for nobody. Should it throw, `ends.cc' says so.
void run_initialiser() {
  OnceCall* const call = t_once;
  const void* const object = t_state.once;
  call->ran = true;
  if (FreeThread* const self = t_self) Waits::end(*self);
  if (!traced()) return call->initialiser();
  note(OpKind::kOnceBegin, object, call->pc, 1);
  call->initialiser();
  note(OpKind::kOnceEnd, object, call->pc);
}

// As the C library writes it into the control word.
bool is_done(const pthread_once_t* control) {
  constexpr int kDone = 2;
  return (__atomic_load_n(control, __ATOMIC_ACQUIRE) & kDone) != 0;
}

// The unwinder has a pthread_once of its own: nothing is unwound here.
int call_library(pthread_once_t* control, std::uintptr_t pc) {
  FreeThread* const self = t_self;
  if (self == nullptr) return library().pthread_once(control, run_initialiser);
  const Waits waits(*self, OpKind::kOnceBegin, address_of(control), pc, false);
  return library().pthread_once(control, run_initialiser);
}

template <class Function>
Function guard_function(const char* name, Function& found) {
  if (found == nullptr) found = reinterpret_cast<Function>(of_cxx_library(name));
  return found;
}

}  // namespace

RAVEL_FREE_EXPORT int pthread_once(pthread_once_t* control, void (*initialiser)()) {
  if (!traced() && is_done(control)) return 0;
  const std::uintptr_t pc = RAVEL_FREE_CALLER;
  OnceCall call{initialiser, pc, false};
  OnceCall* const outer = t_once;
  const void* const outer_object = t_state.once;
  t_once = &call;
  if (traced()) t_state.once = control;
  const int error = call_library(control, pc);
  t_once = outer;
  t_state.once = outer_object;
  if (!call.ran && traced()) note(OpKind::kOnceBegin, control, pc, 0);
  return error;
}

RAVEL_FREE_EXPORT int __cxa_guard_acquire(void* guard) {
  static int (*found)(void*) = nullptr;
  const int runs = guard_function("__cxa_guard_acquire", found)(guard);
  if (traced()) note(OpKind::kOnceBegin, guard, RAVEL_FREE_CALLER, runs != 0 ? 1 : 0);
  return runs;
}

RAVEL_FREE_EXPORT void __cxa_guard_release(void* guard) {
  static void (*found)(void*) = nullptr;
  if (traced()) note(OpKind::kOnceEnd, guard, RAVEL_FREE_CALLER);
  guard_function("__cxa_guard_release", found)(guard);
}

RAVEL_FREE_EXPORT void __cxa_guard_abort(void* guard) {
  static void (*found)(void*) = nullptr;
  if (traced()) note(OpKind::kOnceAbort, guard, RAVEL_FREE_CALLER);
  guard_function("__cxa_guard_abort", found)(guard);
}
