// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/entry/body.h"

#include "runtime/ending/finish.h"
#include "runtime/entry/takeover.h"
#include "runtime/fiber/carrier.h"
#include "runtime/fiber/context_switch.h"
#include "runtime/platform/raw.h"
#include "runtime/signals/signals.h"
#include "runtime/state/state.h"
#include "runtime/sync/lifecycle.h"

namespace ravel::rt {

namespace {

PlanSpec kept_plan;

// What main's return is to a program: threads that are still there end with it, exit handlers are the caller's.
[[noreturn]] void call_and_leave(const Body& body) {
  g.block->result.started = 1;
  body.run(body.argument);
  const int status = g.block->campaign.expect_exit;
  note_exit(status, body.caller);
  leave_process(status);
}

void enter_body(void* body) {
  call_and_leave(*static_cast<const Body*>(body));
}

}  // namespace

void put_plan_aside() {
  kept_plan = g.block->plan;
  g.block->plan = PlanSpec{};
}

void end_preparation() {
  g.block->plan = kept_plan;
  g.preparing = false;
}

void run_body_in_place(void* body) {
  begin_execution();
  restart_main_thread();
  call_and_leave(*static_cast<const Body*>(body));
}

void run_body_apart(void* body) {
  begin_execution();
  watch_fatal_signals();
  begin_main_thread();
  g.in_control = true;
  void* abandoned = nullptr;
  ravel_switch(&abandoned, make_context(stack_top(0), enter_body, body), thread_pointer(0), has_fsgsbase() ? 1 : 0);
  fatal("the body came back");
}

}  // namespace ravel::rt
