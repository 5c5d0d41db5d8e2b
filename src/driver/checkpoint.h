// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A checkpoint is the shared block of a campaign kept in a file: the campaign's memory, as of its last instruction. The
// engine commits each execution by one store and survives its worker's death at any time; when the block is a file it
// survives the tool's death as well. Nothing is written from time to time: SIGKILL loses at most the execution in hand,
// which was not counted. With several processes each has a file, and what they have in common another one.
//
// It holds addresses of the runtime's code, so it belongs to this build of the program and of Ravel on a machine where
// libraries are loaded to the same place; anything else is refused.
#pragma once

#include <cstdint>
#include <string>

#include "driver/shared_memory.h"
#include "model/text/result.h"

namespace ravel {

struct CheckpointOptions {
  std::string path;      // empty: none
  bool resume = false;   // go on with what is there
  std::string campaign;  // what must be the same: program, arguments, strategy, ...
};

// The file is sparse and grows with the search. Room for a short one is needed at the start; when less than the second
// is left the campaign ends in order.
inline constexpr std::uint64_t kLeastFreeToStart = std::uint64_t{32} << 20;
inline constexpr std::uint64_t kLeastFreeToGoOn = std::uint64_t{16} << 20;
// On the disk that holds `path`, or its folder if it is not there yet; the largest number if the system does not say.
std::uint64_t free_bytes(const std::string& path);

// FILE, FILE.1, FILE.2, ...
std::string checkpoint_path(const std::string& path, std::uint32_t shard);
// The tree that several jobs search, in memory or in FILE.tree; `executions' may be begun by all of them together.
Result<TreeMemory> open_tree(const CheckpointOptions& options, std::uint64_t executions);
// The block for a shard: in memory, in a new file, or as an earlier campaign left it.
Result<SharedMemory> open_block(const CheckpointOptions& options, const std::string& program,
                                const std::string& strategy, std::uint32_t shard, std::uint32_t jobs);

}  // namespace ravel
