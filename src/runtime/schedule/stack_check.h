// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Use of another thread's stack where no function of that thread has its frame any more: the variable was one of a
// function that has returned. Everything below the place where a waiting thread called the runtime is dead, and what
// the runtime itself keeps there must not be written to. Stacks of ended threads are detect/dead_stack.h's business.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/fiber/carrier.h"

namespace ravel::rt {

inline bool in_stacks(std::uintptr_t address) {
  return address - kStackRegion < std::uintptr_t{kMaxLive} * kStackStride;
}
// Ends the execution if the frame is gone.
void look_for_left_frame(std::uintptr_t address, OpKind kind, std::uint32_t size, LocationId location);
// Main has returned, below `frame` nothing of it is left: ends the execution if another thread is about to use that.
void look_for_users_of_main(std::uintptr_t frame, LocationId main);

}  // namespace ravel::rt
