// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/ending/debugger.h"

#include "base/large_table.h"
#include "runtime/platform/raw.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/holders.h"

namespace {

// The layout and the names are what the script expects.
struct DebuggerThread {
  unsigned index;
  unsigned state;
  unsigned long rsp;
  unsigned long fs_base;
  char name[32];
  unsigned long object;  // what a blocked thread waits for: address of the lock, condition variable, ...
  unsigned holder;       // who could let it go on; kNoThread: nobody in particular
  unsigned spinning;     // waits by reading the same value again and again
  char wants[32];        // the operation
  unsigned role;         // HolderRole of the holder
};

// Three words; the script knows their order.
struct DebuggerControl {
  const std::uint64_t* events;  // so many have happened
  std::uint64_t* stop_before;   // the program stops when so many have happened
  std::uint64_t* next_check;    // 0: the recorder notices a new `stop_before' with its next event
};

enum DebuggerState : unsigned { kReady = 1, kRunning = 2, kBlocked = 3, kSleeping = 4 };

}  // namespace

extern "C" {
RAVEL_LARGE_TABLE __attribute__((used)) DebuggerThread ravel_gdb_threads[ravel::rt::kMaxLive];
__attribute__((used)) unsigned ravel_gdb_thread_count = 0;
__attribute__((used)) unsigned ravel_gdb_current = 0;

// What a debugger reads and writes instead of calling functions: a call by gdb writes all registers back, the extended
// state included, which kernels with AMX refuse to gdb 13.
__attribute__((used, visibility("default"))) DebuggerControl ravel_gdb_control;
// Called before the program's first instruction: a place for a breakpoint.
__attribute__((used, noinline, visibility("default"))) void ravel_gdb_begin() {
  asm volatile("" ::: "memory");
}
}

namespace ravel::rt {

namespace {

unsigned state_of(const VirtualThread& thread, const VirtualThread& next) {
  if (&thread == &next) return kRunning;
  if (thread.pending.kind == OpKind::kWakeUp) return kSleeping;
  return thread.pending.enabled != nullptr && !thread.pending.enabled(thread) ? kBlocked : kReady;
}

// "main.2.1", or the name the program gave it.
void write_name(const VirtualThread& thread, char* buffer, std::size_t size) {
  std::uint32_t ordinals[16];
  unsigned depth = 0;
  ThreadIndex at = thread.index;
  while (at != 0 && depth < 16) {
    ordinals[depth++] = g.block->threads[at].ordinal;
    at = g.block->threads[at].parent;
  }
  TextBuffer out(buffer, size);
  out.text("main");
  while (depth > 0) out.text(".").decimal(ordinals[--depth]);
  if (thread.name[0] != 0) out.text(" ").text(thread.name);
}

void write_wait(const VirtualThread& thread, DebuggerThread& shown) {
  WaitingRecord record;
  if (shown.state == kBlocked)
    fill_in_holder(thread, record);  // what it waits for is there: it is looked at all the time
  shown.object = thread.pending.address;
  shown.holder = record.holder;
  shown.role = static_cast<unsigned>(record.role);
  shown.spinning = thread.pending.spinning ? 1 : 0;
  const std::string_view word = op_name(thread.pending.kind);
  std::size_t length = 0;
  for (; length < word.size() && length + 1 < sizeof shown.wants; ++length) shown.wants[length] = word[length];
  shown.wants[length] = 0;
}

}  // namespace

void begin_debugging() {
  ravel_gdb_control = {&g_recorder.written, &g.block->plan.stop_at, &g_recorder.check_after};
  ravel_gdb_begin();
}

void show_threads_to_debugger(const VirtualThread& next) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count; ++i) {
    const VirtualThread& thread = *list[i];
    DebuggerThread& shown = ravel_gdb_threads[i];
    shown.index = thread.index;
    shown.state = state_of(thread, next);
    shown.rsp = reinterpret_cast<unsigned long>(thread.sp);
    shown.fs_base = thread.fs_base;
    write_name(thread, shown.name, sizeof shown.name);
    write_wait(thread, shown);
  }
  ravel_gdb_thread_count = count;
  ravel_gdb_current = next.index;
}

}  // namespace ravel::rt
