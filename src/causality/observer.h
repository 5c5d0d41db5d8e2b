// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Observer: sees the events of an execution once, in order, while the program runs; in the tool and in tests, those of
// a trace. Detectors, strategies that watch events and metrics are observers. docs/observers.md says which of them sees
// what.
//
// Work is saved where nobody wants the result: wants() says what must not be left out. begin() is O(1); tables are
// bounded and taken from memory given at creation; what did not fit is said by truncated(). Never destroyed: its memory
// is scratch, or outlives the process.
#pragma once

#include <cstdint>

#include "causality/causality.h"
#include "model/event.h"
#include "model/trace_view.h"

namespace ravel {

// Where an event stands.
struct Moment {
  std::uint64_t sequence = 0;
  Epoch epoch;                // as Causality gave it for this event
  std::uint64_t operand = 0;  // TraceView::operands; 0 in hand-written traces
};

// Bits by OpClass, and above them the events that a shortcut would leave out.
using Wants = std::uint32_t;
inline constexpr Wants wanted(OpClass cls) {
  return 1u << static_cast<unsigned>(cls);
}
inline constexpr Wants kWantsClasses = (1u << 16) - 1;
static_assert(static_cast<unsigned>(OpClass::kChoice) < 16);
// Plain accesses that were no scheduling point, and that creation and joining of threads order before or after
// everything that conflicts with them, to memory that is not another thread's stack, in an execution without regions.
inline constexpr Wants kWantsQuiet = 1u << 29;
// Executions whose trace was seen before and in which nothing was found. Who is a function of the trace alone does not
// need them.
inline constexpr Wants kWantsKnown = 1u << 30;
// Plain accesses of a thread to bytes that it has accessed the same way since its last other operation, and operands.
inline constexpr Wants kWantsFiltered = 1u << 31;

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // Asked once.
  [[nodiscard]] virtual Wants wants() const { return kWantsClasses | kWantsQuiet; }
  // Asked once. Until an execution's first event of this kind, which is shown whatever its class, nothing else is: the
  // observer would do nothing. kNone: it sees everything that it wants from the beginning.
  [[nodiscard]] virtual OpKind wakes_at() const { return OpKind::kNone; }
  // Before the first event. The view stays valid until finish(). Again when the execution is run again.
  virtual void begin(const TraceView& trace) = 0;
  virtual void on_event(const Event& e, const Moment& at) = 0;
  // After the last event: the view says how the execution ended and who waits for what.
  virtual void finish(const TraceView& trace) { (void)trace; }
  // Of observers that keep what they found by trace: the execution has a trace that is known under this key. False:
  // what was found is not known, so the execution has to be looked at after all.
  [[nodiscard]] virtual bool recall(std::uint64_t trace_key) {
    (void)trace_key;
    return true;
  }
  // After finish(): the trace will be known under this key.
  virtual void keep(std::uint64_t trace_key) { (void)trace_key; }
  // Something could not be looked at: silence means nothing.
  [[nodiscard]] virtual bool truncated() const { return false; }

 protected:
  ~Observer() = default;
};

}  // namespace ravel
