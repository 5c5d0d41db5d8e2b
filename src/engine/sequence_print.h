// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SequencePrint: a hash over the SYN-sequence of an execution: of each object who completed in which order, and what
// was chosen; what ends by time-out follows from that. Equal for executions that differ only in the order of operations
// on different objects. Threads and objects go by names that last (model/sequence.h), so that it is the same in every
// process.
//
// Scratch: one fixed table, emptied in O(1) by the number of the execution.
#pragma once

#include <bit>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/hash.h"
#include "model/sequence.h"
#include "model/trace_view.h"

namespace ravel {

class SequencePrint {
 public:
  explicit SequencePrint(std::pmr::memory_resource& memory)
      : slots_(static_cast<Slot*>(memory.allocate(sizeof(Slot) * kSlots, alignof(Slot)))),
        names_(static_cast<Name*>(memory.allocate(sizeof(Name) * kThreads, alignof(Name)))) {
    for (std::uint32_t i = 0; i < kSlots; ++i) slots_[i] = {};
    for (std::uint32_t i = 0; i < kThreads; ++i) names_[i] = {};
  }

  void begin(const TraceView& trace) {
    threads_ = trace.threads;
    objects_ = trace.objects;
    ++run_;
    used_ = 0;
    last_ = nullptr;
    overflow_ = false;
  }

  // Events that are no part of a sequence change nothing.
  void add(const Event& e) {
    if (e.kind == OpKind::kChoice) return fold(kChoices | e.thread.number(), e.value + 1);
    if (!is_sequence_event(e.kind) || is_withdrawn(e.bits)) return;
    std::uint64_t who = 0;
    if (completes_nothing(e)) return;
    if (e.kind == OpKind::kSelect) {
      who = place_name_in(threads_, objects_, e.value);
    } else if (e.kind == OpKind::kDeliver) {
      who = message_name(name_of(sender_of(e.value)), static_cast<std::uint32_t>(e.value));
    } else {
      who = name_of(e.thread) + (e.failed() ? 1 : 0);
    }
    if (e.kind == OpKind::kCondSignal && e.value != kNoThread) {
      who = hash_combine(who, name_of(static_cast<std::uint32_t>(e.value)));
    }
    fold(sequence_place(e.kind, place_of(e), e.value), who);
  }

  // Behind the last event. 0: there were more objects than it has room for.
  [[nodiscard]] std::uint64_t value() const {
    if (overflow_) return 0;
    std::uint64_t sum = kStart;
    for (std::uint32_t i = 0; i < used_; ++i) {
      const Slot& slot = slots_[list_[i]];
      const bool choices = (slot.place & kChoices) == kChoices;
      const LastingName object = choices ? thread_name_in(threads_, static_cast<std::uint32_t>(slot.place))
                                         : place_name_in(threads_, objects_, slot.place);
      sum += mix64(hash_combine(object, slot.state));
    }
    return sum == 0 ? 1 : sum;
  }

 private:
  static constexpr std::uint32_t kSlots = 1u << 11;
  static constexpr std::uint32_t kMostObjects = kSlots / 2;
  static constexpr std::uint32_t kThreads = 256;                              // further names are computed each time
  static constexpr std::uint64_t kChoices = std::uint64_t{0xffffffff} << 32;  // no object has this number
  static constexpr std::uint64_t kStart = 0x53594e2d73657175ull;

  struct Slot {
    std::uint64_t place = 0;
    std::uint64_t state = 0;
    std::uint64_t run = 0;  // of another execution: free
  };
  struct Name {
    LastingName name = 0;
    std::uint64_t run = 0;
  };

  LastingName name_of(ThreadIndex thread) {
    if (thread >= kThreads) return thread_name_in(threads_, thread);
    Name& known = names_[thread];
    if (known.run != run_) known = {thread_name_in(threads_, thread), run_};
    return known.name;
  }
  // A thread mostly uses the object again that was used last. Words are hashes already: to keep their order is enough.
  void fold(std::uint64_t place, std::uint64_t word) {
    if (last_ == nullptr || last_->place != place) last_ = slot_of(place);
    if (last_ != nullptr) last_->state = (std::rotl(last_->state, 5) ^ word) * 0x9e3779b97f4a7c15ull;
  }
  Slot* slot_of(std::uint64_t place) {
    std::uint32_t at = static_cast<std::uint32_t>(mix64(place)) % kSlots;
    while (slots_[at].run == run_ && slots_[at].place != place) at = (at + 1) % kSlots;
    Slot& slot = slots_[at];
    if (slot.run == run_) return &slot;
    if (used_ == kMostObjects) {
      overflow_ = true;
      return nullptr;
    }
    slot = {place, kStart, run_};
    list_[used_++] = static_cast<std::uint16_t>(at);
    return &slot;
  }

  std::span<const ThreadRecord> threads_{};
  std::span<const ObjectRecord> objects_{};
  Slot* slots_;
  Name* names_;
  std::uint16_t list_[kMostObjects];
  std::uint32_t used_ = 0;
  Slot* last_ = nullptr;
  std::uint64_t run_ = 0;
  bool overflow_ = false;
};

}  // namespace ravel
