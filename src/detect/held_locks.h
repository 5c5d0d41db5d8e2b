// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which locks each thread holds: mutexes and both sides of reader-writer locks, in the order they were taken, with the
// event that took them. A condition wait gives its mutex back until it ends. Bounded: a thread that holds more than
// kMost locks at once loses sight of the innermost ones, and complete() says so.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/pool.h"
#include "model/event.h"

namespace ravel {

struct LockHold {
  std::uint64_t place = 0;
  Event taken;
  std::uint64_t sequence = 0;
  std::uint32_t depth = 1;  // recursive locks
  bool shared = false;      // read side
};

class HeldLocks {
 public:
  static constexpr std::uint32_t kMost = 12;
  HeldLocks(std::pmr::memory_resource& memory, std::uint32_t max_threads, std::uint32_t max_records = 1u << 12)
      : threads_(memory, max_threads), records_(memory, max_records) {}
  HeldLocks(const HeldLocks&) = delete;
  HeldLocks& operator=(const HeldLocks&) = delete;

  void begin();
  void on_event(const Event& e, std::uint64_t sequence) {
    if (op_class(e.kind) == OpClass::kSync) sync_event(e, sequence);
  }
  // What the thread holds now, outermost first.
  [[nodiscard]] std::span<const LockHold> of(ThreadIndex thread) const;
  [[nodiscard]] bool holds(ThreadIndex thread, std::uint64_t place) const;
  // The lock that the last event took, if it took one that was not held before by its thread.
  [[nodiscard]] const LockHold* just_taken() const { return taken_; }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  struct Record {
    std::uint32_t count = 0;
    LockHold lock[kMost];
  };
  [[nodiscard]] Record* record_of(ThreadIndex thread);
  void sync_event(const Event& e, std::uint64_t sequence);
  void take(const Event& e, std::uint64_t place, std::uint64_t sequence, bool shared);
  void give(ThreadIndex thread, std::uint64_t place, bool all);

  mutable SparseArray<std::uint32_t> threads_;
  Pool<Record> records_;
  const LockHold* taken_ = nullptr;
  bool complete_ = true;
};

}  // namespace ravel
