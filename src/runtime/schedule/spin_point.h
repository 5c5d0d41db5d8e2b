// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reads that find what they found before (spin_watch.h): executed without a point, or made to wait.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

// Called before an operation that only reads, if it finds what stands at `address` now. True: an unchanged re-read that
// is to be executed without a point and without an event. May wait until something changed.
bool skip_unchanged_read(std::uintptr_t address, std::uint16_t size, LocationId location, OpKind kind);

// The same when the watch has been asked already and the read was not a fresh one.
bool skip_or_wait(SpinVerdict verdict, std::uintptr_t address, std::uint16_t size, LocationId location, OpKind kind);

// True: an unchanged re-read, without point and event.
inline bool is_skipped(VirtualThread& self, std::uintptr_t address, std::uint16_t size, LocationId location,
                       OpKind kind) {
  const SpinVerdict verdict = self.spin.before_read(address, size, peek(address, size), location);
  return verdict != SpinVerdict::kFresh && skip_or_wait(verdict, address, size, location, kind);
}

}  // namespace ravel::rt
