// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/ending/repetition.h"

#include <unwind.h>

#include "base/hash.h"
#include "base/large_table.h"
#include "runtime/fiber/carrier.h"
#include "runtime/fiber/question.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/locations.h"
#include "runtime/world/entropy.h"

namespace ravel::rt {

namespace {

constexpr std::uint32_t kMostThreads = 64;
constexpr std::uint32_t kMostStates = 64;
constexpr std::uint32_t kMostComparisons = 4'096;  // of stacks, in one window
constexpr std::uint32_t kMostSignatures = 256;     // of memory, for comparison
constexpr std::uint32_t kLeastReturns = 4;

// The program at one event.
struct State {
  std::uint64_t threads = 0;
  std::uint64_t memory = 0;
  std::uint64_t looks = 0;                  // at clocks, and random numbers, until then
  std::uint64_t at = 0;                     // step
  std::uint32_t passed[kMostThreads] = {};  // steps of each live thread
};

struct Watch {
  std::uint32_t limit = 0;  // Recorder::limits; another one: all below is out of date
  bool doubtful = false;    // the outside world had a part in it
  State states[kMostStates];
  std::uint32_t count = 0;
  std::uint32_t live = 0;                      // threads, in all of them
  std::uint64_t waited_at[kMostThreads] = {};  // when a thread last was not able to run
  std::uint64_t next = 0;                      // nothing is looked at before this step
  std::uint32_t comparisons = 0;
  std::uint32_t signatures = 0;
  std::uint32_t returns = 0;
  std::uint64_t last_return = 0;
};
RAVEL_LARGE_TABLE Watch watch;

std::uint64_t hash_words(std::uint64_t hash, std::uintptr_t begin, std::uintptr_t end) {
  for (; begin + sizeof(std::uint64_t) <= end; begin += sizeof(std::uint64_t)) {
    hash = (hash ^ *reinterpret_cast<const std::uint64_t*>(begin)) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  }
  return hash;
}

// The thread whose stack is being hashed: the running one, or one that is asked.
const VirtualThread* hashed = nullptr;

// The first frame that is not the runtime's, with the registers that its caller wants back, and all above it.
_Unwind_Reason_Code hash_program_frames(_Unwind_Context* context, void* argument) {
  auto& hash = *static_cast<std::uint64_t*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (is_runtime_code(pc)) return _URC_NO_REASON;
  const std::uintptr_t sp = _Unwind_GetCFA(context);
  hash = hash_combine(hash_combine(hash, pc), sp);
  constexpr int kKept[] = {3, 6, 12, 13, 14, 15};  // rbx, rbp, r12 to r15
  for (const int reg : kKept) hash = hash_combine(hash, _Unwind_GetGR(context, reg));
  // Above the stack lies the thread-local storage.
  const std::uintptr_t bottom = stack_bottom(hashed->slot);
  if (sp >= bottom && sp < bottom + kStackBytes) hash = hash_words(hash, sp, bottom + kStackBytes);
  return _URC_END_OF_STACK;
}

std::uintptr_t hash_this_stack() {
  std::uint64_t hash = 1;
  _Unwind_Backtrace(hash_program_frames, &hash);
  return hash;
}

std::uint64_t hash_of_threads() {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  std::uint64_t hash = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    VirtualThread& thread = *list[i];
    hash = hash_combine(hash, thread.index);
    hashed = &thread;
    if (&thread == g.current) {
      hash = hash_combine(hash, hash_this_stack());
      continue;
    }
    const Pending& p = thread.pending;
    hash = hash_combine(hash, static_cast<std::uint64_t>(p.kind) << 32 | p.location);
    hash = hash_combine(hash_combine(hash, p.address), p.value);
    hash = hash_combine(hash, p.deadline == kNever ? kNever : p.deadline - virtual_now());
    if (p.kind != OpKind::kThreadStart) hash = hash_combine(hash, ask_thread(thread, hash_this_stack));
  }
  return hash;
}

bool involves_outside(OpKind kind) {
  return kind >= OpKind::kIoRead && kind <= OpKind::kIoClose;
}

bool is_waiting(const VirtualThread& thread) {
  return &thread != g.current && thread.pending.enabled != nullptr && !thread.pending.enabled(thread);
}

void note_waiting(std::uint64_t steps) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count && i < kMostThreads; ++i) {
    if (is_waiting(*list[i])) watch.waited_at[i] = steps;
  }
}

void keep_state(std::uint64_t steps) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  if (count > kMostThreads || watch.count == kMostStates) return;
  if (watch.count == 0) watch.live = count;
  State& state = watch.states[watch.count++];
  state.threads = hash_of_threads();
  state.memory = memory_signature();
  state.looks = clock_looks() + entropy_drawn();
  state.at = steps;
  for (std::uint32_t i = 0; i < count; ++i) state.passed[i] = *list[i]->steps;
  watch.doubtful = watch.doubtful || state.memory == 0 || count != watch.live;
}

// Every live thread has run since then, or could not at some time.
bool is_fair(const State& since) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  if (count != watch.live) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (*list[i]->steps == since.passed[i] && watch.waited_at[i] < since.at) return false;
  }
  return true;
}

bool has_come_back() {
  const std::uint64_t threads = hash_of_threads();
  std::uint64_t memory = 0;
  for (std::uint32_t i = 0; i < watch.count; ++i) {
    const State& state = watch.states[i];
    if (state.threads != threads) continue;
    if (memory == 0 && watch.signatures++ == kMostSignatures) return false;
    if (memory == 0) memory = memory_signature();
    if (state.memory == memory && state.looks == clock_looks() + entropy_drawn() && is_fair(state)) return true;
  }
  return false;
}

}  // namespace

// States are kept in the first quarter of the window and looked for in its second half: what comes back after so long
// has led nowhere.
void watch_repetition() {
  if (watch.limit != g_recorder.limits) {
    watch = {};
    watch.limit = g_recorder.limits;
  }
  const Event& event = g.block->ring[(g_recorder.written - 1) & (kRingEvents - 1)];
  const std::uint64_t steps = steps_so_far();
  const std::uint64_t length = g_recorder.step_limit - g_recorder.watch_from;
  const std::uint64_t passed = steps - g_recorder.watch_from;
  watch.doubtful = watch.doubtful || involves_outside(event.kind);
  note_waiting(steps);
  if (steps < watch.next || watch.doubtful) return;
  if (passed < length / 4) {
    keep_state(steps);
    watch.next = steps + length / 4 / kMostStates;
  } else if (passed >= length / 2 && watch.comparisons < kMostComparisons) {
    ++watch.comparisons;
    if (!has_come_back()) return;
    ++watch.returns;
    watch.last_return = steps;
    watch.next = steps + length / 64;
  }
}

bool repetition_proved() {
  if (watch.limit != g_recorder.limits || watch.doubtful || watch.returns < kLeastReturns) return false;
  return g_recorder.step_limit - watch.last_return <= (g_recorder.step_limit - g_recorder.watch_from) / 4;
}

}  // namespace ravel::rt
