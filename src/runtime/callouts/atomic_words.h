// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomic operations on words of 1 to 16 bytes, as one class a width. `hardware` executes them with the processor's
// atomic instructions (no runtime in control, OS threads may run in parallel), `watched_*` between the access layer's
// begin and end, where nothing else runs and plain memory accesses are enough.
//
// 16 bytes go through cmpxchg16b (__sync builtins): the __atomic builtins of g++ would call libatomic, whose symbols
// are ours. It needs aligned, writable memory, as libatomic does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/access/quick_atomic.h"
#include "runtime/callouts/call_out.h"

namespace ravel::rt {

using Word128 = unsigned __int128;

// What compilers pass: the C++ order in the low bits, hints above.
inline int order_of(int argument) {
  return argument & 7;
}

enum class Rmw { kExchange, kAdd, kSub, kAnd, kOr, kXor, kNand };

template <typename Word>
Word combine(Rmw how, Word old, Word operand) {
  switch (how) {
    case Rmw::kExchange:
      return operand;
    case Rmw::kAdd:
      return static_cast<Word>(old + operand);
    case Rmw::kSub:
      return static_cast<Word>(old - operand);
    case Rmw::kAnd:
      return static_cast<Word>(old & operand);
    case Rmw::kOr:
      return static_cast<Word>(old | operand);
    case Rmw::kXor:
      return static_cast<Word>(old ^ operand);
    case Rmw::kNand:
      return static_cast<Word>(~(old & operand));
  }
  __builtin_unreachable();
}

template <typename Word>
struct Hardware {
  static Word load(const volatile Word* p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
  static void store(volatile Word* p, Word value, int order) {
    if (order == __ATOMIC_SEQ_CST)
      __atomic_store_n(p, value, __ATOMIC_SEQ_CST);
    else
      __atomic_store_n(p, value, __ATOMIC_RELEASE);
  }
  static bool cas(volatile Word* p, Word& expected, Word desired) {
    return __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  static Word rmw(Rmw how, volatile Word* p, Word operand) {
    if (how == Rmw::kExchange) return __atomic_exchange_n(p, operand, __ATOMIC_SEQ_CST);
    if (how == Rmw::kAdd) return __atomic_fetch_add(p, operand, __ATOMIC_SEQ_CST);
    if (how == Rmw::kSub) return __atomic_fetch_sub(p, operand, __ATOMIC_SEQ_CST);
    Word old = load(p);
    while (!cas(p, old, combine(how, old, operand))) {
    }
    return old;
  }
};

template <>
struct Hardware<Word128> {
  static Word128 load(const volatile Word128* p) {
    return __sync_val_compare_and_swap(const_cast<volatile Word128*>(p), 0, 0);
  }
  static void store(volatile Word128* p, Word128 value, int) { rmw(Rmw::kExchange, p, value); }
  static bool cas(volatile Word128* p, Word128& expected, Word128 desired) {
    const Word128 seen = __sync_val_compare_and_swap(p, expected, desired);
    if (seen == expected) return true;
    expected = seen;
    return false;
  }
  static Word128 rmw(Rmw how, volatile Word128* p, Word128 operand) {
    Word128 old = load(p);
    while (!cas(p, old, combine(how, old, operand))) {
    }
    return old;
  }
};

inline AtomicOp operation(OpKind kind, const volatile void* p, std::size_t size, int order, std::uintptr_t pc) {
  const std::size_t told = size > 0xffff ? 0xffff : size;
  return {kind, static_cast<std::uint8_t>(order_of(order)), static_cast<std::uint16_t>(told), address_of(p), pc};
}

// For what is not the atomic object itself (expected values, results): it has the alignment of the plain type only.
template <typename Word>
inline Word get(const void* p) {
  Word value;
  __builtin_memcpy(&value, p, sizeof value);
  return value;
}
template <typename Word>
inline void put(void* p, Word value) {
  __builtin_memcpy(p, &value, sizeof value);
}

template <typename Word>
inline std::uint64_t shown(Word value) {
  return static_cast<std::uint64_t>(value);  // of 16 bytes the lower half
}

// Quick where possible; whatever is out of the ordinary is left to the watched_* functions, and nothing is done yet.
template <typename Word>
__attribute__((always_inline)) inline bool quick_load(const volatile Word* p, int order, std::uintptr_t pc,
                                                      Word& value) {
  if constexpr (QuickAtomic<Word>::kPossible) {
    QuickAtomic<Word> quick(p, pc);
    if (!quick.begins(OpKind::kAtomicLoad, order)) return false;
    value = *p;
    quick.ends(OpKind::kAtomicLoad, order, false, false, value, value, 0);
    return true;
  }
  return false;
}

template <typename Word>
__attribute__((always_inline)) inline bool quick_store(volatile Word* p, Word value, int order, std::uintptr_t pc) {
  if constexpr (QuickAtomic<Word>::kPossible) {
    QuickAtomic<Word> quick(p, pc);
    if (!quick.begins(OpKind::kAtomicStore, order)) return false;
    const Word old = *p;
    *p = value;
    quick.ends(OpKind::kAtomicStore, order, false, true, old, value, old);
    return true;
  }
  return false;
}

template <Rmw how, typename Word>
__attribute__((always_inline)) inline bool quick_rmw(volatile Word* p, Word operand, int order, std::uintptr_t pc,
                                                     Word& old) {
  if constexpr (QuickAtomic<Word>::kPossible) {
    QuickAtomic<Word> quick(p, pc);
    if (!quick.begins(OpKind::kAtomicRmw, order)) return false;
    old = *p;
    const Word next = combine<Word>(how, old, operand);
    *p = next;
    quick.ends(OpKind::kAtomicRmw, order, false, old != next, old, old, next);
    return true;
  }
  return false;
}

template <typename Word>
__attribute__((noinline)) Word watched_load(const volatile Word* p, int order, std::uintptr_t pc) {
  const AtomicOp op = operation(OpKind::kAtomicLoad, p, sizeof *p, order, pc);
  atomic_begin(op);
  const Word value = *p;
  atomic_end(op, shown(value), 0, false, false);
  return value;
}

template <typename Word>
__attribute__((noinline)) void watched_store(volatile Word* p, Word value, int order, std::uintptr_t pc) {
  const AtomicOp op = operation(OpKind::kAtomicStore, p, sizeof *p, order, pc);
  atomic_begin(op);
  const Word old = *p;
  *p = value;
  atomic_end(op, shown(value), shown(old), false, old != value);
}

template <Rmw how, typename Word>
__attribute__((noinline)) Word watched_rmw(volatile Word* p, Word operand, int order, std::uintptr_t pc) {
  const AtomicOp op = operation(OpKind::kAtomicRmw, p, sizeof *p, order, pc);
  atomic_begin(op);
  const Word old = *p;
  const Word next = combine<Word>(how, old, operand);
  *p = next;
  atomic_end(op, shown(old), shown(next), false, old != next);
  return old;
}

struct CasKind {
  int order;
  int failure_order;
  bool weak;
};

// A failed exchange is recorded with its failure order: it is a load.
template <typename Word>
__attribute__((always_inline)) inline bool quick_cas(volatile Word* p, void* expected, Word desired, CasKind how,
                                                     std::uintptr_t pc, bool& exchanged) {
  if constexpr (QuickAtomic<Word>::kPossible) {
    QuickAtomic<Word> quick(p, pc);
    if (!quick.begins(OpKind::kAtomicCas, how.order)) return false;
    const Word old = *p;
    const Word wanted = get<Word>(expected);
    exchanged = old == wanted;
    if (exchanged) {
      *p = desired;
    } else {
      put(expected, old);
    }
    quick.ends(OpKind::kAtomicCas, exchanged ? how.order : how.failure_order, !exchanged, exchanged && old != desired,
               old, old, exchanged ? desired : wanted);
    return true;
  }
  return false;
}

template <typename Word>
__attribute__((noinline)) bool watched_cas(volatile Word* p, void* expected, Word desired, CasKind how,
                                           std::uintptr_t pc) {
  AtomicOp op = operation(OpKind::kAtomicCas, p, sizeof *p, how.order, pc);
  atomic_begin(op);
  const Word old = *p;
  if (old == get<Word>(expected) && !(how.weak && weak_cas_fails(op))) {
    *p = desired;
    atomic_end(op, shown(old), shown(desired), false, old != desired);
    return true;
  }
  op.order = static_cast<std::uint8_t>(order_of(how.failure_order));
  const Word wanted = get<Word>(expected);
  put(expected, old);
  atomic_end(op, shown(old), shown(wanted), true, false);
  return false;
}

template <typename Word>
inline Word atomic_load(const volatile Word* p, int order, std::uintptr_t pc) {
  if (!watched()) return Hardware<Word>::load(p);
  Word value;
  return quick_load(p, order, pc, value) ? value : watched_load(p, order, pc);
}
template <typename Word>
inline void atomic_store(volatile Word* p, Word value, int order, std::uintptr_t pc) {
  if (!watched()) return Hardware<Word>::store(p, value, order_of(order));
  if (!quick_store(p, value, order, pc)) watched_store(p, value, order, pc);
}
template <Rmw how, typename Word>
inline Word atomic_rmw(volatile Word* p, Word operand, int order, std::uintptr_t pc) {
  if (!watched()) return Hardware<Word>::rmw(how, p, operand);
  Word old;
  return quick_rmw<how>(p, operand, order, pc, old) ? old : watched_rmw<how>(p, operand, order, pc);
}
template <typename Word>
inline bool atomic_cas(volatile Word* p, void* expected, Word desired, CasKind how, std::uintptr_t pc) {
  if (watched()) {
    bool exchanged = false;
    return quick_cas(p, expected, desired, how, pc, exchanged) ? exchanged : watched_cas(p, expected, desired, how, pc);
  }
  Word seen = get<Word>(expected);
  if (Hardware<Word>::cas(p, seen, desired)) return true;
  put(expected, seen);
  return false;
}

}  // namespace ravel::rt
