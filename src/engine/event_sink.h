// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The engine sees an execution as a stream of events that may be far longer than memory: chunks arrive in order while
// the program runs. Executor is how one plan is run (fork, later rollback and repeat: isolate/); the engine does not
// know which.
#pragma once

#include <cstdint>
#include <span>

#include "model/event.h"

namespace ravel {

class EventSink {
 public:
  // `first` is the sequence number of events[0].
  virtual void consume(std::span<const Event> events, std::uint64_t first) = 0;

 protected:
  ~EventSink() = default;
};

class Executor {
 public:
  // Runs SharedBlock::plan with its prefix. On return all events went to the sink and SharedBlock::result is complete,
  // also when the program crashed, hung or was killed.
  virtual void execute(EventSink& sink) = 0;
  // The engine waits for other processes at the same search; this is the n-th time in a row. By default it asks again
  // at once.
  virtual void pause(std::uint32_t round) { (void)round; }

 protected:
  ~Executor() = default;
};

}  // namespace ravel
