// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whether the execution in another process makes progress. Three things count: steps, entries of instrumented
// functions, and processor time. Real time alone says nothing, since the machine may be busy with others:
//   * a process that neither runs nor wants to hangs after the limit in real time: it is blocked in something that is
//     not controlled;
//   * one that computes hangs after the limit in processor time, but only while other threads of the program wait for
//     their turn. As long as there is one thread, it computes, for as long as the campaign allows.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "wire/shared_block.h"

namespace ravel {

class ProgressWatch {
 public:
  // `process` was forked from this one, so what lies at an address here lies there too.
  ProgressWatch(SharedBlock& block, pid_t process) : block_(block), process_(process) {}

  // Called again and again, at any time. True: it hangs.
  bool hangs();
  void restart() { next_ms_ = 0; }

 private:
  struct Sample {
    std::uint64_t steps = 0;
    std::uint64_t executions = 0;
    std::uint64_t entries = 0;  // of instrumented functions
    std::uint32_t live = 0;     // threads of the program
    std::uint64_t cpu_ms = 0;
  };
  [[nodiscard]] Sample sample() const;
  void show_progress();

  SharedBlock& block_;
  pid_t process_;
  Sample last_;
  std::uint64_t next_ms_ = 0;     // when to look again
  std::uint64_t blocked_ms_ = 0;  // since it last moved
  std::uint64_t computed_ms_ = 0;
};

}  // namespace ravel
