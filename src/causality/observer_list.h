// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Several observers behind one call: each sees the classes of events that it wants. Who sleeps until a certain kind of
// event (Observer::wakes_at) is not asked before. want() says at the cost of two loads whether anybody is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "causality/observer.h"

namespace ravel {

template <std::size_t kCapacity>
class ObserverList {
  static_assert(kCapacity <= 32);

 public:
  void add(Observer& observer) {
    INVARIANT(count_ < kCapacity, "there is room for every observer");
    const Wants wants = observer.wants();
    INVARIANT((wants & kWantsClasses) != 0, "an observer wants some events");
    const std::uint32_t bit = 1u << count_;
    observers_[count_] = &observer;
    wants_[count_++] = wants;
    all_ |= wants;
    const OpKind wakes_at = observer.wakes_at();
    if (wakes_at == OpKind::kNone) {
      enter(at_begin_, wants, bit);
    } else {
      wakes_[static_cast<std::size_t>(wakes_at)] |= bit;
    }
    awake_ = at_begin_;
  }

  // Of all of them together.
  [[nodiscard]] Wants wants() const { return all_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  // `all_awake`: nobody sleeps.
  void begin(const TraceView& trace, bool all_awake = false) {
    awake_ = at_begin_;
    woken_ = 0;
    if (all_awake) wake(~std::uint32_t{0});
    for (std::uint32_t i = 0; i < count_; ++i) observers_[i]->begin(trace);
  }
  // Somebody is to see an event of this kind.
  [[nodiscard]] bool want(OpKind kind) const { return who_sees(kind) != 0; }
  void on_event(const Event& e, const Moment& at) {
    std::uint32_t who = who_sees(e.kind);
    const std::uint32_t wakes = wakes_[static_cast<std::size_t>(e.kind)] & ~woken_;
    if (__builtin_expect(static_cast<long>(wakes != 0), 0)) wake(wakes);
    for (; who != 0; who &= who - 1) observers_[std::countr_zero(who)]->on_event(e, at);
  }
  void finish(const TraceView& trace) {
    for (std::uint32_t i = 0; i < count_; ++i) observers_[i]->finish(trace);
  }
  [[nodiscard]] bool recall(std::uint64_t trace_key) {
    bool all = true;
    for (std::uint32_t i = 0; i < count_; ++i) all = observers_[i]->recall(trace_key) && all;
    return all;
  }
  void keep(std::uint64_t trace_key) {
    for (std::uint32_t i = 0; i < count_; ++i) observers_[i]->keep(trace_key);
  }
  [[nodiscard]] bool truncated() const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (observers_[i]->truncated()) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kClasses = 8;
  static_assert(static_cast<std::size_t>(OpClass::kChoice) < kClasses);
  // Bits of observers, by class of event.
  struct ByClass {
    std::uint32_t of[kClasses] = {};
  };

  static void enter(ByClass& all, Wants wants, std::uint32_t bit) {
    for (std::size_t cls = 0; cls < kClasses; ++cls) {
      if ((wants >> cls & 1) != 0) all.of[cls] |= bit;
    }
  }
  [[nodiscard]] std::uint32_t who_sees(OpKind kind) const {
    return awake_.of[static_cast<std::size_t>(op_class(kind))] | wakes_[static_cast<std::size_t>(kind)];
  }
  __attribute__((noinline)) void wake(std::uint32_t who) {
    woken_ |= who;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if ((who >> i & 1) != 0) enter(awake_, wants_[i], 1u << i);
    }
  }

  std::uint32_t count_ = 0;
  Wants all_ = 0;
  Observer* observers_[kCapacity] = {};
  Wants wants_[kCapacity] = {};
  ByClass at_begin_;  // those that never sleep
  ByClass awake_;
  std::uint32_t woken_ = 0;
  std::uint32_t wakes_[static_cast<std::size_t>(OpKind::kCount)] = {};
};

}  // namespace ravel
