// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/callers.h"

#include <unwind.h>

namespace ravel::fr {

namespace {

constexpr int kDeepest = 12;

struct Search {
  std::uintptr_t found = 0;
  int depth = 0;
};

_Unwind_Reason_Code look(_Unwind_Context* context, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const ModuleRecord& program = g_block->modules[0];
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc >= program.base && pc < program.end) search.found = pc;
  return search.found != 0 || ++search.depth == kDeepest ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

std::uintptr_t caller_behind_library(std::uintptr_t pc) {
  Search search;
  _Unwind_Backtrace(look, &search);
  return search.found != 0 ? search.found : pc;
}

}  // namespace ravel::fr
