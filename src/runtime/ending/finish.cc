// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/ending/finish.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "runtime/ending/debugger.h"
#include "runtime/ending/repetition.h"
#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/schedule/gate.h"
#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/holders.h"
#include "runtime/world/foreign_threads.h"
#include "semantics/process_exit.h"

namespace ravel::rt {

namespace {

// The execution ends within an operation that has passed its point and is no event yet: a use of freed memory, a
// misuse. A search by steps has to know that step.
bool is_within_operation() {
  const OutcomeKind outcome = g.block->result.outcome;
  return g.block->plan.record_steps != 0 && outcome != OutcomeKind::kStepLimit && outcome != OutcomeKind::kDiverged &&
         g.current->passed_at == g_recorder.written;
}

// What every thread would do next. The running one is in the middle of something, unless all are waiting.
void list_pending() {
  ExecutionResult& result = g.block->result;
  result.pending = 0;  // the trace may have been closed before: handlers run after exit has begun
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count && result.pending < kMaxWaiting; ++i) {
    VirtualThread& thread = *list[i];
    const bool all_wait = result.outcome == OutcomeKind::kDeadlock || result.outcome == OutcomeKind::kHeld ||
                          result.outcome == OutcomeKind::kAbandoned;
    const bool waits = &thread != g.current || all_wait;
    if (!waits && !is_within_operation()) continue;
    const Pending& p = thread.pending;
    const Place place = p.address != 0 ? place_of_address(p.address) : Place{};
    PendingRecord& record = g.block->pending_table[result.pending++];
    record = {};
    const auto scheduling =
        static_cast<std::uint8_t>((thread.chosen ? kChosen : 0) | (thread.had_to_wait ? kHadToWait : 0));
    const bool unwoken = p.kind == OpKind::kCondReacquire && thread.waiting == Waiting::kWaits;
    const std::uint8_t over = unwoken && thread.wake == WakeReason::kTimeout ? kTimeout : 0;
    record.operation = {p.kind,
                        static_cast<std::uint8_t>(waits ? p.bits | over : p.bits | scheduling),
                        p.size,
                        thread.index,
                        place.object,
                        place.offset,
                        p.location,
                        thread.calls.context(),
                        has_second_place(p.kind) ? packed(place_of_address(p.value)) : p.value};
    record.operand = p.kind == OpKind::kFutexWait ? p.value : has_own_operand(p.kind) ? 0 : time_operand(thread, over);
    record.spinning = p.spinning ? 1 : 0;
    record.begun = waits ? 0 : 1;
  }
}

void close_trace() {
  ExecutionResult& result = g.block->result;
  note_foreign_threads();
  fill_in_plain_write();
  count_quiet_accesses();
  // Also for campaigns that are about one plan.
  if (g.block->plan.record_steps != 0 || g.block->campaign.base.prefix_segments != 0 ||
      g.block->plan.sequence.count != 0) {
    list_pending();
  }
  result.live_at_end = g.live;
  result.callouts = g_callouts;
  result.prefix_left = planned_choices_left();
  report_gate();
  result.finished = 1;
}

void list_waiting() {
  ExecutionResult& result = g.block->result;
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count && result.waiting < kMaxWaiting; ++i) {
    VirtualThread& thread = *list[i];
    const Pending& p = thread.pending;
    WaitingRecord& record = result.waiting_table[result.waiting++];
    const Place place = p.address != 0 ? place_of_address(p.address) : Place{};
    record = {};
    record.thread = thread.index;
    record.wants = p.kind;
    record.spinning = p.spinning || (&thread == g.current && thread.spin.stuck()) ? 1 : 0;
    record.object = place.object;
    record.offset = place.offset;
    record.location = p.location;
    record.context = thread.calls.context();
    fill_in_holder(thread, record);
  }
}

// There is no execution yet that could have failed.
[[noreturn]] void fail_preparation(OutcomeKind kind, const char* message) {
  Control& control = g.block->control;
  TextBuffer out(control.error_text, kMessageBytes);
  out.text(outcome_name(kind).data()).text(": ").text(message);
  control.exit_status = -1;
  control.program_ended = 1;
  g.block->progress.done.store(1, std::memory_order_release);
  leave_process(1);
}

}  // namespace

void leave_process(int status) {
  // What the program has printed so far belongs to the report; without locks, since their holder may be a parked
  // thread.
  fflush_unlocked(stdout);
  fflush_unlocked(stderr);
  end_process(status);
}

void end_process(int status) {
  if (has_home()) go_home({status, 0});
  for (;;) raw_syscall(SYS_exit_group, status);
}

void note_failure(OutcomeKind kind, const char* message, LocationId location) {
  if (g.preparing) fail_preparation(kind, message);
  ExecutionResult& result = g.block->result;
  // The first failure is the cause; a failure in an exit handler still is one.
  if (result.outcome != OutcomeKind::kNotRun && result.outcome != OutcomeKind::kCompleted) return;
  result.outcome = kind;
  result.thread = g.current->index;
  result.location = location;
  result.context = g.current->calls.context();
  strncpy(result.message, message, kMessageBytes - 1);
  close_trace();
  if (g.block->plan.stop_at_failure != 0) stop_for_debugger();
}

void finish_failure(OutcomeKind kind, const char* message, LocationId location) {
  note_failure(kind, message, location);
  leave_process(1);
}

void finish_deadlock() {
  if (g.block->result.outcome == OutcomeKind::kNotRun) list_waiting();
  finish_failure(OutcomeKind::kDeadlock, "every thread waits", g.current->pending.location);
}

void finish_step_limit() {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  bool all_wait = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Pending& p = list[i]->pending;
    const bool waits = list[i] != g.current && p.enabled != nullptr && !p.enabled(*list[i]);
    all_wait = all_wait && (waits || list[i]->spin.stuck());
  }
  if (all_wait) {
    list_waiting();
    finish_failure(OutcomeKind::kDeadlock, "every thread waits or re-reads values that no thread can change",
                   g.current->pending.location);
  }
  if (repetition_proved()) {
    list_waiting();
    finish_failure(OutcomeKind::kStepLimit, "the same state comes back again and again: this never ends",
                   g.current->pending.location);
  }
  if (!extend_step_limit()) finish_cut();
}

void finish_cut() {
  finish_failure(OutcomeKind::kCut, "neither an end nor a repetition within the limits", g.current->pending.location);
}

void near_step_limit() {
  watch_repetition();
}

void finish_held() {
  list_waiting();
  finish_failure(OutcomeKind::kHeld, "every thread that could go on is held back", g.current->pending.location);
}

void finish_abandoned() {
  finish_failure(OutcomeKind::kAbandoned, "a goal of the plan cannot come true", g.current->pending.location);
}

void finish_diverged() {
  finish_failure(OutcomeKind::kDiverged, "the plan does not fit", g.current->pending.location);
}

namespace {

void pass_exit(int status, std::uint8_t how, LocationId location) {
  if (!others_may_run()) return record(OpKind::kExit, 0, 0, 0, location, static_cast<std::uint64_t>(status));
  Pending pending;
  pending.kind = OpKind::kExit;
  pending.location = location;
  pending.value = static_cast<std::uint64_t>(status);
  // Handlers run once: whoever calls exit while another thread is at it waits for the end of the process.
  pending.bits = how;
  pending.enabled = [](const VirtualThread& thread) { return can_exit(g.exit, thread.pending.bits, thread.index); };
  point(pending);
  record_pending(0, pending.value);
}

}  // namespace

void note_exit(int status, Ending ending, LocationId location) {
  if (g.preparing) {
    g.block->control.exit_status = status;
    g.block->control.program_ended = 1;
    g.block->progress.done.store(1, std::memory_order_release);
    return;
  }
  const std::uint8_t how = ending == Ending::kHandlers ? kExitByHandlers : kExitAtOnce;
  pass_exit(status, how, location);
  begin_exit(g.exit, how, g.current->index);
  g.exit_status = status;
  ExecutionResult& result = g.block->result;
  if (result.outcome == OutcomeKind::kNotRun) {
    result.outcome = OutcomeKind::kCompleted;
    result.exit_status = status;
    result.thread = g.current->index;
    result.location = location;
    result.context = g.current->calls.context();
  }
  close_trace();
}

void note_end_of_exit() {
  if (g.preparing || !others_may_run()) return;
  pass_exit(g.exit_status, kExitByHandlers, g.block->result.location);
  close_trace();
}

void stop_for_debugger() {
  if (g.direct) show_threads_to_debugger(*g.current);
  raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), SIGTRAP);
}

}  // namespace ravel::rt
