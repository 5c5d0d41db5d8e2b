// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/state/shadow_stack.h"

#include "runtime/state/locations.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ (x >> 32);
}

constexpr std::uint64_t kFirstSlots = 1024;

// Finds or adds the child of `parent` for a call. 0 when the table is full: the stack is then cut off there.
ContextId child_context(ContextId parent, LocationId call) {
  SharedBlock& block = *g.block;
  // One page of slots is tried first: a program of few contexts touches no more.
  const std::uint64_t hash = mix((std::uint64_t{parent} << 32) | call);
  std::uint64_t slot = hash % kFirstSlots;
  for (std::uint64_t step = 0;; ++step) {
    const std::uint32_t found = block.context_slots[slot];
    if (found == 0) break;
    const ContextRecord& record = block.contexts[found];
    if (record.parent == parent && record.call == call) return found;
    slot = kFirstSlots + (hash + step) % (kContextSlots - kFirstSlots);
  }
  const std::uint32_t fresh = block.context_count.load(std::memory_order_relaxed);
  if (fresh >= kMaxContexts) return 0;
  block.contexts[fresh] = {parent, call};
  block.context_slots[slot] = fresh;
  block.context_count.store(fresh + 1, std::memory_order_relaxed);
  return fresh;
}

}  // namespace

ContextId ShadowStack::look_up() {
  const std::uint32_t depth = depth_ < kShadowDepth ? depth_ : kShadowDepth;
  ContextId node = known_context();
  while (known_ < depth) {
    node = child_context(node, location_of(at(known_).caller));
    frames_[++known_].node = node;
  }
  return node;
}

}  // namespace ravel::rt
