// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/quiet_accesses.h"

#include "base/hash.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostThreads = 128;

// What an event is to the pattern.
enum class Part : std::uint8_t { kNone, kAccess, kLifecycle, kSync, kForbids };
struct Parts {
  Part of[static_cast<std::size_t>(OpKind::kCount)] = {};
  constexpr Parts() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
      const OpClass cls = op_class(static_cast<OpKind>(i));
      if (cls == OpClass::kLifecycle) of[i] = Part::kLifecycle;
      if (cls == OpClass::kPlain || cls == OpClass::kAtomic) of[i] = Part::kAccess;
      if (cls == OpClass::kSync) of[i] = Part::kSync;
    }
    of[static_cast<std::size_t>(OpKind::kHeapFree)] = Part::kAccess;
    of[static_cast<std::size_t>(OpKind::kRegionBegin)] = Part::kForbids;
  }
};
constexpr Parts kParts;

constexpr std::uint64_t kSalts[] = {0xa0761d6478bd642full, 0xe7037ed1a0b428dbull, 0x8ebc6af09c88c6e3ull};

// Both halves of a product, so that every bit of either counts.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 whole = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(whole) ^ static_cast<std::uint64_t>(whole >> 64);
}

std::uint64_t name_of(ObjectId object, const ObjectRecord* objects) {
  if (object >= kMaxObjects || objects[object].kind == ObjectKind::kUnknown) return object;
  const ObjectRecord& record = objects[object];
  return hash_combine((std::uint64_t{record.owner} << 32) | record.ordinal, static_cast<std::uint64_t>(record.kind));
}

}  // namespace

QuietAccesses::QuietAccesses(std::pmr::memory_resource& memory, LocationSink& points, const ObjectRecord* objects)
    : points_(points),
      objects_(objects),
      seen_(memory),
      heap_(memory, kMostHeapObjects),
      touches_(memory, kMostHeapObjects) {}

std::uint64_t QuietAccesses::pattern_of(std::span<const Event> events, const ObjectRecord* objects) {
  std::uint32_t time[kMostThreads] = {};  // of a thread: its creations and joinings so far
  std::uint64_t sum = 0;
  ObjectId last = 0;
  std::uint64_t last_name = 0;
  for (const Event& e : events) {
    const Part part = e.kind < OpKind::kCount ? kParts.of[static_cast<std::size_t>(e.kind)] : Part::kNone;
    if (part == Part::kNone) continue;
    // A lock in a block conflicts with the free of it, and with nothing else.
    if (part == Part::kSync && (e.object >= kMaxObjects || objects[e.object].kind != ObjectKind::kHeap)) continue;
    if (part == Part::kForbids || e.thread >= kMostThreads) return 0;
    if (e.object != last) {
      last = e.object;
      last_name = name_of(last, objects);
    }
    const std::uint64_t what = static_cast<std::uint64_t>(e.kind) | static_cast<std::uint64_t>(e.failed()) << 8 |
                               std::uint64_t{e.size} << 16 | std::uint64_t{e.thread} << 32;
    const std::uint64_t where = (std::uint64_t{e.location} << 32) | time[e.thread];
    std::uint64_t word = product(product(what ^ kSalts[0], (last_name + e.offset) ^ kSalts[1]) ^ where, kSalts[2]);
    if (part == Part::kLifecycle) {
      word = product(word ^ e.value, kSalts[0]);
      ++time[e.thread];
    }
    sum += word;
  }
  return sum == 0 ? 1 : sum;
}

void QuietAccesses::begin(std::span<const Event> events) {
  pattern_ = events.empty() ? 0 : pattern_of(events, objects_);
  settled_ = pattern_ != 0 && seen_.contains(pattern_);
  if (settled_) return;
  too_many_ = some_noisy_ = false;
  heap_.clear();
  touches_.clear();
}

QuietAccesses::HeapObject* QuietAccesses::heap_object(ObjectId object) {
  if (object == 0 || object >= kMaxObjects || objects_[object].kind != ObjectKind::kHeap) return nullptr;
  if (object >= heap_.capacity()) {
    too_many_ = true;
    return nullptr;
  }
  HeapObject* found = heap_.find(object);
  return found != nullptr ? found : &heap_.insert(object, HeapObject{});
}

void QuietAccesses::on_event(const Event& e, Epoch epoch, const SharedLocations& shared) {
  if (pattern_ == 0 || access_class(e) == AccessClass::kNone) return;
  HeapObject* object = heap_object(e.object);
  if (object == nullptr) return;
  bool noisy = object->freed && !shared.ordered(object->freed_at);
  std::uint32_t mine = 0;
  for (std::uint32_t i = object->touches; i != 0; i = touches_[i].next) {
    if (touches_[i].epoch.slot == epoch.slot) mine = i;
    if (e.kind == OpKind::kHeapFree && !shared.ordered(touches_[i].epoch)) noisy = true;
  }
  if (noisy) object->noisy = some_noisy_ = true;
  if (e.kind == OpKind::kHeapFree) {
    object->freed = true;
    object->freed_at = epoch;
    return;
  }
  if (mine == 0) {
    mine = touches_.add({epoch, object->touches});
    if (mine == 0) {
      too_many_ = true;
      return;
    }
    object->touches = mine;
  }
  touches_[mine].epoch = epoch;
}

bool QuietAccesses::is_on_foreign_stack(const Event& e) const {
  if (e.object == 0 || e.object >= kMaxObjects) return false;
  const ObjectRecord& record = objects_[e.object];
  return record.kind == ObjectKind::kStack && record.owner != e.thread;
}

void QuietAccesses::finish(std::span<const Event> events, bool complete) {
  if (pattern_ == 0 || settled_ || !complete || too_many_) return;
  for (const Event& e : events) {
    const HeapObject* object = some_noisy_ && e.object < heap_.capacity() ? heap_.find(e.object) : nullptr;
    if ((object != nullptr && object->noisy) || is_on_foreign_stack(e)) mark(e.location);
  }
  seen_.add(pattern_);
}

void QuietAccesses::on_location(LocationId location) {
  mark(location);
  points_.on_location(location);
}

}  // namespace ravel
