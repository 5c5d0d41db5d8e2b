// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ends of the process that are failures: failed assertions, checks, abort, uncaught exceptions.
#include <string.h>

#include <exception>
#include <typeinfo>

#include "free/fatal_signals.h"
#include "free/library.h"
#include "free/recorder.h"
#include "runtime/platform/raw.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

using Throw = void (*)(void*, void*, void (*)(void*));
using Demangle = char* (*)(const char*, char*, std::size_t*, int*);
using CurrentType = std::type_info* (*)();

// As controlled mode describes it (runtime/ending/exceptions.cc).
bool describe_exception(char* buffer, std::size_t size) {
  const auto current_type = reinterpret_cast<CurrentType>(of_cxx_library("__cxa_current_exception_type"));
  const std::type_info* type = current_type != nullptr ? current_type() : nullptr;
  if (type == nullptr) return false;
  const auto demangle = reinterpret_cast<Demangle>(of_cxx_library("__cxa_demangle"));
  int status = 0;
  const char* readable = demangle != nullptr ? demangle(type->name(), nullptr, nullptr, &status) : nullptr;
  rt::TextBuffer out(buffer, size);
  out.text("uncaught exception ").text(readable != nullptr ? readable : type->name());
  const auto* base = static_cast<const std::type_info*>(of_cxx_library("_ZTISt9exception"));
  void* object = t_state.thrown;
  if (object != nullptr && base != nullptr && base->__do_catch(type, &object, 1)) {
    out.text(": ").text(static_cast<const std::exception*>(object)->what());
  }
  return true;
}

}  // namespace

RAVEL_FREE_EXPORT void __assert_fail(const char* text, const char* file, unsigned line, const char* function) noexcept {
  note_failure(OutcomeKind::kAssertion, 0, text);
  library().__assert_fail(text, file, line, function);
  __builtin_unreachable();
}

RAVEL_FREE_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) noexcept {
  note_failure(OutcomeKind::kAssertion, 0, strerror(error));
  library().__assert_perror_fail(error, file, line, function);
  __builtin_unreachable();
}

// Returns: ravel::check says what failed, and aborts.
RAVEL_FREE_EXPORT void ravel_check_failed(const char* what, const char*, unsigned) {
  note_failure(OutcomeKind::kAssertion, 0, what);
}

RAVEL_FREE_EXPORT void abort() noexcept {
  char buffer[kMessageBytes];
  if (describe_exception(buffer, sizeof buffer)) {
    note_failure(OutcomeKind::kException, SIGABRT, buffer, t_state.thrown_at);
  } else {
    note_failure(OutcomeKind::kSignal, SIGABRT, "SIGABRT: abort() was called");
  }
  library().abort();
  __builtin_unreachable();
}

RAVEL_FREE_EXPORT void __cxa_throw(void* object, void* type, void (*destructor)(void*)) {
  static Throw found = nullptr;
  if (found == nullptr) found = reinterpret_cast<Throw>(of_cxx_library("__cxa_throw"));
  if (t_state.once != nullptr && t_self != nullptr) {  // the initialiser may end by this
    record(*t_self, OpKind::kOnceAbort, reinterpret_cast<std::uintptr_t>(t_state.once), RAVEL_FREE_CALLER);
    t_state.once = nullptr;
  }
  t_state.thrown = object;
  t_state.thrown_at = RAVEL_FREE_CALLER;
  found(object, type, destructor);
  __builtin_unreachable();
}
