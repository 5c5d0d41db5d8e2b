// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/stack_places.h"

#include <string.h>

#include "runtime/state/locations.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

namespace {

constexpr std::uint32_t kProbes = 32;

// The upper end of a frame is where the caller has left its return address: the first place above the stack pointer
// that holds it. 0: not found.
std::uintptr_t upper_end(const ShadowStack::Function& function, std::uintptr_t top) {
  const std::uintptr_t limit = function.above != 0 && function.above < top ? function.above : top;
  for (std::uintptr_t at = function.stack & ~std::uintptr_t{7}; at + sizeof at <= limit; at += sizeof at) {
    if (*reinterpret_cast<const std::uintptr_t*>(at) == function.caller) return at + sizeof at;
  }
  return 0;
}

}  // namespace

bool names_stack_places() {
  return g.block->campaign.mode == RunMode::kReplay;
}

void begin_stack_places() {
  if (names_stack_places()) memset(static_cast<void*>(g.block->stack_places), 0, sizeof g.block->stack_places);
}

void note_stack_place(const VirtualThread& owner, std::uintptr_t address, std::uintptr_t base, ObjectId object,
                      std::uintptr_t top) {
  const ShadowStack::Function function = owner.calls.function_at(address, base, top);
  if (function.inside == 0 || object == 0) return;
  const auto offset = static_cast<std::uint32_t>(address - base);
  const auto stack = static_cast<std::uint32_t>(function.stack - base);
  const LocationId inside = location_of(function.inside);
  std::uint32_t slot = (object * 0x9e3779b1u) ^ (offset * 0x85ebca6bu);
  for (std::uint32_t probe = 0; probe < kProbes; ++probe) {
    StackPlaceRecord& record = g.block->stack_places[(slot + probe) % kStackPlaces];
    if (record.object == 0) {
      const std::uintptr_t end = upper_end(function, top);
      record = {object, offset, inside, end == 0 ? 0 : static_cast<std::uint32_t>(end - base), stack};
      return;
    }
    if (record.object != object || record.offset != offset) continue;
    if (record.function != inside || record.stack != stack) record.function = kSeveralFunctions;
    return;
  }
}

}  // namespace ravel::rt
