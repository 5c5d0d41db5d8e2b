// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/lifecycle.h"

#include <errno.h>
#include <string.h>
#include <unwind.h>

#include "base/large_table.h"
#include "runtime/fiber/carrier.h"
#include "runtime/fiber/context_switch.h"
#include "runtime/fiber/home.h"
#include "runtime/fiber/signal_mask.h"
#include "runtime/fiber/tls.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/first_functions.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/sync/keys.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/virtual_mutex.h"
#include "semantics/thread_life.h"

namespace ravel::rt {

namespace {

void reset_thread(VirtualThread& thread, ThreadIndex index) {
  thread.state = ThreadState::kLive;
  thread.enabled = true;
  thread.had_to_wait = false;
  thread.chosen = false;
  thread.spun = false;
  thread.passed_at = ~std::uint64_t{0};
  thread.detached = false;
  thread.being_joined = false;
  thread.at_point = true;  // it begins at one
  thread.wake = WakeReason::kNormal;
  thread.index = index;
  thread.steps = &g.block->threads[index].steps;
  thread.stack_low = stack_bottom(thread.slot);
  thread.stack_bytes = reinterpret_cast<std::uintptr_t>(stack_top(thread.slot)) - thread.stack_low;
  begin_stretch(thread);
  thread.children = 0;
  thread.pending = {};
  thread.result = nullptr;
  static_cast<QueuePlace&>(thread) = {};
  thread.clock_reads = 0;
  static_cast<Mail&>(thread) = {};
  thread.mask_stale = false;
  thread.cleanup = nullptr;
  thread.functions_row = index < kMaxThreads ? index.number() : 0;
  thread.regions = 0;
  thread.region_depth = 0;
  for (pthread_mutex_t*& one : thread.robust) one = nullptr;
  thread.spin.forget();
  thread.name[0] = 0;
  for (std::uint32_t i = 0; i < thread.keys_used; ++i) thread.keys[i] = nullptr;
  thread.keys_used = 0;
}

[[noreturn]] void end_thread() {
  VirtualThread& self = *g.current;
  self.cancelling = true;
  run_tls_destructors();
  run_key_destructors(self);
  leave_robust_mutexes();
  Pending pending;
  pending.kind = OpKind::kThreadEnd;
  point(pending);
  record_pending(0, 0);
  self.state = ThreadState::kEnded;
  remove_thread(self);
  if (g.live == 0) {
    // Main has left by pthread_exit and this was the last thread: the process ends as if by exit(0).
    g.live = 1;
    g_watch = false;
    note_exit(0, Ending::kHandlers, 0);
    real().exit(0);
  }
  if (self.detached) release_slot(self);
  leave_for_ever();
}

void thread_entry(void*) {
  VirtualThread& self = *g.current;
  show_start();
  record_pending(0, 0);  // kThreadStart was pending since creation
  self.result = self.start(self.argument);
  end_thread();
}

// A cleanup handler of C code (intercept/cancel.cc) whose frame the unwinding thread has left (stack pointer `frame`).
void run_cleanup_left_by(std::uintptr_t frame, bool all) {
  VirtualThread& self = *g.current;
  auto* buffer = static_cast<__pthread_unwind_buf_t*>(self.cleanup);
  if (buffer == nullptr || (!all && reinterpret_cast<std::uintptr_t>(buffer) >= frame)) return;
  real().longjmp(reinterpret_cast<__jmp_buf_tag*>(buffer), 1);
}

_Unwind_Reason_Code unwind_step(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                _Unwind_Context* context, void*) {
  run_cleanup_left_by(_Unwind_GetCFA(context), (actions & _UA_END_OF_STACK) != 0);
  // All frames have been cleaned up; what is left of the stack is not needed any more.
  if ((actions & _UA_END_OF_STACK) != 0) end_thread();
  return _URC_NO_REASON;
}

// With one thread nothing can race, and nothing is recorded, unless a metric asks for it.
void watch_main_alone() {
  g_watch = g.block->plan.record_also != RecordAlso::kNothing;
  set_tail(g_watch);
}

}  // namespace

void begin_main_thread() {
  VirtualThread& thread = thread_in_slot(0);
  thread.slot = 0;
  reset_thread(thread, 0);
  thread.signal_mask = g_home.open ? g_home.signal_mask : process_signal_mask();
  thread.fs_base = thread_pointer(0);
  thread.calls.reset(0);
  g.main = &thread;
  g.current = &thread;
  resume_stretch(thread);
  g.next_index = 1;
  g.joined = 0;
  g.exit = {};
  g.block->threads[0] = {};
  g.block->result.threads = 1;
  forget_jobs();
  add_thread(thread);
  if (g.block->plan.record_also != RecordAlso::kNothing) watch_main_alone();
}

void restart_main_thread() {
  VirtualThread& thread = *g.main;
  thread.children = 0;
  thread.pending = {};
  thread.wake = WakeReason::kNormal;
  thread.had_to_wait = false;
  thread.chosen = false;
  thread.clock_reads = 0;
  thread.region_depth = 0;
  thread.functions_row = 0;
  forget_jobs();
  thread.spin.forget();
  begin_stretch(thread);
  watch_main_alone();
  g.next_index = 1;
  g.joined = 0;
  g.next_ticket = 1;
  g.block->threads[0] = {};
  strcpy(g.block->threads[0].name, thread.name);
  g.block->result.threads = 1;
  g.block->result.max_live = 1;
}

int create_thread(pthread_t* handle, bool detached, std::size_t stack_bytes, void* (*start)(void*), void* argument,
                  LocationId location) {
  VirtualThread& self = *g.current;
  if (g.next_index >= kMaxThreads || fault_happens(kFaultEagain, location)) return EAGAIN;
  Pending pending;
  pending.kind = OpKind::kThreadCreate;
  pending.location = location;
  pending.value = g.next_index;
  point(pending);
  VirtualThread* child = spawn(self, detached, stack_bytes, start, argument, location);
  if (child == nullptr) return EAGAIN;
  record_pending(0, child->index);
  *handle = handle_of(*child);
  return 0;
}

VirtualThread* spawn(VirtualThread& parent, bool detached, std::size_t stack_bytes, void* (*start)(void*),
                     void* argument, LocationId location) {
  VirtualThread* child = g.next_index < kMaxThreads ? acquire_slot(stack_bytes) : nullptr;
  if (child == nullptr) return nullptr;
  const ThreadIndex index = g.next_index++;
  reset_thread(*child, index);
  forget_recent_objects_of_slot(child->slot);  // its stack is the stack of another thread now
  child->signal_mask = parent.signal_mask;
  child->start = start;
  child->argument = argument;
  child->detached = detached;
  child->calls.reset(0);
  child->pending.kind = OpKind::kThreadStart;
  child->pending.value = parent.index;
  child->pending.location = location;
  child->sp = make_context(stack_top(child->slot), thread_entry, nullptr);
  ThreadRecord& record_of_child = g.block->threads[index];
  record_of_child = {};
  record_of_child.parent = parent.index;
  record_of_child.ordinal = ++parent.children;
  record_of_child.created_at = location;
  record_of_child.created_in = parent.calls.context();
  if (__builtin_expect(g_first_functions != 0, 0)) begin_first_functions(index, start, argument);
  g.block->result.threads = g.next_index;
  add_thread(*child);
  g_watch = true;
  set_tail(false);
  return child;
}

int join_thread(pthread_t handle, void** result, std::uint64_t deadline, bool try_only, LocationId location) {
  VirtualThread* target = thread_of(handle);
  if (target == nullptr) finish_misuse("join of a thread that was joined already, or never was", location);
  if (target == g.current) return EDEADLK;
  if (target->detached) finish_misuse("join of a detached thread", location);
  if (target->being_joined) finish_misuse("join of a thread that another one is joining", location);
  Pending pending;
  pending.kind = OpKind::kThreadJoin;
  pending.location = location;
  pending.value = target->index;
  pending.deadline = deadline;
  pending.bits = try_only ? kJoinTries : kJoinWaits;
  if (!try_only) {
    pending.cancellable = true;
    pending.enabled = [](const VirtualThread& thread) {
      if (thread.wake != WakeReason::kNormal) return true;
      VirtualThread* const waited = static_cast<VirtualThread*>(const_cast<void*>(thread.waits_for));
      return can_join(kJoinWaits, waited->state == ThreadState::kEnded);
    };
  }
  target->being_joined = !try_only;
  g.current->waits_for = target;
  point(pending);
  g.current->waits_for = nullptr;
  target->being_joined = false;
  if (target->state != ThreadState::kEnded) {
    const bool timeout = !try_only && g.current->wake == WakeReason::kTimeout;
    record_pending(static_cast<std::uint8_t>(kFailed | (timeout ? kTimeout : 0)), target->index);
    act_on_cancellation();
    return try_only ? EBUSY : ETIMEDOUT;
  }
  record_pending(0, target->index);
  // All that others did is ordered before what comes now: no order of it is left to be tried. Being alone is not
  // enough: what comes now could have come before the end of a thread that nobody has joined, and races with it.
  if (++g.joined + 1 == g.next_index && g.live == 1) set_tail(true);
  if (result != nullptr) *result = target->result;
  release_slot(*target);
  return 0;
}

int detach_thread(pthread_t handle, LocationId location) {
  VirtualThread* target = thread_of(handle);
  if (target == nullptr) finish_misuse("detach of a thread that was joined already, or never was", location);
  if (target->detached) finish_misuse("detach of a detached thread", location);
  Pending pending;
  pending.kind = OpKind::kThreadDetach;
  pending.location = location;
  pending.value = target->index;
  point(pending);
  if (target->index != pending.value || target->state == ThreadState::kFree) {
    finish_misuse("detach of a thread that another one has joined", location);
  }
  record_pending(0, target->index);
  target->detached = true;
  if (target->state == ThreadState::kEnded) release_slot(*target);
  return 0;
}

void exit_thread(void* result) {
  VirtualThread& self = *g.current;
  self.result = result;
  self.cancelling = true;
  RAVEL_LARGE_TABLE static _Unwind_Exception exceptions[kMaxLive];
  _Unwind_Exception& exception = exceptions[self.slot];
  memset(&exception, 0, sizeof exception);
  _Unwind_ForcedUnwind(&exception, unwind_step, nullptr);
  end_thread();
}

VirtualThread* thread_of(pthread_t handle) {
  VirtualThread* const thread = last_thread_of(handle);
  return thread == nullptr || thread->state == ThreadState::kFree ? nullptr : thread;
}

VirtualThread* last_thread_of(pthread_t handle) {
  if (handle == thread_pointer(0)) return g.main;
  const int slot = slot_of_address(handle);
  if (slot <= 0 || thread_pointer(static_cast<std::uint32_t>(slot)) != handle) return nullptr;
  return &thread_in_slot(static_cast<std::uint32_t>(slot));
}

bool is_gone(const VirtualThread& slot, ThreadIndex index) {
  return slot.index != index || slot.state == ThreadState::kFree;
}

pthread_t handle_of(const VirtualThread& thread) {
  return thread.fs_base;
}

}  // namespace ravel::rt
