// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/threads.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <threads.h>

#include "free/callers.h"
#include "free/gate.h"
#include "free/library.h"
#include "free/recorder.h"
#include "runtime/platform/raw.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

struct Start {
  void* (*routine)(void*) = nullptr;
  int (*routine_c11)(void*) = nullptr;
  void* argument = nullptr;
  pthread_t handle = 0;
};
Start starts[kFreeThreads];
pthread_key_t end_key;
bool have_key = false;

constexpr std::uint64_t kMainLineage = 1;
constexpr std::uint32_t kNoSlot = ~0u;
constexpr std::uint64_t kLargestMainStack = 64u << 20;
constexpr std::uint64_t kAboveMain = 1u << 16;  // of arguments and environment, about

void count_live() {
  const std::uint32_t live = g_block->live.fetch_add(1, std::memory_order_relaxed) + 1;
  std::uint32_t most = g_block->most_live.load(std::memory_order_relaxed);
  while (most < live && !g_block->most_live.compare_exchange_weak(most, live, std::memory_order_relaxed)) {
  }
}

// The key's destructor comes after those of thread_local objects, also when a thread exits or is cancelled. Of keys
// ours was made first: it asks for a second round, behind all others.
void at_end(void* slot) {
  FreeThread* thread = static_cast<FreeThread*>(slot);
  const bool first = !t_state.other_keys_done;
  t_state.ending = t_state.other_keys_done = true;
  if (first && g_block != nullptr && library().pthread_setspecific(end_key, slot) == 0) return;
  if (g_block != nullptr && t_self != nullptr) record(*thread, OpKind::kThreadEnd, 0, thread->start);
  t_self = nullptr;
  if (g_block == nullptr) return;
  leave_sections();
  Waits::end(*thread);
  if (thread->state.exchange(FreeThreadState::kEnded) != FreeThreadState::kEnded) {
    g_block->live.fetch_sub(1, std::memory_order_relaxed);
  }
}

std::uint32_t take_slot() {
  std::uint32_t next = g_block->thread_count.load(std::memory_order_relaxed);
  while (next < kFreeThreads) {
    if (!g_block->thread_count.compare_exchange_weak(next, next + 1)) continue;
    g_block->threads[next].state.store(FreeThreadState::kMade);
    return next;
  }
  // More threads than slots: those that have ended make room, and what they did is lost.
  g_block->lost_threads.fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t i = 1; i < kFreeThreads; ++i) {
    FreeThreadState ended = FreeThreadState::kEnded;
    if (g_block->threads[i].state.compare_exchange_strong(ended, FreeThreadState::kMade)) return i;
  }
  return kNoSlot;
}

std::uint64_t type_address(void* start, void* argument) {
  const ModuleRecord& program = g_block->modules[0];
  const auto routine = reinterpret_cast<std::uintptr_t>(start);
  std::uint64_t table = 0;
  const bool own = routine >= program.base && routine < program.end;
  if (!own && argument != nullptr) __builtin_memcpy(&table, argument, sizeof table);
  return table >= program.base && table < program.end ? table : routine;
}

// A std::thread passes its functor by an object whose table of virtual functions names its type.
std::uint64_t type_of(void* start, void* argument, std::uintptr_t caller) {
  const ModuleRecord& program = g_block->modules[0];
  const auto routine = reinterpret_cast<std::uintptr_t>(start);
  const bool own = routine >= program.base && routine < program.end;
  if (own || argument == nullptr) return mix64(routine ^ caller);
  std::uint64_t table = 0;
  __builtin_memcpy(&table, argument, sizeof table);
  const bool is_table = table >= program.base && table < program.end;
  return mix64(routine ^ (is_table ? table : caller));
}

std::uint32_t prepare(void* routine, void* argument, std::uintptr_t pc, bool is_libstdcxx) {
  FreeThread* parent = t_self;
  const std::uint32_t slot = take_slot();
  if (slot == kNoSlot) return slot;
  FreeThread& child = g_block->threads[slot];
  child.parent = parent != nullptr ? index_of(parent) : 0;
  child.number = parent != nullptr ? ++parent->children : slot;
  child.lineage = derive_seed(parent != nullptr ? parent->lineage : ~kMainLineage, child.number);
  child.start = reinterpret_cast<std::uint64_t>(routine);
  child.type = type_of(routine, is_libstdcxx ? argument : nullptr, pc);
  child.children = child.held = 0;
  if (g_logs != nullptr) g_logs[slot].type_at = type_address(routine, is_libstdcxx ? argument : nullptr);
  child.waits.store(OpKind::kNone, std::memory_order_relaxed);
  count_live();
  return slot;
}

void forget(std::uint32_t slot) {
  g_block->threads[slot].state.store(FreeThreadState::kEnded);
  g_block->live.fetch_sub(1, std::memory_order_relaxed);
}

// For the names of variables on it, and since stacks are used again.
void note_stack(std::uint32_t slot) {
  if (g_logs == nullptr) return;
  FreeLog& log = g_logs[slot];
  if (slot == 0) {
    rlimit limit{};
    const bool bounded = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kLargestMainStack;
    log.stack_high = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + kAboveMain;
    log.stack_low = log.stack_high - (bounded ? limit.rlim_cur : kLargestMainStack);
    return;
  }
  pthread_attr_t attributes;
  if (library().pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    log.stack_low = reinterpret_cast<std::uintptr_t>(low);
    log.stack_high = log.stack_low + size;
  }
  pthread_attr_destroy(&attributes);
}

void enter(std::uint32_t slot) {
  FreeThread& self = g_block->threads[slot];
  t_state.index = slot;
  note_stack(slot);
  t_state.random = Random(derive_seed(g_block->request.noise.seed, self.lineage));
  self.tid.store(static_cast<std::int32_t>(rt::raw_syscall(SYS_gettid)), std::memory_order_relaxed);
  for (Start& other : starts) {  // a thread that was detached has left its handle behind
    if (&other != &starts[slot] && other.handle == pthread_self()) other.handle = 0;
  }
  starts[slot].handle = pthread_self();
  if (have_key) library().pthread_setspecific(end_key, &self);
  self.look_at = g_hooks != 0 ? 0 : ~std::uint64_t{0};
  self.state.store(FreeThreadState::kLive, std::memory_order_release);
  t_self = &self;
  record(self, OpKind::kThreadStart, 0, self.start);
}

void* run_thread(void* number) {
  const auto slot = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(number));
  const Start start = starts[slot];
  if (g_block != nullptr) enter(slot);
  void* result = start.routine(start.argument);
  end_this_thread();
  return result;
}

int run_thread_c11(void* number) {
  const auto slot = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(number));
  const Start start = starts[slot];
  if (g_block != nullptr) enter(slot);
  const int result = start.routine_c11(start.argument);
  end_this_thread();
  return result;
}

std::uint32_t slot_of(pthread_t handle) {
  const std::uint32_t count = g_block->thread_count.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count && i < kFreeThreads; ++i) {
    if (starts[i].handle == handle) return i;
  }
  return kNoSlot;
}

// A thread that had not begun when it was to be joined is found afterwards.
std::uint32_t ended_slot_of(pthread_t handle) {
  const std::uint32_t slot = slot_of(handle);
  return slot != kNoSlot && g_block->threads[slot].state.load() == FreeThreadState::kEnded ? slot : kNoSlot;
}

void note_joined(FreeThread& self, std::uint32_t slot, pthread_t handle, std::uintptr_t pc) {
  if (slot == kNoSlot) slot = ended_slot_of(handle);
  if (slot == kNoSlot) {
    g_block->unrecorded.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  starts[slot].handle = 0;
  record(self, OpKind::kThreadJoin, 0, pc, slot);
}

}  // namespace

namespace ravel::fr {

void begin_main_thread() {
  have_key = library().pthread_key_create(&end_key, at_end) == 0;
  const std::uint32_t slot = take_slot();
  g_block->threads[slot].lineage = kMainLineage;
  g_block->threads[slot].type = kMainLineage;
  count_live();
  enter(slot);
}

void end_this_thread() {
  FreeThread* self = t_self;
  if (self == nullptr || g_block == nullptr) return;
  leave_sections();
  t_state.ending = true;
  if (have_key) return;  // at_end() comes last
  record(*self, OpKind::kThreadEnd, 0, self->start);
  t_self = nullptr;
}

}  // namespace ravel::fr

RAVEL_FREE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*),
                                     void* argument) {
  const std::uintptr_t pc = user_caller(RAVEL_FREE_CALLER);
  const std::uint32_t slot =
      g_block != nullptr ? prepare(reinterpret_cast<void*>(routine), argument, pc, true) : kNoSlot;
  if (slot == kNoSlot) return library().pthread_create(handle, attributes, routine, argument);
  starts[slot] = {routine, nullptr, argument, 0};
  FreeThread* self = t_self;
  before_sync(pc);
  FreeEvent* event = self != nullptr ? &record_create(*self, slot, pc) : nullptr;
  const int error =
      library().pthread_create(handle, attributes, run_thread, reinterpret_cast<void*>(std::uintptr_t{slot}));
  if (error != 0) {
    if (event != nullptr) event->kind = OpKind::kNone;
    forget(slot);
  }
  after_sync(pc);
  return error;
}

RAVEL_FREE_EXPORT int thrd_create(thrd_t* handle, thrd_start_t routine, void* argument) {
  const std::uintptr_t pc = RAVEL_FREE_CALLER;
  const std::uint32_t slot =
      g_block != nullptr ? prepare(reinterpret_cast<void*>(routine), argument, pc, false) : kNoSlot;
  if (slot == kNoSlot) return library().thrd_create(handle, routine, argument);
  starts[slot] = {nullptr, routine, argument, 0};
  FreeThread* self = t_self;
  FreeEvent* event = self != nullptr ? &record_create(*self, slot, pc) : nullptr;
  const int error = library().thrd_create(handle, run_thread_c11, reinterpret_cast<void*>(std::uintptr_t{slot}));
  if (error != thrd_success) {
    if (event != nullptr) event->kind = OpKind::kNone;
    forget(slot);
  }
  return error;
}

RAVEL_FREE_EXPORT int pthread_join(pthread_t handle, void** result) {
  FreeThread* self = synchronising();
  if (self == nullptr) return library().pthread_join(handle, result);
  const std::uintptr_t pc = user_caller(RAVEL_FREE_CALLER);
  before_sync(pc);
  const std::uint32_t slot = slot_of(handle);
  int error = 0;
  {
    const Waits waits(*self, OpKind::kThreadJoin, slot, pc, false);
    error = library().pthread_join(handle, result);
  }
  if (error == 0) note_joined(*self, slot, handle, pc);
  after_sync(pc);
  return error;
}

RAVEL_FREE_EXPORT int thrd_join(thrd_t handle, int* result) {
  FreeThread* self = synchronising();
  if (self == nullptr) return library().thrd_join(handle, result);
  const std::uintptr_t pc = RAVEL_FREE_CALLER;
  const std::uint32_t slot = slot_of(handle);
  int error = 0;
  {
    const Waits waits(*self, OpKind::kThreadJoin, slot, pc, false);
    error = library().thrd_join(handle, result);
  }
  if (error == thrd_success) note_joined(*self, slot, handle, pc);
  return error;
}

#define RAVEL_JOIN_IN_TIME(name, parameters, ...)                                           \
  RAVEL_FREE_EXPORT int name parameters {                                                   \
    FreeThread* self = t_self;                                                              \
    const std::uint32_t slot = self != nullptr ? slot_of(handle) : 0;                       \
    const int error = library().name(__VA_ARGS__);                                          \
    if (error == 0 && self != nullptr) note_joined(*self, slot, handle, RAVEL_FREE_CALLER); \
    return error;                                                                           \
  }
RAVEL_JOIN_IN_TIME(pthread_tryjoin_np, (pthread_t handle, void** result) noexcept, handle, result)
RAVEL_JOIN_IN_TIME(pthread_timedjoin_np, (pthread_t handle, void** result, const timespec* when), handle, result, when)
RAVEL_JOIN_IN_TIME(pthread_clockjoin_np, (pthread_t handle, void** result, clockid_t clock, const timespec* when),
                   handle, result, clock, when)
