// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SharedTree: the memory of a search that several processes share (--jobs), beside the block that each of them has. A
// memfd, or a file with a checkpoint, mapped by each of them at kTreeAddress, so that what one writes into a journal
// about it another one's successor understands. Sparse.
//
// The driver writes the header before the processes start, and reads nothing. What is behind the header is explore's
// (explore/common_search.h); zero is a search that has not begun.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/version.h"

namespace ravel {

inline constexpr std::uint64_t kTreeAddress = 0x508000000000ull;
inline constexpr std::size_t kTreeBytes = std::size_t{256} << 20;

struct TreeHeader {
  std::uint64_t magic = kWireMagic;
  std::uint32_t version = kWireVersion;
  std::uint32_t pad = 0;
  std::uint64_t bytes = kTreeBytes;
  std::atomic<std::uint64_t> left{0};  // executions that may still be begun, by all together
};

struct SharedTree {
  TreeHeader header;
  alignas(4096) unsigned char memory[kTreeBytes - 4096];
};
static_assert(sizeof(SharedTree) == kTreeBytes);

}  // namespace ravel
