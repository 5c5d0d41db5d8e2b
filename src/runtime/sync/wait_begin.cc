// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/wait_begin.h"

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"

namespace ravel::rt {

namespace {
bool has_handlers = false;
bool has_interrupting_handlers = false;  // without SA_RESTART
}  // namespace

void note_handler(bool restarts) {
  has_handlers = true;
  if (!restarts) has_interrupting_handlers = true;
}

void begin_wait(Interruption interruption, LocationId location) {
  const bool matters = interruption == Interruption::kAlways ? has_handlers : has_interrupting_handlers;
  if (!matters || !others_may_run()) return;
  Pending pending;
  pending.kind = OpKind::kWaitBegin;
  pending.location = location;
  point(pending);
  record_pending(0, 0);
}

}  // namespace ravel::rt
