// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/shared_locations.h"

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
                                 std::uint32_t max_accesses)
    : sink_(sink),
      lifecycle_(memory, lifecycle_options()),
      accesses_(memory, max_accesses),
      cells_(memory, max_cells),
      index_(memory, 1u << 12, max_cells * 2) {}

void SharedLocations::begin() {
  lifecycle_.begin();
  accesses_.clear();
  cells_.clear();
  index_.clear();
  truncated_ = crowded_ = false;
}

void SharedLocations::touch(std::uint32_t& list, const Event& e, Epoch epoch, AccessClass cls, std::uint8_t mask) {
  std::uint32_t mine = 0;
  std::uint32_t length = 0;
  bool shared = false;
  for (std::uint32_t i = list; i != 0; i = accesses_[i].next) {
    Access& old = accesses_[i];
    ++length;
    if (old.epoch.slot == epoch.slot && old.location == e.location && old.cls == cls) {
      mine = i;
      continue;
    }
    if ((old.mask & mask) == 0 || (!is_write(old.cls) && !is_write(cls))) continue;
    if (lifecycle_.ordered(old.epoch)) continue;
    shared = true;
    if (old.told == 0 && !is_atomic(old.cls)) {
      old.told = 1;
      sink_.on_location(old.location);
    }
  }
  if (mine == 0 && length >= kMostInCell) {
    crowded_ = true;
    if (!is_atomic(cls)) sink_.on_location(e.location);
    return;
  }
  if (mine == 0) {
    mine = accesses_.add({epoch, e.location, list, 0, cls, 0});
    if (mine == 0) {
      truncated_ = true;
      return;
    }
    list = mine;
  }
  Access& access = accesses_[mine];
  access.epoch = epoch;
  access.mask |= mask;
  if (shared && access.told == 0 && !is_atomic(cls)) {
    access.told = 1;
    sink_.on_location(e.location);
  }
}

Epoch SharedLocations::on_event(const Event& e) {
  const Epoch epoch = lifecycle_.on_event(e);
  const AccessClass cls = access_class(e);
  if (cls == AccessClass::kNone || e.object == 0 || e.kind == OpKind::kHeapFree) return epoch;
  for_each_cell(e.offset, e.size, [&](std::uint32_t offset, std::uint8_t mask) {
    const std::uint64_t key = (static_cast<std::uint64_t>(e.object) << 32) | offset;
    std::uint32_t* index = index_.claim(key);
    if (index != nullptr && *index == 0) *index = cells_.add(0);
    if (index == nullptr || *index == 0) {
      truncated_ = true;
      return;
    }
    touch(cells_[*index], e, epoch, cls, mask);
  });
  return epoch;
}

}  // namespace ravel
