// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Why threads wait for ever, in executions that ended in a deadlock: a thread wants a lock that it holds itself; a lock
// whose holder has ended; a lock whose state was copied while it was held; a lock that is held by a thread which waits
// for a signal in the meantime (nested monitor); or a signal that nobody ever sends, because the threads that could
// have ended: by an exception, if one of them had thrown.
//
// All of it is read off the end of the execution, so each is a fact and not a guess. The copied lock is recognised by
// the place where it was taken, which is part of its state: the holder took another lock there, and never this one.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "detect/detector.h"

namespace ravel {

class Blocked final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{t0} wants {o0} ({p0}), which it holds already since {p1}: a normal mutex is not recursive",
      "{t0} waits for {o0} ({p0}), which {t1} took at {p1} and still held when it ended",
      "{t0} waits for {o0} ({p0}), which says that {t1} holds it; but {t1} took {o1} ({p1}): a copy of a locked mutex",
      "{t0} waits for {o0} ({p0}) while it holds {o1} ({p1}), which {t2} wants first ({p2}): nested monitors",
      "{t0} waits at {p0} for {o0}, which nobody ever signalled; threads that have ended: {n}, {t1} the last of them",
      "{t1} threw {o1} ({p1}) and ended; {t0} waits at {p0} for {o0}, which nobody ever signalled",
  };
  enum Variant : std::uint8_t { kOwnLock, kHolderEnded, kCopied, kNestedMonitor, kOrphaned, kOrphanedByThrow };

  Blocked(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxTaken = 1u << 13;
  static constexpr std::uint32_t kMaxEnds = 1u << 12;
  static constexpr std::uint32_t kMaxWakers = 1u << 12;
  static constexpr std::uint32_t kMaxThrows = 1u << 8;

  void wants_lock(const WaitingRecord& waiting);
  void wants_signal(const WaitingRecord& waiting, const ExecutionResult& result);
  [[nodiscard]] const RoleRecord* throw_of_ended() const;
  [[nodiscard]] const RoleRecord* end_of(ThreadIndex thread) const;
  [[nodiscard]] RoleRecord wish_of(const WaitingRecord& waiting) const;
  void report(Variant variant, const RoleRecord* roles, std::uint8_t count, std::uint32_t number = 0);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  RoleRecord* taken_;      // locks taken, each place, thread and location once
  RoleRecord* ends_;       // of threads
  std::uint64_t* wakers_;  // places that were signalled, posted or woken
  std::uint32_t taken_count_ = 0;
  std::uint32_t end_count_ = 0;
  RoleRecord* throws_;  // the last ones, in a circle
  std::uint32_t waker_count_ = 0;
  std::uint32_t throw_count_ = 0;  // of all
  std::uint64_t events_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
