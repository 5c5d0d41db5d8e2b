// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/shared_objects.h"

#include "explore/event_scan.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMostEvents = 1u << 16;

void add(SharedObject& object, const Event& e) {
  unsigned i = 0;
  while (i < kMaxParkPlaces && object.at[i] != 0 && object.at[i] != e.location) ++i;
  if (i == kMaxParkPlaces) return;
  object.at[i] = e.location;
  object.threads |= 1u << (e.thread % 32);
  if (e.thread < kMaxCounted && object.counts[e.thread] != 0xffff) ++object.counts[e.thread];
}

}  // namespace

SharedObjects::SharedObjects(std::pmr::memory_resource& memory)
    : lists_(
          static_cast<SharedObject*>(memory.allocate(sizeof(SharedObject) * 2 * kMostObjects, alignof(SharedObject)))) {
}

void SharedObjects::fill(PolicySpec& policy, const State& state, Random& random) const {
  const SharedObject& one = nth(state, random.below(state.objects));
  policy.kind = PolicyKind::kSurw;
  for (unsigned i = 0; i < kMaxParkPlaces; ++i) policy.park_at[i] = one.at[i];
  for (unsigned i = 0; i < kMaxCounted; ++i) policy.counts[i] = one.counts[i];
}

void SharedObjects::learn(State& state, const Execution& execution) const {
  ++state.learned;
  SharedObject* objects = list(state);
  std::uint32_t count = 0;
  scan_events(execution.trace, kMostEvents, [&](const Event& e, std::uint64_t operand) {
    const OpClass cls = op_class(e.kind);
    if (operand == kNoPoint || (!is_memory_access(e.kind) && cls != OpClass::kSync)) return;
    std::uint32_t i = 0;
    while (i < count && objects[i].place != place_of(e)) ++i;
    if (i == kMostObjects) return;
    if (i == count) {
      objects[count] = SharedObject{};
      objects[count++].place = place_of(e);
    }
    add(objects[i], e);
  });
  state.objects = 0;  // of those that several threads use
  for (std::uint32_t i = 0; i < count; ++i) {
    if ((objects[i].threads & (objects[i].threads - 1)) != 0) objects[state.objects++] = objects[i];
  }
}

}  // namespace ravel
