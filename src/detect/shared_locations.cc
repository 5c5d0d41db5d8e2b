// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/shared_locations.h"

#include "semantics/mutex.h"

namespace ravel {
namespace {

// More threads and locations than this in eight bytes: taken as shared without looking, so that the search stays short.
constexpr std::uint32_t kMostInCell = 128;

CausalityOptions lifecycle_options() {
  CausalityOptions options;
  options.max_clock_nodes = 1u << 19;
  options.max_sync_places = 1u << 10;
  options.lifecycle_only = true;
  return options;
}

}  // namespace

SharedLocations::SharedLocations(std::pmr::memory_resource& memory, LocationSink& sink, std::uint32_t max_cells,
                                 std::uint32_t max_accesses, const RacyCells* only)
    : sink_(sink),
      lifecycle_(memory, lifecycle_options()),
      accesses_(memory, max_accesses),
      cells_(memory, max_cells),
      index_(memory, 1u << 12, max_cells * 2),
      objects_(memory, max_cells),
      only_(only) {}

void SharedLocations::begin() {
  lifecycle_.begin();
  handlers_.begin();
  accesses_.clear();
  cells_.clear();
  index_.clear();
  objects_.clear();
  truncated_ = crowded_ = false;
}

// Whether one may change what the other does. What synchronises only needs the memory to be there.
bool SharedLocations::meet(const Access& old, const Touch& touch, std::uint8_t mask) {
  if ((old.mask & mask) == 0) return false;
  if (old.use == Use::kFree || touch.use == Use::kFree) return true;
  if (old.use == Use::kSync || touch.use == Use::kSync) return false;
  if (old.use == Use::kMutex && touch.use == Use::kMutex) return false;
  return is_write(old.cls) || is_write(touch.cls);
}

void SharedLocations::touch(std::uint32_t& list, const Touch& touch, std::uint8_t mask) {
  std::uint32_t mine = 0;
  std::uint32_t length = 0;
  bool shared = false;
  for (std::uint32_t i = list; i != 0; i = accesses_[i].next) {
    Access& old = accesses_[i];
    ++length;
    if (old.epoch.slot == touch.epoch.slot && old.location == touch.location && old.cls == touch.cls &&
        old.use == touch.use && old.in_handler == touch.in_handler) {
      mine = i;
      continue;
    }
    const bool handler = old.epoch.slot == touch.epoch.slot && old.in_handler != touch.in_handler;
    if (!meet(old, touch, mask) || (!handler && lifecycle_.ordered(old.epoch))) continue;
    shared = true;
    if (old.told == 0 && !is_atomic(old.cls)) {
      old.told = 1;
      sink_.on_location(old.location);
    }
  }
  if (mine == 0 && length >= kMostInCell) {
    crowded_ = true;
    if (!is_atomic(touch.cls)) sink_.on_location(touch.location);
    return;
  }
  if (mine == 0) {
    mine = accesses_.add({touch.epoch, touch.location, list, 0, touch.cls, touch.use, touch.in_handler, 0});
    if (mine == 0) {
      truncated_ = true;
      return;
    }
    list = mine;
  }
  Access& access = accesses_[mine];
  access.epoch = touch.epoch;
  access.mask |= mask;
  if (shared && access.told == 0 && !is_atomic(touch.cls)) {
    access.told = 1;
    sink_.on_location(touch.location);
  }
}

// Null: no room.
SharedLocations::Object* SharedLocations::object_of(ObjectId id) {
  if (Object* known = objects_.find(id)) return known;
  if (id < objects_.capacity()) return &objects_.insert(id, Object{});
  truncated_ = true;
  return nullptr;
}

void SharedLocations::touch_cell(ObjectId object, std::uint32_t offset, std::uint8_t mask, const Touch& by) {
  if (only_ != nullptr && !only_->has(object, offset)) return;
  std::uint32_t* index = index_.claim(std::uint64_t{object} << 32 | offset);
  if (index != nullptr && *index == 0) {
    Object* whole = object_of(object);
    if (whole == nullptr) return;
    *index = cells_.add({0, whole->cells});
    if (*index != 0) whole->cells = *index;
    if (*index != 0 && whole->freed_at != 0) {
      Cell& cell = cells_[*index];
      cell.accesses =
          accesses_.add({whole->freed, whole->freed_at, 0, 0xff, AccessClass::kPlainWrite, Use::kFree, false, 0});
    }
  }
  if (index == nullptr || *index == 0) {
    truncated_ = true;
    return;
  }
  touch(cells_[*index].accesses, by, mask);
}

// Cells that are touched later begin with the free in them.
void SharedLocations::free_object(const Event& e, Epoch epoch) {
  Object* object = object_of(e.object);
  if (object == nullptr) return;
  const Touch by{epoch, e.location, AccessClass::kPlainWrite, Use::kFree, false};
  for (std::uint32_t i = object->cells; i != 0; i = cells_[i].next_in_object) touch(cells_[i].accesses, by, 0xff);
  object->freed_at = e.location;
  object->freed = epoch;
}

Epoch SharedLocations::on_event(const Event& e) {
  const Epoch epoch = lifecycle_.on_event(e);
  const AccessClass cls = access_class(e);
  const bool in_handler = handlers_.follow(e);
  if (e.object == 0) return epoch;
  if (e.kind == OpKind::kHeapFree) {
    free_object(e, epoch);
  } else if (cls != AccessClass::kNone) {
    const Touch by{epoch, e.location, cls, Use::kAccess, in_handler};
    for_each_cell(e.offset, e.size,
                  [&](std::uint32_t offset, std::uint8_t mask) { touch_cell(e.object, offset, mask, by); });
  } else if (op_class(e.kind) == OpClass::kSync) {
    const bool mutex = moves_mutex(e.kind, e.bits);
    const unsigned bytes = mutex ? kMutexWordBytes : 1;
    const auto mask = static_cast<std::uint8_t>(((1u << bytes) - 1) << e.offset % 8);
    const Use use = mutex ? Use::kMutex : Use::kSync;
    const AccessClass as = mutex ? AccessClass::kAtomicWrite : AccessClass::kAtomicRead;
    touch_cell(e.object, e.offset & ~7u, mask, {epoch, e.location, as, use, false});
  }
  return epoch;
}

}  // namespace ravel
