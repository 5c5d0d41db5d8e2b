// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_once.h"

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/once.h"

namespace ravel::rt {

namespace {

template <class State>
bool enter(void* object, LocationId location) {
  auto& state = *static_cast<State*>(object);
  Pending pending = operation(OpKind::kOnceBegin, object, location);
  pending.size = sizeof(State);  // tells the two layouts apart
  pending.value = begin_value(state);
  pending.enabled = [](const VirtualThread& thread) {
    return can_begin(*reinterpret_cast<State*>(thread.pending.address));
  };
  point(pending);
  const Beginning beginning = once_begin(state, g.current->index);
  record_pending(0, beginning.value);
  changed();
  return beginning.value == kOnceRuns;
}

template <class State>
void leave(void* object, OpKind kind, LocationId location) {
  auto& state = *static_cast<State*>(object);
  point(operation(kind, object, location));
  if (kind == OpKind::kOnceEnd) {
    (void)once_end(state, g.current->index);
  } else {
    (void)once_abort(state, g.current->index);
  }
  record_pending(0, 0);
  changed();
}

}  // namespace

bool once_enter(pthread_once_t* control, LocationId location) {
  return enter<OnceState>(control, location);
}
void once_finish(pthread_once_t* control, LocationId location) {
  leave<OnceState>(control, OpKind::kOnceEnd, location);
}
void once_undo(pthread_once_t* control, LocationId location) {
  leave<OnceState>(control, OpKind::kOnceAbort, location);
}

bool guard_enter(void* guard, LocationId location) {
  return enter<GuardState>(guard, location);
}
void guard_finish(void* guard, LocationId location) {
  leave<GuardState>(guard, OpKind::kOnceEnd, location);
}
void guard_undo(void* guard, LocationId location) {
  leave<GuardState>(guard, OpKind::kOnceAbort, location);
}

ThreadIndex once_runner(std::uintptr_t address, bool guard) {
  return guard ? reinterpret_cast<GuardState*>(address)->runner() : reinterpret_cast<OnceState*>(address)->runner();
}

}  // namespace ravel::rt
