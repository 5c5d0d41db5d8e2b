// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/atomic_windows.h"

#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMostEvents = 1u << 12;

}  // namespace

AtomicWindows::AtomicWindows(std::pmr::memory_resource& memory)
    : objects_(static_cast<Object*>(memory.allocate(sizeof(Object) * kMostObjects, alignof(Object)))) {}

void AtomicWindows::collect(const TraceView& trace) {
  count_ = 0;
  scan_events(trace, kMostEvents, [&](const Event& e, std::uint64_t) {
    if (!is_atomic_access(e.kind) || e.location == 0) return;
    if (Object* object = object_at(place_of(e)); object != nullptr) add(*object, e);
  });
}

AtomicWindows::Object* AtomicWindows::object_at(std::uint64_t place) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (objects_[i].place == place) return &objects_[i];
  }
  if (count_ == kMostObjects) return nullptr;
  objects_[count_] = Object{};
  objects_[count_].place = place;
  return &objects_[count_++];
}

// A compare-exchange that failed may succeed next time: it counts as a write.
void AtomicWindows::add(Object& object, const Event& event) {
  std::uint32_t t = 0;
  while (t < object.threads && object.last[t].thread != event.thread) ++t;
  if (t == kMostThreads) return;
  const bool after_read = t < object.threads && object.last[t].read;
  const bool reads = event.kind == OpKind::kAtomicLoad;
  object.last[t] = {event.thread, reads};
  if (t == object.threads) ++object.threads;
  if (reads) return;
  for (std::uint32_t i = 0; i < object.writes; ++i) {
    const Write& known = object.write[i];
    if (known.at == event.location && known.thread == event.thread && known.after_read == after_read) return;
  }
  if (object.writes < kMostWrites) object.write[object.writes++] = {event.location, event.thread, after_read};
}

}  // namespace ravel
