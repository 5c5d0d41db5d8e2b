// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// libatomic's functions. Both compilers call the generic ones for objects of unusual size, clang also the sized ones
// where the target has no instruction (16 bytes without -mcx16). They must be atomic steps of the program like all
// others, and not take libatomic's hidden locks.
//
// The names are builtins with special typing rules, so the functions have names of their own and the symbol is set.
#include <cstddef>

#include "runtime/callouts/atomic_words.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/spin_lock.h"

using namespace ravel::rt;
using ravel::OpKind;

namespace {

// Out of control: objects without an instruction are guarded by one of these, chosen by address.
constexpr std::size_t kLocks = 64;
constinit SpinLock locks[kLocks];

SpinLock& lock_of(const volatile void* p) {
  return locks[address_of(p) / 64 % kLocks];
}

bool same_bytes(const void* a, const void* b, std::size_t size) {
  return __builtin_memcmp(a, b, size) == 0;
}

// The object as a word, if the processor can do it in one piece.
template <typename Word>
bool is_word(const volatile void* p, std::size_t size) {
  return size == sizeof(Word) && address_of(p) % sizeof(Word) == 0;
}

std::uint64_t first_bytes(const void* p, std::size_t size) {
  std::uint64_t value = 0;
  copy_bytes(&value, p, size < sizeof value ? size : sizeof value);
  return value;
}

template <typename Word>
Word* as(const void* p) {
  return static_cast<Word*>(const_cast<void*>(p));
}

void big_load(std::size_t size, const void* p, void* result, int order, std::uintptr_t pc) {
  if (!watched()) {
    const Locked locked(lock_of(p));
    copy_bytes(result, p, size);
    return;
  }
  const AtomicOp op = operation(OpKind::kAtomicLoad, p, size, order, pc);
  atomic_begin(op);
  copy_bytes(result, p, size);
  atomic_end(op, first_bytes(p, size), 0, false, false);
}

void big_store(std::size_t size, void* p, const void* value, int order, std::uintptr_t pc) {
  if (!watched()) {
    const Locked locked(lock_of(p));
    copy_bytes(p, value, size);
    return;
  }
  const AtomicOp op = operation(OpKind::kAtomicStore, p, size, order, pc);
  atomic_begin(op);
  const bool changed = !same_bytes(p, value, size);
  const std::uint64_t old = first_bytes(p, size);
  copy_bytes(p, value, size);
  atomic_end(op, first_bytes(p, size), old, false, changed);
}

// The result may be the place the value comes from, so bytes are swapped one by one.
bool swap_in(std::size_t size, void* p, const void* value, void* result) {
  bool changed = false;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned char old = static_cast<unsigned char*>(p)[i];
    const unsigned char next = static_cast<const unsigned char*>(value)[i];
    static_cast<unsigned char*>(p)[i] = next;
    static_cast<unsigned char*>(result)[i] = old;
    changed |= old != next;
  }
  return changed;
}

void big_exchange(std::size_t size, void* p, const void* value, void* result, int order, std::uintptr_t pc) {
  if (!watched()) {
    const Locked locked(lock_of(p));
    swap_in(size, p, value, result);
    return;
  }
  const AtomicOp op = operation(OpKind::kAtomicRmw, p, size, order, pc);
  atomic_begin(op);
  const std::uint64_t old = first_bytes(p, size);
  const bool changed = swap_in(size, p, value, result);
  atomic_end(op, old, first_bytes(p, size), false, changed);
}

bool big_cas(std::size_t size, void* p, void* expected, const void* desired, CasKind how, std::uintptr_t pc) {
  if (!watched()) {
    const Locked locked(lock_of(p));
    const bool equal = same_bytes(p, expected, size);
    equal ? copy_bytes(p, desired, size) : copy_bytes(expected, p, size);
    return equal;
  }
  AtomicOp op = operation(OpKind::kAtomicCas, p, size, how.order, pc);
  atomic_begin(op);
  const std::uint64_t old = first_bytes(p, size);
  if (same_bytes(p, expected, size)) {
    const bool changed = !same_bytes(p, desired, size);
    copy_bytes(p, desired, size);
    atomic_end(op, old, first_bytes(p, size), false, changed);
    return true;
  }
  op.order = static_cast<std::uint8_t>(order_of(how.failure_order));
  const std::uint64_t wanted = first_bytes(expected, size);
  copy_bytes(expected, p, size);
  atomic_end(op, old, wanted, true, false);
  return false;
}

}  // namespace

#define FOR_EACH_WORD(X) \
  X(1, std::uint8_t)     \
  X(2, std::uint16_t)    \
  X(4, std::uint32_t)    \
  X(8, std::uint64_t)    \
  X(16, ravel::rt::Word128)

#define ATOMIC_SYMBOL(result, name, symbol, ...) \
  CALL_OUT result name(__VA_ARGS__) asm(symbol); \
  CALL_OUT result name(__VA_ARGS__)

ATOMIC_SYMBOL(void, ravel_atomic_load, "__atomic_load", std::size_t size, const void* p, void* result, int order) {
#define CASE(bytes, Word) \
  if (is_word<Word>(p, size)) return put(result, atomic_load(as<Word>(p), order, CALLER));
  FOR_EACH_WORD(CASE)
#undef CASE
  big_load(size, p, result, order, CALLER);
}

ATOMIC_SYMBOL(void, ravel_atomic_store, "__atomic_store", std::size_t size, void* p, const void* value, int order) {
#define CASE(bytes, Word) \
  if (is_word<Word>(p, size)) return atomic_store(as<Word>(p), get<Word>(value), order, CALLER);
  FOR_EACH_WORD(CASE)
#undef CASE
  big_store(size, p, value, order, CALLER);
}

ATOMIC_SYMBOL(void, ravel_atomic_exchange, "__atomic_exchange", std::size_t size, void* p, const void* value,
              void* result, int order) {
#define CASE(bytes, Word)     \
  if (is_word<Word>(p, size)) \
    return put(result, atomic_rmw<Rmw::kExchange>(as<Word>(p), get<Word>(value), order, CALLER));
  FOR_EACH_WORD(CASE)
#undef CASE
  big_exchange(size, p, value, result, order, CALLER);
}

ATOMIC_SYMBOL(bool, ravel_atomic_compare_exchange, "__atomic_compare_exchange", std::size_t size, void* p,
              void* expected, const void* desired, int order, int failure_order) {
  const CasKind how{order, failure_order, false};
#define CASE(bytes, Word) \
  if (is_word<Word>(p, size)) return atomic_cas(as<Word>(p), expected, get<Word>(desired), how, CALLER);
  FOR_EACH_WORD(CASE)
#undef CASE
  return big_cas(size, p, expected, desired, how, CALLER);
}

#define SIZED_RMW(bytes, Word, operation, how)                                                                    \
  ATOMIC_SYMBOL(Word, ravel_atomic_##operation##_##bytes, "__atomic_" #operation "_" #bytes, Word* p, Word value, \
                int order) {                                                                                      \
    return atomic_rmw<how, Word>(p, value, order, CALLER);                                                        \
  }
#define SIZED_FAMILY(bytes, Word)                                                                             \
  ATOMIC_SYMBOL(Word, ravel_atomic_load_##bytes, "__atomic_load_" #bytes, const Word* p, int order) {         \
    return atomic_load<Word>(p, order, CALLER);                                                               \
  }                                                                                                           \
  ATOMIC_SYMBOL(void, ravel_atomic_store_##bytes, "__atomic_store_" #bytes, Word* p, Word value, int order) { \
    atomic_store<Word>(p, value, order, CALLER);                                                              \
  }                                                                                                           \
  ATOMIC_SYMBOL(bool, ravel_atomic_compare_exchange_##bytes, "__atomic_compare_exchange_" #bytes, Word* p,    \
                Word* expected, Word desired, int order, int failure_order) {                                 \
    return atomic_cas<Word>(p, expected, desired, {order, failure_order, false}, CALLER);                     \
  }                                                                                                           \
  SIZED_RMW(bytes, Word, exchange, Rmw::kExchange)                                                            \
  SIZED_RMW(bytes, Word, fetch_add, Rmw::kAdd)                                                                \
  SIZED_RMW(bytes, Word, fetch_sub, Rmw::kSub)                                                                \
  SIZED_RMW(bytes, Word, fetch_and, Rmw::kAnd)                                                                \
  SIZED_RMW(bytes, Word, fetch_or, Rmw::kOr)                                                                  \
  SIZED_RMW(bytes, Word, fetch_xor, Rmw::kXor)                                                                \
  SIZED_RMW(bytes, Word, fetch_nand, Rmw::kNand)
FOR_EACH_WORD(SIZED_FAMILY)
