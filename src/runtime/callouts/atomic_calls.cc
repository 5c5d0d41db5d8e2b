// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomics as the compilers call them. g++ calls compare_exchange_strong and _weak, clang compare_exchange_val for both.
#include "runtime/callouts/atomic_words.h"
#include "runtime/callouts/call_out_lists.h"

using namespace ravel::rt;

#define RMW_CALL_OUT(bits, Word, name, how)                                               \
  CALL_OUT Word __tsan_atomic##bits##_##name(volatile Word* p, Word operand, int order) { \
    return atomic_rmw<how, Word>(p, operand, order, CALLER);                              \
  }

#define ATOMIC_FAMILY(bits, Word)                                                                                     \
  CALL_OUT Word __tsan_atomic##bits##_load(const volatile Word* p, int order) {                                       \
    return atomic_load<Word>(p, order, CALLER);                                                                       \
  }                                                                                                                   \
  CALL_OUT void __tsan_atomic##bits##_store(volatile Word* p, Word value, int order) {                                \
    atomic_store<Word>(p, value, order, CALLER);                                                                      \
  }                                                                                                                   \
  RMW_FAMILY(bits, Word)                                                                                              \
  CALL_OUT int __tsan_atomic##bits##_compare_exchange_strong(volatile Word* p, Word* expected, Word desired,          \
                                                             int order, int failure_order) {                          \
    return atomic_cas<Word>(p, expected, desired, {order, failure_order, false}, CALLER);                             \
  }                                                                                                                   \
  CALL_OUT int __tsan_atomic##bits##_compare_exchange_weak(volatile Word* p, Word* expected, Word desired, int order, \
                                                           int failure_order) {                                       \
    return atomic_cas<Word>(p, expected, desired, {order, failure_order, true}, CALLER);                              \
  }                                                                                                                   \
  CALL_OUT Word __tsan_atomic##bits##_compare_exchange_val(volatile Word* p, Word expected, Word desired, int order,  \
                                                           int failure_order) {                                       \
    atomic_cas<Word>(p, &expected, desired, {order, failure_order, false}, CALLER);                                   \
    return expected;                                                                                                  \
  }
FOR_EACH_WORD(ATOMIC_FAMILY)

CALL_OUT void __tsan_atomic_thread_fence(int order) {
  if (watched())
    fence(order_of(order), CALLER);
  else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// Orders against a signal handler of the same thread only: nothing between threads.
CALL_OUT void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
