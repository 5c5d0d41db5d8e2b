// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What threads look at before they wait on a condition variable, and who wrote it last. The look of a wait is what its
// thread has read since it took its first lock or woke up; only memory that another thread wrote at some time counts,
// which is known at the end. Bounded: a thread that reads more than kMost places under locks is not judged.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/held_locks.h"
#include "model/event.h"

namespace ravel {

class WaitLooks {
 public:
  static constexpr std::uint32_t kMost = 64;

  struct Write {  // the last one to a byte
    Event event;
    std::uint64_t sequence;
    ThreadIndex other;  // a thread that wrote before and is not event.thread; kNoThread: none
  };
  struct Look {
    std::uint64_t place;
    std::uint32_t size;
    std::uint64_t sequence;  // of the last read
  };
  struct Wait {
    Event event;             // kCondWait; kNone: the thread does not wait
    std::uint64_t sequence;  // of the wait
    std::uint32_t count;     // of looks
    bool all_known;
    Look look[kMost];
  };

  WaitLooks(std::pmr::memory_resource& memory, const HeldLocks& locks);

  void begin();
  void on_event(const Event& e, std::uint64_t sequence);

  // The present look of a thread, and what it waits on; nullptr: it neither waited nor read under a lock.
  [[nodiscard]] const Wait* of(ThreadIndex thread);
  // The last write to any byte of it; nullptr: nobody wrote it.
  [[nodiscard]] const Write* last_write(const Look& look) const;
  // Some thread but this one wrote it.
  [[nodiscard]] bool written_by_others(const Look& look, ThreadIndex thread) const;
  // Whether the wait looked at anything that others write.
  [[nodiscard]] bool has_predicate(const Wait& wait) const;
  // Something was not looked at: what is said about writes may be wrong.
  [[nodiscard]] bool truncated() const { return truncated_; }

  static bool reads(const Event& e);
  static bool overlaps(const Look& look, const Event& e);

 private:
  static constexpr std::uint32_t kMaxThreadsSeen = 1u << 18;
  static constexpr std::uint32_t kMaxWaits = 1u << 12;
  static constexpr std::uint32_t kMaxBytes = 1u << 12;  // of one access

  [[nodiscard]] bool takes_first_lock(const Event& e) const;
  void look_at(const Event& e, std::uint64_t sequence);
  void write(const Event& e, std::uint64_t sequence);
  Wait* make(ThreadIndex thread);

  const HeldLocks& locks_;
  SparseArray<std::uint32_t> threads_;
  Pool<Wait> waits_;
  PlaceMap bytes_;
  Pool<Write> writes_;
  bool truncated_ = false;
};

}  // namespace ravel
