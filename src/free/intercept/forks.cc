// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Forks that run no handlers. Without the block the child would take locks of ours that another thread held when it was
// made, and write what is the parent's. (fork itself has a handler, state.cc.)
#include <sched.h>
#include <stdarg.h>

#include "free/library.h"
#include "free/state.h"

using namespace ravel::fr;

namespace {

struct Start {
  int (*function)(void*);
  void* argument;
};

// In the child, which has a copy of the parent's memory and with it of `start`.
int begin_child(void* start) {
  if (g_block != nullptr) leave_in_child();
  const Start& copy = *static_cast<const Start*>(start);
  return copy.function(copy.argument);
}

}  // namespace

RAVEL_FREE_EXPORT int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
  va_list more;
  va_start(more, argument);
  auto* const parent_tid = va_arg(more, pid_t*);
  void* const tls = va_arg(more, void*);
  auto* const child_tid = va_arg(more, pid_t*);
  va_end(more);
  Start start{function, argument};
  const bool forks = (flags & CLONE_VM) == 0 && function != nullptr;
  return library().clone(forks ? begin_child : function, stack, flags, forks ? &start : argument, parent_tid, tls,
                         child_tid);
}

RAVEL_FREE_EXPORT pid_t _Fork() noexcept {
  const pid_t child = library()._Fork();
  if (child == 0 && g_block != nullptr) leave_in_child();
  return child;
}
