// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of files in a trace: a word for each file, and one more for its ranges. A call is an atomic access that counts
// the changes of who has what, and who has to wait does so for another count.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "model/library_objects.h"
#include "semantics/record_locks.h"

namespace ravel::rt {

// Files by the order in which their locks were first asked for; the last number is shared by all that find no room.
// kFileLocks: not an open descriptor.
unsigned file_behind(int descriptor);

inline constexpr unsigned kLocksFollowed = 256;
using FileLocks = RecordLocks<kLocksFollowed>;
extern FileLocks g_whole_locks;   // flock
extern FileLocks g_record_locks;  // fcntl, lockf

class LockWord {
 public:
  LockWord(std::uint32_t& word, int order, LocationId location) : word_(word), order_(order), location_(location) {}
  static LockWord of_whole(unsigned file, LocationId location);
  static LockWord of_records(unsigned file, int order, LocationId location);

  // The point before a call; the word's value at that time.
  std::uint32_t pass_point(bool cancellable = false) const;
  // The event behind it, in the same step.
  void record(bool changes) const;
  // A point and an event for a change that has no call of its own.
  void change() const {
    (void)pass_point();
    record(true);
  }
  void look() const;
  void wake_all() const;
  // Until the count is another one, or a handler ran that interrupts system calls: -EINTR.
  [[nodiscard]] long wait(std::uint32_t seen, bool cancellable) const;

 private:
  std::uint32_t& word_;
  int order_;
  LocationId location_;
};

}  // namespace ravel::rt
