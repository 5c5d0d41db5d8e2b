// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An execution that runs inside the worker (isolate/rollback_executor.h) ends by going home: back onto the worker's own
// stack, from wherever the program stands, also out of a signal handler. Without a home the process ends instead.
#pragma once

#include <cstdint>

#include "runtime/platform/raw.h"

namespace ravel::rt {

// How the program left: by a status, or by a signal (then `signal` is not 0).
struct End {
  int status = 0;
  int signal = 0;
};

struct Home {
  bool open = false;
  void* sp = nullptr;  // the worker's context, and its thread pointer
  std::uint64_t fs_base = 0;
  End end;
  // The ring is full: the worker takes events out, on the stack of the running thread.
  void (*make_room)(void* argument) = nullptr;
  // A system call that the runtime makes for the program; what it leaves behind is noted.
  long (*call)(long number, const long* arguments) = nullptr;
  // Something happens that cannot be taken back afterwards; the execution itself goes on.
  void (*spoil)(void* argument, const char* why) = nullptr;
  void* argument = nullptr;
  std::uint64_t signal_mask = 0;  // of the process when an execution begins
};

extern Home g_home;

// A child of the program that shares our memory until it calls exec: it must not touch the execution.
bool in_child_of_vfork();
// False also in a child of the program that shares our memory (vfork).
bool has_home();
[[noreturn]] void go_home(End end);
// The execution does something that its process cannot take back.
inline void spoil_home(const char* why) {
  if (g_home.open) g_home.spoil(g_home.argument, why);
}

// A system call that the program has asked for by a function we have taken over.
inline long call_for_program(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  if (!g_home.open) return raw_syscall(number, a, b, c, d, e, f);
  const long arguments[6] = {a, b, c, d, e, f};
  return g_home.call(number, arguments);
}

}  // namespace ravel::rt
