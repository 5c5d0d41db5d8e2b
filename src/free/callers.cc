// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/callers.h"

#include <unwind.h>

#include "free/call_stack.h"

namespace ravel::fr {

namespace {

constexpr int kDeepest = 12;
constexpr int kDeepestWait = 32;  // templates of the C++ library that were not inlined

struct Search {
  std::uintptr_t found = 0;
  int depth = 0;
};

bool in_program(std::uintptr_t pc) {
  const ModuleRecord& program = g_block->modules[0];
  return pc >= program.base && pc < program.end;
}

_Unwind_Reason_Code look(_Unwind_Context* context, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (in_program(pc)) search.found = pc;
  return search.found != 0 || ++search.depth == kDeepest ? _URC_END_OF_STACK : _URC_NO_REASON;
}

struct WaitFrames {
  FreeThread& self;
  std::uint32_t count = 0;
  int depth = 0;
};

// Templates that were inlined are named by the tool: every address of the program counts.
_Unwind_Reason_Code look_for_user(_Unwind_Context* context, void* argument) {
  WaitFrames& frames = *static_cast<WaitFrames*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  const bool is_ours = in_program(pc);
  if (is_ours) frames.self.wait_pc[frames.count++].store(pc, std::memory_order_relaxed);
  const bool found = is_ours && !is_system_code(pc);
  return found || frames.count == kFreeWaitFrames || ++frames.depth == kDeepestWait ? _URC_END_OF_STACK
                                                                                    : _URC_NO_REASON;
}

}  // namespace

std::uintptr_t caller_behind_library(std::uintptr_t pc) {
  Search search;
  _Unwind_Backtrace(look, &search);
  return search.found != 0 ? search.found : pc;
}

void note_wait_place(FreeThread& self, std::uintptr_t pc) {
  WaitFrames frames{self};
  if (in_program(pc) && is_system_code(pc)) _Unwind_Backtrace(look_for_user, &frames);
  if (frames.count == 0) self.wait_pc[frames.count++].store(pc, std::memory_order_relaxed);
  if (frames.count < kFreeWaitFrames) self.wait_pc[frames.count].store(0, std::memory_order_relaxed);
}

}  // namespace ravel::fr
