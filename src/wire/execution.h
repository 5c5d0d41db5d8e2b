// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Tables that the child writes while it runs the program, beyond model/execution.h: the ring of events, calling
// contexts, frames of the stack, and what the program did that is not controlled.
#pragma once

#include <atomic>
#include <cstdint>

#include "model/event.h"
#include "model/execution.h"
#include "model/tables.h"

namespace ravel {

inline constexpr std::uint32_t kRingEvents = 1u << 20;  // power of two
inline constexpr std::uint32_t kMaxContexts = 1u << 20;
inline constexpr std::uint32_t kContextSlots = 1u << 21;

// Replay: the function whose frame a place on a stack lay in, to name the variable. Hashed by object and offset.
struct StackPlaceRecord {
  ObjectId object = 0;  // 0: free
  std::uint32_t offset = 0;
  LocationId function = 0;  // behind its first call; kSeveralFunctions: frames of more than one lay there
  std::uint32_t frame = 0;  // offset of its frame's upper end (what DWARF calls the CFA); 0: not found
  std::uint32_t stack = 0;  // offset that the stack pointer had in it
};
static_assert(sizeof(StackPlaceRecord) == 20);
inline constexpr LocationId kSeveralFunctions = 0xffffffffu;
inline constexpr std::uint32_t kStackPlaces = 4096;

// Where the caller's return address stands above an interceptor's frame, for calls out of a library
// (runtime/state/locations.h).
struct FrameLink {
  std::uint64_t distance = 0;
  std::uint64_t pc = 0;  // the return address that stands there
};
inline constexpr std::uint32_t kFrameLinks = 7;
struct FrameDistance {
  std::uint64_t pc = 0;
  std::uint64_t distance = 0;
  std::uint64_t links = 0;
  FrameLink
      through[kFrameLinks];  // the library's own frames in between: another way into the same call is another distance
};
inline constexpr std::uint32_t kFrameSlots = 512;

// What the program did that Ravel does not control, one entry per call and place, over all executions.
inline constexpr std::uint32_t kMaxUncontrolled = 64;
struct UncontrolledRecord {
  std::atomic<std::uint32_t> times{0};
  LocationId location = 0;
  char call[24] = {};    // "open", "rdrand"
  char detail[96] = {};  // what is not controlled: "/proc/self/stat"
};
static_assert(sizeof(UncontrolledRecord) == 128);

}  // namespace ravel
