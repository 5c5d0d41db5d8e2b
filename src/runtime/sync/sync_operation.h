// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small helpers that all virtual synchronisation objects share.
#pragma once

#include <cstdint>

#include "runtime/schedule/scheduler.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

template <class T>
std::uintptr_t address_of(T* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

template <class T>
Pending operation(OpKind kind, T* object, LocationId location) {
  Pending pending;
  pending.kind = kind;
  pending.address = address_of(object);
  pending.location = location;
  return pending;
}

// A live thread other than the running one has a pending conditional operation on this very object.
inline bool somebody_waits_on(const volatile void* object) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count; ++i) {
    const VirtualThread& thread = *list[i];
    if (&thread != g.current && thread.pending.enabled != nullptr &&
        thread.pending.address == reinterpret_cast<std::uintptr_t>(object)) {
      return true;
    }
  }
  return false;
}

}  // namespace ravel::rt
