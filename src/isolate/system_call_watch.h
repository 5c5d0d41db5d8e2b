// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sees every system call that the process makes outside of the runtime, by whatever way, while an execution runs inside
// the worker: the kernel hands them to us as SIGSYS (system call user dispatch, Linux 5.11). A call that leaves nothing
// behind is passed on, one that can be taken back is noted in KernelUndo, and for any other one the execution is
// *spoilt*: it goes on to its end unwatched, but its process cannot be used for another one. Children of the program
// are not watched: the kernel switches it off for them.
#pragma once

#include "isolate/kernel_undo.h"

namespace ravel {

class SystemCallWatch {
 public:
  // Once in a process, before its snapshot is taken. False: the kernel cannot do it.
  static bool prepare();
  static void start();
  static void stop();

  // The same for a call that the runtime makes for the program.
  static long call(long number, const long* arguments);

  // Why the process cannot be used again; empty if it can.
  static const char* spoilt();
  static void spoil(const char* why);
  static KernelUndo& undo();
};

}  // namespace ravel
