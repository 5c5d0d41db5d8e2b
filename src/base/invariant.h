// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// INVARIANT(condition, "why it holds"): checks our own reasoning, also in release builds; never for what a user or the
// tested program gave us. A failure goes to the handler if one is set (the tool says "please report", the runtime
// closes the trace), else it is written to descriptor 2 by a plain write; then the process traps.
#pragma once

namespace ravel {

struct InvariantFailure {
  const char* condition;
  const char* why;
  const char* file;
  int line;
};

// May return: the process then traps. Called at most once at a time, on the thread that failed.
using InvariantHandler = void (*)(const InvariantFailure& failure);
InvariantHandler set_invariant_handler(InvariantHandler handler);

[[noreturn]] void invariant_failed(const InvariantFailure& failure);

}  // namespace ravel

#define INVARIANT(condition, why)                                            \
  do {                                                                       \
    if (!(condition)) [[unlikely]]                                           \
      ::ravel::invariant_failed({#condition, why, __FILE_NAME__, __LINE__}); \
  } while (false)
