// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What each system call means for a process that is to be put back: the one list of them.
#pragma once

#include "isolate/kernel_undo.h"

namespace ravel {

struct SystemCall {
  long number;
  long arguments[6];
  bool executed = false;
  long result = 0;
};

// Executes the call unless it leaves something behind that cannot be taken back. A static text says what that is, which
// for some calls is known only after they were executed; nullptr: all is noted in `undo`.
const char* obey_rules(SystemCall& call, KernelUndo& undo);

}  // namespace ravel
