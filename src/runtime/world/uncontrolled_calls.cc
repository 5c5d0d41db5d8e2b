// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/uncontrolled_calls.h"

#include <string.h>

#include "runtime/state/state.h"

namespace ravel::rt {

void note_uncontrolled(const char* call, const char* detail, LocationId location) {
  if (g.block == nullptr) return;
  SharedBlock& block = *g.block;
  const std::uint32_t count = block.uncontrolled_count.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count && i < kMaxUncontrolled; ++i) {
    UncontrolledRecord& known = block.uncontrolled[i];
    if (known.location != location || strncmp(known.call, call, sizeof known.call - 1) != 0) continue;
    known.times.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (count >= kMaxUncontrolled) return;
  UncontrolledRecord& record = block.uncontrolled[count];
  record.times.store(1, std::memory_order_relaxed);
  record.location = location;
  strncpy(record.call, call, sizeof record.call - 1);
  strncpy(record.detail, detail, sizeof record.detail - 1);
  block.uncontrolled_count.store(count + 1, std::memory_order_release);
}

}  // namespace ravel::rt
