// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which code of the program is of headers of the system; the tool says so. Calls that a thread is in, kept while a run
// is traced, and by them the user's own place of an operation: the nearest caller outside of that code.
#pragma once

#include "free/state.h"

namespace ravel::fr {

inline constexpr std::uint32_t kDeepestCalls = 256;
inline constexpr std::uint32_t kRememberedWords = 1u << 14;
inline constexpr std::uint32_t kRememberedWays = 4;

// An access that the thread has made: it was its last synchronisation but `events' when it did.
struct Remembered {
  std::uint64_t key = 0;
  std::uint64_t events = 0;
};

// Of each thread, and too large for what a thread of a small stack may have of its own.
struct TraceScratch {
  std::uintptr_t calls[kDeepestCalls];
  Remembered accesses[kRememberedWords][kRememberedWays];  // by address: neighbours do not displace each other
};
extern TraceScratch* g_scratch;

// False: no memory, and the run is not traced.
bool begin_tracing();
bool know_system_code();
bool is_system_code(std::uintptr_t pc);
std::uintptr_t nearest_user_call(std::uintptr_t pc);

// `pc` is where a call-out or an operation returns to.
inline std::uintptr_t user_place(std::uintptr_t pc) {
  return is_system_code(pc) ? nearest_user_call(pc) : pc;
}

inline std::uint64_t time_stamp() {
  return __builtin_ia32_rdtsc();
}

// The thread enters a function: it was called at `from`, and `inside` is an address in it.
inline void enter_call(std::uintptr_t from, std::uintptr_t inside) {
  FreeLog& log = g_logs[t_state.index];
  if (log.functions < kMostFirstFunctions && t_self != nullptr) log.first[log.functions++] = inside;
  const std::uint32_t depth = t_state.depth++;
  if (depth < kDeepestCalls) g_scratch[t_state.index].calls[depth] = from;
}

inline void leave_call() {
  if (t_state.depth != 0) --t_state.depth;
}

}  // namespace ravel::fr
