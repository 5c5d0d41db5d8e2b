// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns: a schedule by who runs how far, instead of by decisions. A turn says "this thread, until it has done so many
// events in all". That still means something when turns are moved, merged or left out, or when there are more
// scheduling points than before; a list of decisions would not fit any more.
//
// Turns are followed leniently: at each decision the first unfinished turn whose thread can run has it. Nobody computes
// the decisions beforehand: an execution is run, the first decision that departs from the turns is corrected, and so on
// until none does. Few executions, since threads run on by themselves.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "explore/event_log.h"
#include "explore/strategy.h"

namespace ravel {

struct Turn {
  ThreadIndex thread = 0;
  std::uint32_t until = 0;   // events of the thread, in all
  std::uint32_t start = 0;   // decisions before its first event
  std::uint32_t broken = 0;  // the thread could have gone on and did not
};

inline constexpr std::uint32_t kMaxTurns = 1u << 16;
inline constexpr std::uint32_t kMaxTurnThreads = 4096;

struct Departure {
  enum class Kind : std::uint8_t { kNone, kFound, kLost };  // kLost: events and decisions do not belong together
  Kind kind = Kind::kNone;
  std::uint32_t decision = 0;
  std::uint32_t wish = 0;
};

class TurnTable {
 public:
  explicit TurnTable(std::pmr::memory_resource& memory)
      : done_(static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * kMaxTurnThreads))) {}

  // Of the execution that `log` has seen. 0: too long, or lost.
  std::uint32_t write(const Execution& execution, const EventLog& log, std::span<Turn> out);
  // Where the execution did otherwise than `turns` say. `data` are the wished alternatives of data choices, in order.
  Departure departure(const Execution& execution, const EventLog& log, std::span<const Turn> turns,
                      std::span<const std::uint32_t> data);

 private:
  bool reset(const ExecutionResult& result);

  std::uint32_t* done_;  // events of each thread so far
};

// Preemptions among the first `count` decisions.
std::uint32_t preemptions_in(std::span<const DecisionRecord> decisions, std::uint32_t count);
// Whether taking `choice` there is one.
inline bool preempts(const DecisionRecord& decision, std::uint32_t choice) {
  return (choice & kDataChoice) == 0 && decision.current != kNoThread && choice != decision.current;
}

}  // namespace ravel
