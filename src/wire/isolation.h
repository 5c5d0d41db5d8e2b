// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How executions are kept apart: what the user allows, and the state of the choice.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace ravel {

// How one process runs a program many times; each is faster than the one before, and used only as far as it is equal.
enum class Isolation : std::uint8_t {
  kAuto,      // the fastest that holds for this program
  kFork,      // a child for each execution: the reference
  kRollback,  // in the worker, whose memory is compared and put back afterwards
  kRepeat,    // the same, but only what executions are known to change is put back; proven every so often
};

inline constexpr std::string_view kIsolationNames[] = {"auto", "fork", "rollback", "repeat"};

// Lives as long as the campaign, whatever happens to workers.
struct IsolationState {
  std::atomic<Isolation> mode{Isolation::kAuto};  // in force
  std::atomic<std::uint8_t> inside{0};            // an execution is running inside the worker
  std::atomic<std::uint8_t> restart_search{0};    // what an exhaustive search has learnt so far is in doubt
  std::atomic<std::uint32_t> spoilt{0};           // executions that did what cannot be taken back
  std::atomic<std::uint32_t> deaths{0};           // workers that an execution took with it
  std::atomic<std::uint64_t> doubtful{0};         // executions before such a proof: what they began with is not sure
  std::atomic<std::uint32_t> carriers{0};         // threads to be prepared for, if more than usual
  std::atomic<std::uint64_t> runs{0};             // executions inside a worker
  std::atomic<std::uint64_t> repeats{0};          // of them, put back without a comparison
  std::atomic<std::uint64_t> verified{0};         // of them, found equal to a run in a child
  char reason[160] = {};                          // why it is not a faster one
};

}  // namespace ravel
