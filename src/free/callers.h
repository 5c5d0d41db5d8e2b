// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where a call comes from, in the program's own code: std::thread and std::condition_variable call from the C++
// library, and std::mutex and std::latch from its headers.
#pragma once

#include "free/state.h"

namespace ravel::fr {

std::uintptr_t caller_behind_library(std::uintptr_t pc);

// `pc` if it is in the program's file, else the first caller that is; `pc` if there is none.
inline std::uintptr_t user_caller(std::uintptr_t pc) {
  if (g_block == nullptr) return pc;
  const ModuleRecord& program = g_block->modules[0];
  return pc >= program.base && pc < program.end ? pc : caller_behind_library(pc);
}

// Of a thread that is about to wait, for the report: `pc`, and if that is in code of headers its callers up to the
// first that is the user's own. Unwinds then: not for what is done all the time.
void note_wait_place(FreeThread& self, std::uintptr_t pc);

}  // namespace ravel::fr
