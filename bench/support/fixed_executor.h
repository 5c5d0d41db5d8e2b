// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An executor that has no program: it yields the events and the schedule of a tiny one, the same each time, as fast as
// they can be copied. What a campaign costs with it is the engine's own cost.
#pragma once

#include <vector>

#include "engine/event_sink.h"
#include "wire/shared_block.h"

namespace ravel::bench {

// Two threads, three relaxed atomic accesses each, created and joined by main.
std::vector<Event> tiny_trace();

// A zeroed block that costs only what is touched; never given back.
SharedBlock& new_block();

class FixedExecutor final : public Executor {
 public:
  FixedExecutor(SharedBlock& block, std::vector<Event> events) : block_(block), events_(std::move(events)) {}
  void execute(EventSink& sink) override;

 private:
  SharedBlock& block_;
  std::vector<Event> events_;
};

}  // namespace ravel::bench
