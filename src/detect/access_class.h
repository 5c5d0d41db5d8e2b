// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The four ways to touch memory, as data races see them, and the 8-byte cells that accesses are cut into.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel {

enum class AccessClass : std::uint8_t { kPlainRead, kPlainWrite, kAtomicRead, kAtomicWrite, kNone };

inline constexpr AccessClass access_class(const Event& e) {
  switch (e.kind) {
    case OpKind::kRead:
      return AccessClass::kPlainRead;
    case OpKind::kWrite:
    case OpKind::kHeapFree:  // ends the life of every byte
      return AccessClass::kPlainWrite;
    case OpKind::kAtomicLoad:
      return AccessClass::kAtomicRead;
    case OpKind::kAtomicCas:
      return e.failed() ? AccessClass::kAtomicRead : AccessClass::kAtomicWrite;
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
      return AccessClass::kAtomicWrite;
    default:
      return AccessClass::kNone;
  }
}

inline constexpr bool is_write(AccessClass c) {
  return c == AccessClass::kPlainWrite || c == AccessClass::kAtomicWrite;
}
inline constexpr bool is_atomic(AccessClass c) {
  return c == AccessClass::kAtomicRead || c == AccessClass::kAtomicWrite;
}
// One of them writes, and not both are atomic.
inline constexpr bool conflict(AccessClass a, AccessClass b) {
  return (is_write(a) || is_write(b)) && !(is_atomic(a) && is_atomic(b));
}
// Whatever conflicts with `old` conflicts with `recent` too: once old happens before recent, old need not be kept.
inline constexpr bool replaces(AccessClass recent, AccessClass old) {
  return recent == AccessClass::kPlainWrite || recent == old || old == AccessClass::kAtomicRead;
}

// Calls f(cell offset, byte mask) for each 8-byte cell that [offset, offset + size) touches.
template <class F>
inline void for_each_cell(std::uint32_t offset, std::uint32_t size, F&& f) {
  std::uint64_t at = offset;
  const std::uint64_t end = at + size;
  while (at < end) {
    const std::uint64_t cell = at & ~std::uint64_t{7};
    const std::uint64_t stop = end < cell + 8 ? end : cell + 8;
    const unsigned mask = ((1u << (stop - cell)) - 1) & ~((1u << (at - cell)) - 1);
    f(static_cast<std::uint32_t>(cell), static_cast<std::uint8_t>(mask));
    at = stop;
  }
}

}  // namespace ravel
