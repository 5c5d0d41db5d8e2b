// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// For each byte, the last access of every thread and class (plain or atomic, read or write), without forgetting any:
// what FastTrack shortens, for detectors that ask other questions of the pairs. Kept in 8-byte cells with byte masks; a
// free is a write to all bytes of the object. Bounded: what does not fit is not kept, and truncated() says so.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "causality/causality.h"
#include "detect/access_class.h"
#include "model/event.h"
#include "model/execution.h"

namespace ravel {

struct PastAccess {
  Event event;
  std::uint64_t sequence = 0;
  Epoch epoch;
  std::uint32_t mark = 0;  // the detector's own
  std::uint32_t mark2 = 0;
  std::uint32_t next = 0;
  std::uint8_t mask = 0;
  AccessClass cls = AccessClass::kNone;
};

class AccessHistory {
 public:
  AccessHistory(std::pmr::memory_resource& memory, std::uint32_t max_cells, std::uint32_t max_accesses)
      : index_(memory, 1u << 10, max_cells * 2),
        cells_(memory, max_cells),
        accesses_(memory, max_accesses),
        objects_(memory, kMaxTrackedObjects) {}
  AccessHistory(const AccessHistory&) = delete;
  AccessHistory& operator=(const AccessHistory&) = delete;

  void begin() {
    index_.clear();
    cells_.clear();
    accesses_.clear();
    objects_.clear();
    truncated_ = false;
  }
  [[nodiscard]] bool truncated() const { return truncated_; }

  // Calls visit(old) for each kept access of another thread to a byte of `now`, then keeps `now`. now.cls says what it
  // is, now.mask is filled in.
  template <class Visit>
  void access(PastAccess now, Visit&& visit) {
    if (now.event.kind == OpKind::kHeapFree) {
      free_object(now, visit);
      return;
    }
    for_each_cell(now.event.offset, now.event.size, [&](std::uint32_t offset, std::uint8_t mask) {
      Cell* cell = cell_at(now.event.object, offset);
      if (cell == nullptr) return;
      now.mask = mask;
      look_and_keep(*cell, now, visit);
    });
  }

 private:
  static constexpr std::uint32_t kMaxTrackedObjects = 1u << 18;
  struct Cell {
    std::uint32_t accesses;
    std::uint32_t next_in_object;
  };
  struct Object {
    std::uint32_t cells;
    std::uint32_t freed;  // access, 0: alive
  };

  template <class Visit>
  void look_and_keep(Cell& cell, const PastAccess& now, Visit&& visit) {
    std::uint32_t* link = &cell.accesses;
    while (*link != 0) {
      const std::uint32_t number = *link;
      PastAccess& old = accesses_[number];
      const auto common = static_cast<std::uint8_t>(old.mask & now.mask);
      if (common != 0 && old.event.thread != now.event.thread) visit(static_cast<const PastAccess&>(old));
      if (common != 0 && old.event.thread == now.event.thread && old.cls == now.cls) {
        old.mask = static_cast<std::uint8_t>(old.mask & ~now.mask);
        if (old.mask == 0) {
          *link = old.next;
          accesses_.remove(number);
          continue;
        }
      }
      link = &old.next;
    }
    const std::uint32_t kept = keep(now, cell.accesses);
    if (kept != 0) cell.accesses = kept;
  }

  template <class Visit>
  void free_object(PastAccess now, Visit&& visit) {
    Object* object = object_at(now.event.object);
    if (object == nullptr) return;
    now.mask = 0xff;
    for (std::uint32_t cell = object->cells; cell != 0; cell = cells_[cell].next_in_object) {
      look_and_keep(cells_[cell], now, visit);
    }
    object->freed = keep(now, 0);
  }

  std::uint32_t keep(PastAccess access, std::uint32_t next) {
    access.next = next;
    const std::uint32_t number = accesses_.add(access);
    if (number == 0) truncated_ = true;
    return number;
  }

  Object* object_at(ObjectId id) {
    Object* object = objects_.find(id);
    if (object == nullptr && id < objects_.capacity()) object = &objects_.insert(id, Object{});
    if (object == nullptr) truncated_ = true;
    return object;
  }

  Cell* cell_at(ObjectId id, std::uint32_t offset) {
    std::uint32_t* number = index_.claim((std::uint64_t{id} << 32) | offset);
    if (number == nullptr) {
      truncated_ = true;
      return nullptr;
    }
    if (*number != 0) return &cells_[*number];
    Object* object = object_at(id);
    if (object == nullptr) return nullptr;
    Cell fresh{0, object->cells};
    if (object->freed != 0) fresh.accesses = keep(accesses_[object->freed], 0);
    *number = cells_.add(fresh);
    if (*number == 0) {
      truncated_ = true;
      return nullptr;
    }
    object->cells = *number;
    return &cells_[*number];
  }

  PlaceMap index_;
  Pool<Cell> cells_;
  Pool<PastAccess> accesses_;
  SparseArray<Object> objects_;
  bool truncated_ = false;
};

}  // namespace ravel
