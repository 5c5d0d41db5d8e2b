// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/state/state.h"

#include <string.h>

#include "runtime/platform/raw.h"

namespace ravel::rt {

Globals g;

void note_internal_error(const char* text) {
  if (g.block == nullptr) return;
  ExecutionResult& result = g.block->result;
  result.outcome = OutcomeKind::kInternal;
  strncpy(result.message, text, kMessageBytes - 1);
  result.finished = 1;
}

}  // namespace ravel::rt
