// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Writes events into the ring. The worker takes them out at the other end; when the ring is full the program waits for
// it. Recording never switches threads and never allocates.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/core/objects.h"

namespace ravel::rt {

struct Pending;

// Once, at the start of an execution.
void begin_recorder();

// The operation just executed by the running thread. `address` 0: no object.
void record(OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address, LocationId location,
            std::uint64_t value);

// The running thread's pending operation, now executed; adds what the scheduler knows (it had to wait, it was a
// choice).
void record_pending(std::uint8_t extra_bits, std::uint64_t value);

// A plain write is announced before it happens: the value is filled in at the thread's next call-out.
void remember_plain_write(std::uintptr_t address, std::uint16_t size);
// The access failed: there is no value to look up.
void forget_plain_write();
void fill_in_plain_write();

// A visible operation that is not recorded as an event (re-read of a spinning thread) still counts towards the step
// limit.
void count_step();
// The program says that it gets somewhere: the step limit counts anew, up to a multiple of it.
void restart_step_limit();

}  // namespace ravel::rt
