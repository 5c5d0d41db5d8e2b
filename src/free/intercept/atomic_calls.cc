// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomics as the compilers call them, executed by the processor. Operation and record are one step under a lock of our
// own, chosen by address, so that the recorded order of operations on one object is the one that happened.
#include "free/gate.h"
#include "free/observer.h"
#include "free/recorder.h"
#include "runtime/callouts/atomic_words.h"
#include "runtime/callouts/call_out_lists.h"
#include "runtime/platform/spin_lock.h"

using namespace ravel;
using namespace ravel::fr;
using ravel::rt::Hardware;
using ravel::rt::Rmw;

namespace {

struct alignas(64) Stripe {
  rt::SpinLock lock;
};
constinit Stripe stripes[256];

rt::SpinLock& lock_of(const volatile void* p) {
  return stripes[mix64(reinterpret_cast<std::uintptr_t>(p) / 16) % 256].lock;
}

void prepare(FreeThread& self, const volatile void* p, std::uintptr_t pc) {
  ++self.accesses;
  gate(kNoiseAtomic, pc);
  if ((g_hooks & kHookObserve) != 0) observe(self, reinterpret_cast<std::uintptr_t>(p), pc, kNoiseAtomic);
}

void note(FreeThread& self, OpKind kind, const volatile void* p, std::size_t size, int order, std::uintptr_t pc,
          std::uint64_t value, bool failed = false) {
  const auto bits = static_cast<std::uint8_t>((order & kOrderMask) | (failed ? kFailed : 0));
  record(self, kind, reinterpret_cast<std::uintptr_t>(p), pc, static_cast<std::uint32_t>(value), bits,
         static_cast<std::uint16_t>(size));
}

template <typename Word>
Word load(const volatile Word* p, int order, std::uintptr_t pc) {
  FreeThread* self = synchronising();
  if (self == nullptr) return Hardware<Word>::load(p);
  prepare(*self, p, pc);
  const rt::Locked locked(lock_of(p));
  const Word value = Hardware<Word>::load(p);
  note(*self, OpKind::kAtomicLoad, p, sizeof value, order, pc, static_cast<std::uint64_t>(value));
  return value;
}

template <typename Word>
void store(volatile Word* p, Word value, int order, std::uintptr_t pc) {
  FreeThread* self = synchronising();
  if (self == nullptr) return Hardware<Word>::store(p, value, rt::order_of(order));
  prepare(*self, p, pc);
  const rt::Locked locked(lock_of(p));
  note(*self, OpKind::kAtomicStore, p, sizeof value, order, pc, static_cast<std::uint64_t>(value));
  Hardware<Word>::store(p, value, rt::order_of(order));
}

template <Rmw how, typename Word>
Word rmw(volatile Word* p, Word operand, int order, std::uintptr_t pc) {
  FreeThread* self = synchronising();
  if (self == nullptr) return Hardware<Word>::rmw(how, p, operand);
  prepare(*self, p, pc);
  const rt::Locked locked(lock_of(p));
  const Word old = Hardware<Word>::rmw(how, p, operand);
  note(*self, OpKind::kAtomicRmw, p, sizeof old, order, pc, static_cast<std::uint64_t>(old));
  return old;
}

template <typename Word>
bool cas_hardware(volatile Word* p, void* expected, Word desired, Word& seen) {
  seen = rt::get<Word>(expected);
  if (Hardware<Word>::cas(p, seen, desired)) return true;
  rt::put(expected, seen);
  return false;
}

template <typename Word>
bool cas(volatile Word* p, void* expected, Word desired, int order, int failure_order, std::uintptr_t pc) {
  FreeThread* self = synchronising();
  Word seen{};
  if (self == nullptr) return cas_hardware(p, expected, desired, seen);
  prepare(*self, p, pc);
  const rt::Locked locked(lock_of(p));
  const bool done = cas_hardware(p, expected, desired, seen);
  note(*self, OpKind::kAtomicCas, p, sizeof seen, done ? order : failure_order, pc, static_cast<std::uint64_t>(seen),
       !done);
  return done;
}

}  // namespace

#define RMW_CALL_OUT(bits, Word, name, how)                                                        \
  RAVEL_FREE_EXPORT Word __tsan_atomic##bits##_##name(volatile Word* p, Word operand, int order) { \
    return rmw<how, Word>(p, operand, order, RAVEL_FREE_CALLER);                                   \
  }

#define ATOMIC_FAMILY(bits, Word)                                                                                     \
  RAVEL_FREE_EXPORT Word __tsan_atomic##bits##_load(const volatile Word* p, int order) {                              \
    return load<Word>(p, order, RAVEL_FREE_CALLER);                                                                   \
  }                                                                                                                   \
  RAVEL_FREE_EXPORT void __tsan_atomic##bits##_store(volatile Word* p, Word value, int order) {                       \
    store<Word>(p, value, order, RAVEL_FREE_CALLER);                                                                  \
  }                                                                                                                   \
  RMW_FAMILY(bits, Word)                                                                                              \
  RAVEL_FREE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile Word* p, Word* expected, Word desired, \
                                                                      int order, int failure) {                       \
    return cas<Word>(p, expected, desired, order, failure, RAVEL_FREE_CALLER);                                        \
  }                                                                                                                   \
  RAVEL_FREE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile Word* p, Word* expected, Word desired,   \
                                                                    int order, int failure) {                         \
    return cas<Word>(p, expected, desired, order, failure, RAVEL_FREE_CALLER);                                        \
  }                                                                                                                   \
  RAVEL_FREE_EXPORT Word __tsan_atomic##bits##_compare_exchange_val(volatile Word* p, Word expected, Word desired,    \
                                                                    int order, int failure) {                         \
    cas<Word>(p, &expected, desired, order, failure, RAVEL_FREE_CALLER);                                              \
    return expected;                                                                                                  \
  }
FOR_EACH_WORD(ATOMIC_FAMILY)

RAVEL_FREE_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (FreeThread* self = t_self) record(*self, OpKind::kFence, 0, RAVEL_FREE_CALLER, 0, order & kOrderMask);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
