// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/core/debugger.h"

#include "runtime/core/raw.h"
#include "runtime/core/scheduler.h"

namespace {

// The layout and the names are what the script expects.
struct DebuggerThread {
  unsigned index;
  unsigned state;
  unsigned long rsp;
  unsigned long fs_base;
  char name[32];
};

enum DebuggerState : unsigned { kReady = 1, kRunning = 2, kBlocked = 3, kSleeping = 4 };

}  // namespace

extern "C" {
__attribute__((used)) DebuggerThread ravel_gdb_threads[ravel::rt::kMaxLive];
__attribute__((used)) unsigned ravel_gdb_thread_count = 0;
__attribute__((used)) unsigned ravel_gdb_current = 0;
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

}  // namespace

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
  }
  ravel_gdb_thread_count = count;
  ravel_gdb_current = next.index;
}

}  // namespace ravel::rt
