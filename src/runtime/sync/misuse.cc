// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/misuse.h"

#include "runtime/platform/raw.h"
#include "runtime/record/end_of_execution.h"

namespace ravel::rt {

void finish_misuse(const char* what, LocationId location) {
  finish_failure(OutcomeKind::kMisuse, what, location);
}

void finish_misuse(const char* kind, SyncResult result, bool destroying, LocationId location) {
  char buffer[160];
  TextBuffer out(buffer, sizeof buffer);
  if (destroying) {
    out.text(kind).text(result == SyncResult::kBusy ? " destroyed while in use" : " destroyed twice");
  } else {
    switch (result) {
      case SyncResult::kNotOwner:
        out.text(kind).text(" unlocked by a thread that does not hold it");
        break;
      case SyncResult::kNotLocked:
        out.text(kind).text(" unlocked while nobody holds it");
        break;
      case SyncResult::kWrongMutex:
        out.text(kind).text(" waited on with two different mutexes");
        break;
      case SyncResult::kInvalid:
        out.text(kind).text(" used after its destruction");
        break;
      default:
        out.text(kind).text(" used wrongly");
        break;
    }
  }
  finish_misuse(buffer, location);
}

}  // namespace ravel::rt
