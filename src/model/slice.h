// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The part of a program that a sliced search interleaves: threads by name, and places by line (beside Guide::places);
// and what executions have shown of its threads. Plain data.
//
// A thread's name is its path in the tree of creations, as a number: the same in every execution, whatever the order in
// which threads are created.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "model/event.h"

namespace ravel {

using ThreadName = std::uint64_t;
inline constexpr ThreadName kMainThread = 1;

// The n-th thread that a thread creates, from 0.
inline constexpr ThreadName child_name(ThreadName parent, std::uint32_t n) {
  return hash_combine(hash_combine(parent, 0x7472656164ull), n);
}

inline constexpr std::uint32_t kNoSliceThread = 0xffffffffu;

// A thread that is interleaved, or one that has to run so that such a thread is created. Its creator comes before it.
struct SliceThread {
  std::uint32_t name_low = 0;
  std::uint32_t name_high = 0;
  std::uint32_t creator = kNoSliceThread;  // of the list
  std::uint32_t inside = 0;                // 0: it only creates others

  [[nodiscard]] ThreadName name() const { return ThreadName{name_high} << 32 | name_low; }
};

inline constexpr std::uint32_t kMaxSliceThreads = 64;
inline constexpr std::uint32_t kMaxSeenPlaces = 1u << 15;  // those of Guide::places that are watched

// Memory that a thread was seen to touch, and the locks that it held every time.
struct SeenMemory {
  std::uint64_t address = 0;
  std::uint64_t locks = 0;  // a bit for each, by hash
  std::uint32_t wrote = 0;
  std::uint32_t pad = 0;
};

struct SeenThread {
  static constexpr std::uint32_t kMemory = 64;
  ThreadName name = 0;
  std::uint32_t creator = kNoSliceThread;  // of SliceSeen::threads
  LocationId created_at = 0;               // of Guide::places; 0: unknown
  std::uint32_t memory_count = 0;
  std::uint32_t pad = 0;
  SeenMemory memory[kMemory] = {};
  std::uint64_t reached[kMaxSeenPlaces / 64] = {};  // bits, by index into Guide::places
};

// Over all executions of a campaign; it only grows.
struct SliceSeen {
  std::uint32_t count = 0;
  std::uint32_t left_out = 0;  // threads beyond the limit
  SeenThread threads[kMaxSliceThreads] = {};
};

}  // namespace ravel
