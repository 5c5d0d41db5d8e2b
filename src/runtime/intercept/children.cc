// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Other programs: they run as they would without us. What this process has asked the kernel for and a new program would
// inherit is taken back first, and set up again in this process.
#include <alloca.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>

#include "runtime/intercept/export.h"
#include "runtime/sync/forked_child.h"
#include "runtime/world/identity.h"
#include "runtime/world/instructions.h"
#include "runtime/world/library_state.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

// While it lives the time stamp counter can be read. Nobody else runs in the meantime: there is one OS thread.
class CounterReleased {
 public:
  CounterReleased() { release_time_stamp_counter(); }
  CounterReleased(const CounterReleased&) = delete;
  CounterReleased& operator=(const CounterReleased&) = delete;
  ~CounterReleased() {
    if (g.in_control) trap_time_stamp_counter();
  }
};

}  // namespace

RAVEL_EXPORT pid_t fork() noexcept {
  if (is_controlled_process()) begin_fork(RAVEL_CALLER);
  return real().fork();
}

RAVEL_EXPORT pid_t wait(int* status) {
  change_library_state(LibraryState::kChildren, RAVEL_CALLER);
  const pid_t child = real().wait(status);
  if (is_controlled_process()) look_at_children();
  return child;
}

RAVEL_EXPORT pid_t waitpid(pid_t which, int* status, int options) {
  change_library_state(LibraryState::kChildren, RAVEL_CALLER);
  const pid_t child = real().waitpid(which, status, options);
  if (is_controlled_process()) look_at_children();
  return child;
}

RAVEL_EXPORT pid_t wait4(pid_t which, int* status, int options, rusage* usage) noexcept {
  change_library_state(LibraryState::kChildren, RAVEL_CALLER);
  const pid_t child = real().wait4(which, status, options, usage);
  if (is_controlled_process()) look_at_children();
  return child;
}

RAVEL_EXPORT int waitid(idtype_t type, id_t which, siginfo_t* info, int options) {
  change_library_state(LibraryState::kChildren, RAVEL_CALLER);
  const int result = real().waitid(type, which, info, options);
  if (is_controlled_process()) look_at_children();
  return result;
}

RAVEL_EXPORT int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
  RAVEL_PASS_THROUGH(posix_spawn, child, path, actions, attributes, arguments, environment);
  const CounterReleased released;
  return real().posix_spawn(child, path, actions, attributes, arguments, environment);
}

RAVEL_EXPORT int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
  RAVEL_PASS_THROUGH(posix_spawnp, child, file, actions, attributes, arguments, environment);
  const CounterReleased released;
  return real().posix_spawnp(child, file, actions, attributes, arguments, environment);
}

RAVEL_EXPORT int system(const char* command) {
  RAVEL_PASS_THROUGH(system, command);
  const CounterReleased released;
  return real().system(command);
}

RAVEL_EXPORT FILE* popen(const char* command, const char* mode) {
  RAVEL_PASS_THROUGH(popen, command, mode);
  const CounterReleased released;
  return real().popen(command, mode);
}

RAVEL_EXPORT int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  RAVEL_PASS_THROUGH(execve, path, arguments, environment);
  const CounterReleased released;
  return real().execve(path, arguments, environment);
}

RAVEL_EXPORT int execv(const char* path, char* const* arguments) noexcept {
  return execve(path, arguments, environ);
}

RAVEL_EXPORT int execvp(const char* file, char* const* arguments) noexcept {
  RAVEL_PASS_THROUGH(execvp, file, arguments);
  const CounterReleased released;
  return real().execvp(file, arguments);
}

RAVEL_EXPORT int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
  RAVEL_PASS_THROUGH(execvpe, file, arguments, environment);
  const CounterReleased released;
  return real().execvpe(file, arguments, environment);
}

RAVEL_EXPORT int fexecve(int descriptor, char* const* arguments, char* const* environment) noexcept {
  RAVEL_PASS_THROUGH(fexecve, descriptor, arguments, environment);
  const CounterReleased released;
  return real().fexecve(descriptor, arguments, environment);
}

// The variadic forms: `first` and what follows, up to a null pointer, as an array on the caller's stack.
#define RAVEL_LIST_ARGUMENTS(list, first)                                                 \
  va_list rest;                                                                           \
  va_start(rest, first);                                                                  \
  std::size_t count = 1;                                                                  \
  for (const char* one = first; one != nullptr; one = va_arg(rest, const char*)) ++count; \
  va_end(rest);                                                                           \
  char** list = static_cast<char**>(alloca(count * sizeof(char*)));                       \
  va_start(rest, first);                                                                  \
  list[0] = const_cast<char*>(first);                                                     \
  for (std::size_t i = 1; i < count; ++i) list[i] = va_arg(rest, char*)

RAVEL_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  RAVEL_LIST_ARGUMENTS(list, first);
  va_end(rest);
  return execve(path, list, environ);
}

RAVEL_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  RAVEL_LIST_ARGUMENTS(list, first);
  va_end(rest);
  return execvp(file, list);
}

RAVEL_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  RAVEL_LIST_ARGUMENTS(list, first);
  char* const* environment = va_arg(rest, char* const*);
  va_end(rest);
  return execve(path, list, environment);
}
