// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/access_fake_core.h"

#include "runtime/access/quick_atomic.h"
#include "runtime/record/access_filter.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/state/locations.h"

namespace ravel::rt {

FakeCore g_core;
bool g_watch = false;
AccessFilter g_filter;
std::uint64_t g_callouts = 0;
// Empty: nothing is in its most frequent form, so all of it comes here.
Globals g;
Scheduler g_scheduler;
Recorder g_recorder;
OpenWrite g_open_write;
ModuleRange g_executable;
RecentObject g_recent_objects[kRecentObjects];
void check_after_event() {}
bool draw_running(const VirtualThread&) {
  return true;
}
bool pass_drawn_point(const PendingOperation&, Place&) {
  return false;
}
ContextId ShadowStack::look_up() {
  return 0;
}

void volatile_access(std::uintptr_t address, std::uint32_t size, bool write, std::uintptr_t pc) {
  plain_access(address, size, write, pc);
}
void plain_access(std::uintptr_t address, std::uint32_t size, bool write, std::uintptr_t pc) {
  g_core.plain.push_back({address, size, write, pc});
}
template <std::uint32_t kBytes, bool kWrite, bool kFiltered>
void plain_access_of(std::uintptr_t address, std::uintptr_t pc) {
  plain_access(address, kBytes, kWrite, pc);
}
FOR_EACH_PLAIN_ACCESS(template)
void atomic_begin(const AtomicOp& op) {
  g_core.begun.push_back(op);
  if (g_core.other_thread) g_core.other_thread();
}
void atomic_end(const AtomicOp& op, std::uint64_t value, std::uint64_t operand, bool failed, bool changed) {
  g_core.ended.push_back({op, value, operand, failed, changed});
}
void fence(int order, std::uintptr_t) {
  g_core.fences.push_back(order);
}
void func_entry(std::uintptr_t caller_pc, std::uintptr_t, std::uintptr_t) {
  g_core.entered.push_back(caller_pc);
}
void func_exit(std::uintptr_t, std::uintptr_t) {
  ++g_core.left;
}
void annotate_acquire(std::uintptr_t address, std::uintptr_t) {
  g_core.annotations.push_back({true, address});
}
void annotate_release(std::uintptr_t address, std::uintptr_t) {
  g_core.annotations.push_back({false, address});
}
bool weak_cas_fails(const AtomicOp&) {
  return g_core.weak_fails;
}

}  // namespace ravel::rt
