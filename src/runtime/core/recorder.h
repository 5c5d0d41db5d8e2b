// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Writes events into the ring. The worker takes them out at the other end; when the ring is full the program waits for
// it. Recording never switches threads and never allocates.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/core/objects.h"
#include "runtime/core/spin_watch.h"

namespace ravel::rt {

struct Pending;

// The operation just executed by the running thread. `address` 0: no object.
void record(OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address, LocationId location,
            std::uint64_t value);

// The running thread's pending operation, now executed; adds what the scheduler knows (it had to wait, it was a
// choice).
void record_pending(std::uint8_t extra_bits, std::uint64_t value);

// A plain write is announced before it happens: the value is filled in at the thread's next call-out. At most one is
// waiting for it: the thread that made it cannot be left without passing here.
struct OpenWrite {
  Event* event = nullptr;
  std::uintptr_t address = 0;
  std::uint16_t size = 0;
};
extern OpenWrite g_open_write;
void remember_plain_write(std::uintptr_t address, std::uint16_t size);
// The access failed: there is no value to look up.
void forget_plain_write();
inline void fill_in_plain_write() {
  if (g_open_write.event == nullptr) return;
  g_open_write.event->value = peek(g_open_write.address, g_open_write.size);
  g_open_write.event = nullptr;
}

// A visible operation that is not recorded as an event (re-read of a spinning thread) still counts towards the step
// limit.
void count_step();

}  // namespace ravel::rt
