// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The four ways to touch memory, as data races see them, and the 8-byte cells that accesses are cut into.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/event.h"

namespace ravel {

enum class AccessClass : std::uint8_t { kPlainRead, kPlainWrite, kAtomicRead, kAtomicWrite, kNone };

// Asked of every event, hence a table. A compare-exchange stands as if it succeeded.
struct AccessClassColumn {
  AccessClass of[256];
  constexpr AccessClassColumn() : of() {
    for (AccessClass& cls : of) cls = AccessClass::kNone;
    set(OpKind::kRead, AccessClass::kPlainRead);
    set(OpKind::kWrite, AccessClass::kPlainWrite);
    set(OpKind::kHeapFree, AccessClass::kPlainWrite);  // ends the life of every byte
    set(OpKind::kAtomicLoad, AccessClass::kAtomicRead);
    set(OpKind::kAtomicCas, AccessClass::kAtomicWrite);
    set(OpKind::kAtomicStore, AccessClass::kAtomicWrite);
    set(OpKind::kAtomicRmw, AccessClass::kAtomicWrite);
  }
  constexpr void set(OpKind kind, AccessClass cls) { of[static_cast<std::size_t>(kind)] = cls; }
};
inline constexpr AccessClassColumn kAccessClasses;

inline constexpr AccessClass access_class(OpKind kind, std::uint8_t bits) {
  if (kind == OpKind::kAtomicCas && (bits & kFailed) != 0) return AccessClass::kAtomicRead;
  return kAccessClasses.of[static_cast<std::size_t>(kind)];
}
inline constexpr AccessClass access_class(const Event& e) {
  return access_class(e.kind, e.bits);
}

// As above, and what takes or gives back a mutex as the atomic access of its first word that it is: whoever copies or
// overwrites a mutex while others lock it races with them. Not of what may be given up before all have left it
// (barriers), or while it is being signalled (condition variables). An attempt that failed only looked.
inline constexpr bool moves_mutex(OpKind kind, std::uint8_t bits) {
  return kind >= OpKind::kMutexLock && kind <= OpKind::kMutexUnlock && (bits & kFailed) == 0;
}
struct RaceClassColumn : AccessClassColumn {
  constexpr RaceClassColumn() {
    set(OpKind::kMutexLock, AccessClass::kAtomicWrite);
    set(OpKind::kMutexTryLock, AccessClass::kAtomicWrite);
    set(OpKind::kMutexUnlock, AccessClass::kAtomicWrite);
  }
};
inline constexpr RaceClassColumn kRaceClasses;
inline constexpr AccessClass race_class(OpKind kind, std::uint8_t bits) {
  if (kind == OpKind::kAtomicCas && (bits & kFailed) != 0) return AccessClass::kAtomicRead;
  return kRaceClasses.of[static_cast<std::size_t>(kind)];
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
