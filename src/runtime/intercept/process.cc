// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ends of the process: exit in its forms, abort, failed assertions, uncaught exceptions.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/ending/exceptions.h"
#include "runtime/ending/finish.h"
#include "runtime/entry/takeover.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

[[noreturn]] void fail_assertion(const char* text, const char* file, unsigned line, const char* function,
                                 LocationId location) {
  char buffer[kMessageBytes];
  TextBuffer out(buffer, sizeof buffer);
  out.text(program_invocation_short_name).text(": ").text(file).text(":").decimal(line).text(": ");
  if (function != nullptr) out.text(function).text(": ");
  out.text("Assertion `").text(text).text("' failed.\n");
  write_error(buffer);
  finish_failure(OutcomeKind::kAssertion, text, location);
}

}  // namespace

RAVEL_EXPORT void exit(int status) noexcept {
  if (g.in_control) {
    note_exit(status, Ending::kHandlers, RAVEL_CALLER);
  }
  real().exit(status);
  __builtin_unreachable();
}

RAVEL_EXPORT void _exit(int status) {
  if (g.in_control && raw_syscall(SYS_getpid) == g.process) {
    note_exit(status, Ending::kAtOnce, RAVEL_CALLER);
  }
  end_process(status);
}

RAVEL_EXPORT void _Exit(int status) noexcept {
  _exit(status);
}

RAVEL_EXPORT void quick_exit(int status) noexcept {
  if (g.in_control) {
    note_exit(status, Ending::kHandlers, RAVEL_CALLER);
  }
  real().quick_exit(status);
  __builtin_unreachable();
}

RAVEL_EXPORT void abort() noexcept {
  if (g.in_control) {
    char buffer[kMessageBytes];
    LocationId thrown_at = 0;
    if (describe_uncaught_exception(buffer, sizeof buffer, thrown_at)) {
      finish_failure(OutcomeKind::kException, buffer, thrown_at != 0 ? thrown_at : RAVEL_CALLER);
    }
    g.block->result.signal = SIGABRT;
    finish_failure(OutcomeKind::kSignal, "SIGABRT: abort() was called", RAVEL_CALLER);
  }
  real().abort();
  __builtin_unreachable();
}

RAVEL_EXPORT void __assert_fail(const char* text, const char* file, unsigned line, const char* function) noexcept {
  if (!g.in_control) real().__assert_fail(text, file, line, function);
  fail_assertion(text, file, line, function, RAVEL_CALLER);
}

RAVEL_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) noexcept {
  if (!g.in_control) real().__assert_perror_fail(error, file, line, function);
  fail_assertion(strerror(error), file, line, function, RAVEL_CALLER);
}

// Unlike fork it runs no handlers. The worker makes executions by it, before it is in control of anything.
RAVEL_EXPORT pid_t _Fork() noexcept {
  const pid_t child = real()._Fork();
  if (child == 0) let_child_go();
  return child;
}

RAVEL_EXPORT void __cxa_throw(void* object, void* type, void (*destructor)(void*)) {
  if (g.in_control) note_throw(object, type, RAVEL_CALLER);
  real().__cxa_throw(object, type, destructor);
  __builtin_unreachable();
}
