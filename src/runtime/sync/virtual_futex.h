// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual futexes: what std::counting_semaphore, latch, barrier, atomic::wait and futures block on. Results as of the
// system call: negative errno numbers.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

struct FutexWait {
  std::uint32_t* word = nullptr;
  std::uint32_t expected = 0;
  std::uint32_t bits = ~std::uint32_t{0};
  std::uint64_t deadline = kNever;
  Interruption interruption = Interruption::kAlways;
  bool cancellable = false;
};
long futex_wait(const FutexWait& call, LocationId location);
long futex_wake(std::uint32_t* word, std::int32_t count, std::uint32_t bits, LocationId location);

// FUTEX_REQUEUE and FUTEX_CMP_REQUEUE: wakes some waiters and lets more of them wait at another word.
struct FutexRequeue {
  std::uint32_t* from = nullptr;
  std::uint32_t* to = nullptr;
  std::int32_t wake = 0;
  std::int32_t move = 0;
  bool compares = false;  // fails with EAGAIN unless *from is as expected
  std::uint32_t expected = 0;
};
long futex_requeue(const FutexRequeue& call, LocationId location);

}  // namespace ravel::rt
