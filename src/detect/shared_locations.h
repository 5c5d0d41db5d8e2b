// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which plain accesses touch memory that another thread touches too, one of the two writing, while both are alive: the
// scheduling points of --points shared. "Alive at the same time" is asked of the program rather than of this one
// schedule: two accesses count unless creation and joining of threads alone order them. So what main did before it
// created a thread, or after it joined it, is left out, and locks make no difference.
//
// All locations of a cell are kept, not only the latest: each of them is a point of its own.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "causality/causality.h"
#include "detect/access_class.h"
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
  SharedLocations(std::pmr::memory_resource& memory, LocationSink& sink, std::uint32_t max_cells = 1u << 20,
                  std::uint32_t max_accesses = 1u << 21);
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
  struct Access {  // the latest of this thread, location and class in the cell
    Epoch epoch;
    LocationId location;
    std::uint32_t next;
    std::uint8_t mask;
    AccessClass cls;
    std::uint8_t told;  // the location was yielded already
  };

  void touch(std::uint32_t& list, const Event& e, Epoch epoch, AccessClass cls, std::uint8_t mask);

  LocationSink& sink_;
  Causality lifecycle_;
  Pool<Access> accesses_;
  Pool<std::uint32_t> cells_;  // first access
  PlaceMap index_;
  bool truncated_ = false;
  bool crowded_ = false;
};

}  // namespace ravel
