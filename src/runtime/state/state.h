// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The runtime's few globals. One OS thread runs the whole program, so none of this is locked; a forked child starts
// from the zygote's clean copy, so none of it is reset.
#pragma once

#include <cstdint>

#include "base/invariant.h"
#include "runtime/platform/hidden.h"
#include "runtime/state/thread.h"
#include "semantics/process_exit.h"
#include "wire/shared_block.h"

namespace ravel::rt {

inline constexpr std::uint32_t kMaxLive = 8192;  // live virtual threads at one time

struct Globals {
  SharedBlock* block = nullptr;  // nullptr: the program runs on its own, everything is passed through
  bool in_control = false;       // true in the process that runs the program under a plan
  bool preparing = false;        // runs what comes before the explore() call: nothing of it is kept
  bool direct = false;           // no worker behind us (debugger): the ring overwrites itself
  VirtualThread* current = nullptr;
  VirtualThread* main = nullptr;
  std::uint32_t live = 0;  // threads in ThreadState::kLive
  std::uint32_t next_index = 0;
  std::uint32_t joined = 0;  // threads, by whomever
  std::uint64_t next_ticket = 1;
  std::uint32_t advances = 0;  // of fair time, because nobody could run
  std::uint32_t in_handler =
      0;  // signal handlers of the program that the current thread is in: it is not left in the meantime
  ExitState exit;
  int exit_status = 0;       // of the exit that has begun
  bool private_tmp = false;  // what is written to /tmp is gone before the next execution
  std::int32_t process = 0;  // the process in control; a child made by vfork shares our memory
};

RAVEL_HIDDEN extern Globals g;

// Threads that run, or might have run until now in another order: nobody has waited for their end.
inline bool others_may_run() {
  return g.live > 1 || g.joined + 1 != g.next_index;
}

// Something was seen that is not controlled: named in the output.
inline void note(std::uint64_t bit) {
  if (g.block != nullptr) g.block->control.notes.fetch_or(bit);
}

// For set_invariant_handler(): a broken invariant of ours is an internal error, never a finding about the program.
[[noreturn]] void stop_at_broken_invariant(const InvariantFailure& failure);

}  // namespace ravel::rt
