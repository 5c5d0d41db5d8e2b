// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Windows of atomic objects: a thread reads an object and then writes it, and another thread has a write that would
// make the value stale if it came in between (of the unserialisable triples of Lu, Tucek, Qin, Zhou, "AVIO: detecting
// atomicity violations via access interleaving invariants", ASPLOS 2006, the one that loses an update). No race names
// them, for atomic accesses do not race, and each access is right by itself. A compare-exchange closes its own window
// but not that of the thread whose store it precedes, nor does it notice a value that came back. Parking gets both
// places, that of the write between and that of the write behind: who arrives first waits for the other one.
//
// Scans one execution; the write between may be anywhere in it. Bounded: objects, uses and threads that find no room
// are left out.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/event_scan.h"
#include "explore/strategy.h"

namespace ravel {

class AtomicWindows {
 public:
  explicit AtomicWindows(std::pmr::memory_resource& memory);

  // visit(PlacePair{write between, write behind}). A pair may come more than once.
  template <class Visit>
  void scan(const TraceView& trace, Visit&& visit) {
    collect(trace);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Object& object = objects_[i];
      for (std::uint32_t a = 0; a < object.writes; ++a) {
        for (std::uint32_t b = 0; b < object.writes; ++b) {
          const Write& between = object.write[a];
          const Write& behind = object.write[b];
          if (behind.after_read && between.thread != behind.thread) visit(PlacePair{between.at, behind.at});
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kMostObjects = 64;
  static constexpr std::uint32_t kMostWrites = 16;
  static constexpr std::uint32_t kMostThreads = 8;

  struct Write {
    LocationId at = 0;
    ThreadIndex thread = 0;
    bool after_read = false;  // the same thread's last use of the object was a read
  };
  struct LastUse {
    ThreadIndex thread = 0;
    bool read = false;
  };
  struct Object {
    std::uint64_t place = 0;
    std::uint32_t writes = 0;
    std::uint32_t threads = 0;
    Write write[kMostWrites];
    LastUse last[kMostThreads];
  };

  void collect(const TraceView& trace);
  Object* object_at(std::uint64_t place);
  static void add(Object& object, const Event& event);

  Object* objects_;  // scratch
  std::uint32_t count_ = 0;
};

}  // namespace ravel
