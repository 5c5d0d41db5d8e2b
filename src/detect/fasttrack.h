// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Data races by happens-before: Flanagan, Freund, "FastTrack: efficient and precise dynamic race detection", PLDI 2009.
// A race is reported on a byte exactly when the trace has one there, at the first event that completes one.
//
// Departures: (1) memory is cut into 8-byte cells whose records carry byte masks, so that accesses of mixed size and
// alignment are exact; (2) atomic accesses are a third and fourth class that race with plain ones but never with each
// other, so a byte may have several last writers; (3) instead of switching between an epoch and a read vector, a cell
// holds the list of accesses not yet replaced by a later one, almost always one or two, and at most one for each thread
// and class; (4) a free is a write to all bytes of the object, after which its cells are given back.
//
// Cells lie side by side in lines of 64 bytes of an object, each with the latest access to it; only what is kept beside
// that one stands elsewhere. The first line of an object needs no search, so a small block of the heap has none.
//
// Memory is bounded: when a table is full, truncated() is set and accesses to further cells are not looked at.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/place_map.h"
#include "base/pool.h"
#include "causality/causality.h"
#include "detect/access_class.h"
#include "model/event.h"
#include "model/execution.h"

namespace ravel {

class RaceSink {
 public:
  // Bytes: those of `mask` (bit 0 is the lowest) in the cell at `cell` of the object. first.value is not kept.
  virtual void on_race(const RaceRecord& race, std::uint32_t cell, std::uint8_t mask) = 0;
  // Nothing orders a free and an operation on a lock or the like in that block. Not called a race: what synchronises
  // may be done with the memory before it says so (a thread that leaves a barrier).
  virtual void on_unordered_free(const Event&) {}

 protected:
  ~RaceSink() = default;
};

struct FastTrackLimits {
  std::uint32_t lines = 1u << 20;
  std::uint32_t accesses = 1u << 20;
  std::uint32_t objects = kMaxObjects;
};

class FastTrack {
 public:
  FastTrack(std::pmr::memory_resource& memory, Causality& causality, RaceSink& sink,
            const FastTrackLimits& limits = {});
  ~FastTrack() { memory_.deallocate(cells_, cell_bytes_, 64); }
  FastTrack(const FastTrack&) = delete;
  FastTrack& operator=(const FastTrack&) = delete;

  // `at_length`: on_access() takes no quick way.
  void begin(bool at_length = false);
  // `epoch` is what Causality::on_event gave for this event.
  void on_event(const Event& e, std::uint64_t sequence, Epoch epoch) {
    if (e.kind == OpKind::kHeapFree) return access(e, sequence, epoch);
    on_access(e, sequence, epoch);
  }
  // The same for plain and atomic accesses alone, at once in the usual case: one cell of a line that was looked for
  // lately, in which this thread did the same before, or nothing is kept but the latest access, by the same bytes, and
  // that is replaced by this one.
  void on_access(const Event& e, std::uint64_t sequence, Epoch epoch);
  // The same for what moves_mutex(): it races with plain accesses to the mutex.
  void move_mutex(const Event& e, std::uint64_t sequence, Epoch epoch);
  // The tables are larger than what the processor keeps near it: expect() pays.
  [[nodiscard]] bool is_large() const { return lines_.live() > kManyLines; }
  // Events that follow the one at `at`, which are on their way: what they need is fetched.
  void expect(std::span<const Event> events, std::size_t at);
  // An operation on a lock or the like in a heap block. Causality::use() came before Causality::on_event().
  void use(ObjectId object, Epoch epoch);
  // Something could not be looked at: "no race" is not known.
  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  static constexpr unsigned kSlotBits = 24;
  static constexpr unsigned kNextBits = 24;
  static constexpr unsigned kCells = 8;  // of a line
  static constexpr unsigned kLineShift = 6;
  static constexpr std::uint32_t kManyLines = 2048;
  static constexpr std::uint32_t kRecent = 8;
  // Two words of the event as they are, and two of its own.
  struct alignas(32) Access {
    OpKind kind;
    std::uint8_t bits;
    std::uint16_t size;
    ThreadIndex thread;
    LocationId location;
    ContextId context;
    std::uint32_t slot : kSlotBits;
    std::int32_t start : 8;  // of the access, relative to the cell
    Tick tick;
    std::uint32_t next : kNextBits;  // of those kept beside the latest
    std::uint32_t mask : 8;
    std::uint32_t sequence;
  };
  static_assert(sizeof(Access) == 32);
  // Read and written as a whole: a record in parts would have to reach the cache before the next event can read it.
  struct AccessWords {
    std::uint64_t what, where, when, rest;
  };
  // Its cells are elsewhere, under the same number.
  struct Line {
    std::uint32_t next_in_object;
    std::uint32_t number;  // of the line in its object
    std::uint32_t used;    // bits of cells that have an access
  };
  // A line that was looked for lately.
  struct RecentLine {
    std::uint64_t key = ~std::uint64_t{0};  // object and number; else none
    Line* line = nullptr;
    Access* cells = nullptr;
  };
  struct Object {
    std::uint32_t first;  // line 0
    std::uint32_t lines;
    std::uint32_t freed;  // the access that freed it, 0: alive
    std::uint32_t uses;   // of locks and the like in it
  };
  // Where an access goes.
  struct Spot {
    std::uint32_t offset;  // of the cell
    std::uint8_t mask;
  };
  // An access on its way.
  struct Arrival {
    const Event& event;
    std::uint64_t sequence;
    Epoch epoch;
    AccessClass cls;
  };
  struct Use {  // the latest of its thread
    Epoch epoch;
    std::uint32_t next;
  };

  void access(const Event& e, std::uint64_t sequence, Epoch epoch);
  void access_known_line(const Event& e, std::uint64_t sequence, Epoch epoch, const RecentLine& at);
  void free_object(const Arrival& now);
  void access_cell(const Arrival& now, Spot spot);
  Object* object_at(ObjectId id);
  RecentLine line_at(ObjectId object, std::uint32_t number);
  static std::uint64_t key_of(ObjectId object, std::uint32_t number) { return std::uint64_t{object} << 32 | number; }
  RecentLine& recent_of(ObjectId object, std::uint32_t number) {
    return recent_[(std::uint32_t{object} + number) % kRecent];
  }
  std::uint32_t find_line(ObjectId object, std::uint32_t number);
  std::uint32_t new_line(Object& object, std::uint32_t number);
  static const std::uint64_t* words_of_event(const Event& e) { return reinterpret_cast<const std::uint64_t*>(&e); }
  static AccessWords words_of(const Arrival& now, Spot spot, std::uint32_t next);
  static AccessWords words_in(const Access& access);
  static void put(Access& access, AccessWords words);
  static void move(Access& to, const Access& from);
  [[nodiscard]] bool is_before(const Access& old, const Arrival& now) const {
    return old.slot == now.epoch.slot || causality_.ordered({old.slot, old.tick});
  }
  bool touch_alike(Access& last, const Arrival& now, Spot spot);
  bool take_turn(Access& last, const Arrival& now, std::uint64_t when, Spot spot);
  Access& cell_of(std::uint32_t line, std::uint32_t number) { return cells_[std::size_t{line} * kCells + number]; }
  void touch(RecentLine at, const Arrival& now, Spot spot);
  void free_cell(Access& cell, const Arrival& now, std::uint32_t offset);
  bool begin_cell(Access& cell, ObjectId object);
  bool check_against(Access& cell, const Arrival& now, Spot spot);
  bool check_one(Access& old, const Arrival& now, Spot spot);
  void report(const Access& first, const Arrival& now, Spot spot);

  Causality& causality_;
  RaceSink& sink_;
  std::pmr::memory_resource& memory_;
  Pool<Access> accesses_;  // beside the latest of their cells; those that freed an object
  Pool<Line> lines_;
  std::size_t cell_bytes_;
  Access* cells_;       // of all lines
  NearPlaceMap index_;  // of lines other than the first
  SparseArray<Object> objects_;
  Pool<Use> uses_;
  std::array<RecentLine, kRecent> recent_ = {};
  bool at_length_ = false;
  bool truncated_ = false;
};

// Word by word: the compiler would go by way of two at a time, which are not to be had until both have been written.
inline void FastTrack::put(Access& access, AccessWords words) {
  static_assert(std::endian::native == std::endian::little);
  asm("" : "+r"(words.what), "+r"(words.where), "+r"(words.when), "+r"(words.rest));
  std::uint64_t* const to = reinterpret_cast<std::uint64_t*>(&access);
  to[0] = words.what;
  to[1] = words.where;
  to[2] = words.when;
  to[3] = words.rest;
}

inline FastTrack::AccessWords FastTrack::words_in(const Access& access) {
  const std::uint64_t* const words = reinterpret_cast<const std::uint64_t*>(&access);
  return {words[0], words[1], words[2], words[3]};
}

// The fields of Access, in their order.
inline FastTrack::AccessWords FastTrack::words_of(const Arrival& now, Spot spot, std::uint32_t next) {
  static_assert(offsetof(Event, kind) == offsetof(Access, kind) && offsetof(Event, bits) == offsetof(Access, bits) &&
                offsetof(Event, size) == offsetof(Access, size) &&
                offsetof(Event, thread) == offsetof(Access, thread) && offsetof(Event, location) == 16 &&
                offsetof(Event, context) == 20);
  const std::uint64_t* const event = words_of_event(now.event);
  const std::int64_t start = static_cast<std::int64_t>(now.event.offset) - spot.offset;
  const std::uint32_t start_byte = static_cast<std::uint8_t>(start < -128 ? -128 : start);
  return {event[0], event[2], now.epoch.slot | start_byte << kSlotBits | std::uint64_t{now.epoch.tick} << 32,
          next | std::uint32_t{spot.mask} << kNextBits | now.sequence << 32};
}

inline void FastTrack::expect(std::span<const Event> events, std::size_t at) {
  constexpr std::size_t kSoon = 6;
  constexpr std::size_t kLater = 12;
  if (at + kLater >= events.size()) return;
  objects_.prefetch(events[at + kLater].object);
  const Event& soon = events[at + kSoon];
  if (soon.offset >> kLineShift != 0) return;
  const Object* const object = objects_.find(soon.object);
  if (object == nullptr || object->first == 0) return;
  const Access* const cells = &cell_of(object->first, 0);
  __builtin_prefetch(cells + (soon.offset >> 3), 1);
  if (soon.kind == OpKind::kHeapFree) __builtin_prefetch(cells + kCells / 2, 1);
}

}  // namespace ravel
