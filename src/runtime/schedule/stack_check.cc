// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/stack_check.h"

#include <unwind.h>

#include "runtime/fiber/question.h"
#include "runtime/platform/raw.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {

_Unwind_Reason_Code leave_runtime(_Unwind_Context* context, void* answer) {
  if (is_runtime_code(_Unwind_GetIP(context))) return _URC_NO_REASON;
  *static_cast<std::uintptr_t*>(answer) = _Unwind_GetCFA(context);
  return _URC_END_OF_STACK;
}

// Asked on the stack of the thread itself: the stack pointer with which it called the runtime. 0: not known.
std::uintptr_t lowest_frame() {
  std::uintptr_t answer = 0;
  _Unwind_Backtrace(leave_runtime, &answer);
  return answer;
}

void describe(TextBuffer& out, OpKind kind, std::uint32_t size) {
  out.text(op_name(kind).data());
  if (size != 0) out.text(" of ").decimal(size).text(size == 1 ? " byte" : " bytes");
}

}  // namespace

void look_for_left_frame(std::uintptr_t address, OpKind kind, std::uint32_t size, LocationId location) {
  const int slot = slot_of_address(address);
  if (slot < 0 || kind == OpKind::kFutexWake || kind == OpKind::kFutexRequeue) return;
  VirtualThread& owner = thread_in_slot(static_cast<std::uint32_t>(slot));
  if (&owner == g.current || owner.state != ThreadState::kLive || owner.pending.kind == OpKind::kThreadStart) return;
  const auto top = reinterpret_cast<std::uintptr_t>(stack_top(owner.slot));
  if (address < owner.stack_low || address >= top) return;  // thread-local storage
  // Frames of instrumented functions are known; below them lie only what these have allocated and uninstrumented code.
  const std::uintptr_t known = owner.calls.innermost(owner.stack_low, top);
  if (known == 0 || address >= known) return;
  const std::uintptr_t lowest = ask_thread(owner, lowest_frame);
  if (lowest <= owner.stack_low || lowest > top || address >= lowest) return;
  forget_plain_write();  // its memory may be the dead one
  char buffer[160];
  TextBuffer out(buffer, sizeof buffer);
  describe(out, kind, size);
  out.text(" on the stack of T").decimal(owner.index).text(", in the frame of a function that has returned");
  finish_failure(OutcomeKind::kUseAfterFree, buffer, location);
}

void look_for_users_of_main(std::uintptr_t frame, LocationId main) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count; ++i) {
    const VirtualThread& user = *list[i];
    const Pending& next = user.pending;
    if (list[i] == g.current || next.address < g.current->stack_low || next.address >= frame) continue;
    if (next.enabled != nullptr && !next.enabled(user)) continue;
    char buffer[160];
    TextBuffer out(buffer, sizeof buffer);
    out.text("main has returned, and T").decimal(user.index).text(" is about to use a variable of it: ");
    describe(out, next.kind, next.size);
    g.current = list[i];
    finish_failure(OutcomeKind::kUseAfterFree, buffer, next.location != 0 ? next.location : main);
  }
}

}  // namespace ravel::rt
