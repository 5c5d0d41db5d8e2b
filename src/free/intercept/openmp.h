// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What orders the threads of a team of libgomp, in runs that are traced: libgomp itself waits by system calls of its
// own, which nobody sees. An order is kept as a semaphore that one side gives and the other takes; where the exact
// partner is not known all possible ones give, so that there are too many orders (races may be missed) and never too
// few.
#pragma once

#include <cstdint>

#include "free/intercept/lock_calls.h"

namespace ravel::fr {

// A parallel region, on the stack of the thread that begins it. Its address, plus one of these, names an order.
struct Team {
  void (*body)(void*);
  void* data;
};
enum class TeamOrder : std::uint8_t {
  kBegin,        // from who begins the region to its threads
  kEnd,          // ... and back
  kEvenBarrier,  // barriers in turn: a thread may be at the next one while others leave the last
  kOddBarrier,
  kCopied,  // copyprivate
  kOrdered,
  kTasks,  // tasks that have ended
  kCount,
};
static_assert(static_cast<std::size_t>(TeamOrder::kCount) <= sizeof(Team));

// Where the calling thread is.
struct InTeam {
  Team* team = nullptr;        // nullptr: outside of any
  unsigned barriers = 0;       // passed
  const void* task = nullptr;  // its address names the order from the task's children to its taskwait
};
extern thread_local InTeam t_in_team __attribute__((tls_model("initial-exec")));
extern Team g_outside;

inline std::uint64_t order_of(const Team* team, TeamOrder order) {
  return address_of(team != nullptr ? team : &g_outside) + static_cast<std::uint64_t>(order);
}

inline bool is_traced() {
  return (g_hooks & kHookTrace) != 0;
}

inline void give(std::uint64_t order, std::uintptr_t pc) {
  FreeThread* const self = is_traced() ? synchronising() : nullptr;
  if (self != nullptr) record(*self, OpKind::kSemPost, order, pc);
}
inline void take(std::uint64_t order, std::uintptr_t pc) {
  FreeThread* const self = is_traced() ? synchronising() : nullptr;
  if (self != nullptr) record(*self, OpKind::kSemWait, order, pc);
}

// An order that nobody records: nothing can be said about the run's races.
inline void leave_gap() {
  if (is_traced() && g_block != nullptr) g_block->unrecorded.fetch_add(1, std::memory_order_relaxed);
}

// libgomp's own function, looked up on first use.
template <class Function>
Function* of_libgomp(Function*& found, const char* name) {
  if (found == nullptr) found = reinterpret_cast<Function*>(of_openmp_library(name));
  return found;
}

}  // namespace ravel::fr

// A pointer to libgomp's own `name`, whose type is that of the function around.
#define RAVEL_LIBGOMP(name)                     \
  [] {                                          \
    static decltype(&name) found = nullptr;     \
    return ravel::fr::of_libgomp(found, #name); \
  }()
