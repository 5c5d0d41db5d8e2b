// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which plain accesses touch memory that another thread touches too, one of the two writing, while both are alive: the
// scheduling points of --points shared. "Alive at the same time" is asked of the program rather than of this one
// schedule: two accesses count unless creation and joining of threads alone order them. So what main did before it
// created a thread, or after it joined it, is left out, and locks make no difference. A signal handler counts as a
// thread of its own. A free is a write to every byte
// of its block, and everything that uses the block conflicts with it, locks included.
//
// All locations of a cell are kept, not only the latest: each of them is a point of its own.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "causality/causality.h"
#include "detect/access_class.h"
#include "detect/handler_threads.h"
#include "detect/racy_cells.h"
#include "model/event.h"

namespace ravel {

class LocationSink {
 public:
  virtual void on_location(LocationId location) = 0;

 protected:
  ~LocationSink() = default;
};

class SharedLocations {
 public:
  // `only`: cells other than these are passed over; null: all count.
  SharedLocations(std::pmr::memory_resource& memory, LocationSink& sink, std::uint32_t max_cells = 1u << 20,
                  std::uint32_t max_accesses = 1u << 21, const RacyCells* only = nullptr);
  SharedLocations(const SharedLocations&) = delete;
  SharedLocations& operator=(const SharedLocations&) = delete;

  void begin();
  // Yields its epoch under creation and joining.
  Epoch on_event(const Event& e);
  // Whether they order `earlier` before the last event.
  [[nodiscard]] bool ordered(Epoch earlier) const { return lifecycle_.ordered(earlier); }
  [[nodiscard]] bool truncated() const { return truncated_ || lifecycle_.exhausted(); }
  // Some cell had too many accesses to look at each pair.
  [[nodiscard]] bool crowded() const { return crowded_; }

 private:
  enum class Use : std::uint8_t { kAccess, kFree, kSync, kMutex };
  struct Access {  // the latest of this thread, location, class and use in the cell
    Epoch epoch;
    LocationId location;
    std::uint32_t next;
    std::uint8_t mask;
    AccessClass cls;
    Use use;
    bool in_handler;
    std::uint8_t told;  // the location was yielded already
  };
  struct Cell {
    std::uint32_t accesses;  // the first one
    std::uint32_t next_in_object;
  };
  struct Object {
    std::uint32_t cells;
    LocationId freed_at;  // 0: alive
    Epoch freed;
  };
  // An access of the event in hand: what it is to the cells that it touches.
  struct Touch {
    Epoch epoch;
    LocationId location;
    AccessClass cls;
    Use use;
    bool in_handler;
  };

  static bool meet(const Access& old, const Touch& touch, std::uint8_t mask);
  void touch_cell(ObjectId object, std::uint32_t offset, std::uint8_t mask, const Touch& touch);
  void touch(std::uint32_t& list, const Touch& touch, std::uint8_t mask);
  void free_object(const Event& e, Epoch epoch);
  Object* object_of(ObjectId id);

  LocationSink& sink_;
  Causality lifecycle_;
  Pool<Access> accesses_;
  Pool<Cell> cells_;
  PlaceMap index_;
  SparseArray<Object> objects_;
  const RacyCells* only_;
  HandlerThreads handlers_;
  bool truncated_ = false;
  bool crowded_ = false;
};

}  // namespace ravel
