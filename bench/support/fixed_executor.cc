// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/fixed_executor.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace ravel::bench {
namespace {

Event make(OpKind kind, ThreadIndex thread, std::uint32_t offset, LocationId location, std::uint64_t value = 0) {
  Event e;
  e.kind = kind;
  e.thread = thread;
  e.location = location;
  e.value = value;
  if (offset != 0) {
    e.object = 1;
    e.offset = offset;
    e.size = 4;
  }
  return e;
}

}  // namespace

std::vector<Event> tiny_trace() {
  std::vector<Event> events;
  for (ThreadIndex t : {1u, 2u}) events.push_back(make(OpKind::kThreadCreate, 0, 0, 10, t));
  for (ThreadIndex t : {1u, 2u}) {
    events.push_back(make(OpKind::kThreadStart, t, 0, 11));
    events.push_back(make(OpKind::kAtomicRmw, t, 64, 12));
    events.push_back(make(OpKind::kAtomicRmw, t, 72, 13));
    events.push_back(make(OpKind::kAtomicLoad, t, 64, 14));
    events.push_back(make(OpKind::kThreadEnd, t, 0, 15));
  }
  for (ThreadIndex t : {1u, 2u}) events.push_back(make(OpKind::kThreadJoin, 0, 0, 16, t));
  events.push_back(make(OpKind::kExit, 0, 0, 17));
  return events;
}

SharedBlock& new_block() {
  void* memory =
      mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return *static_cast<SharedBlock*>(memory);  // all zero is its empty state
}

void FixedExecutor::execute(EventSink& sink) {
  ExecutionResult& result = block_.result;
  result.outcome = OutcomeKind::kCompleted;
  result.exit_status = 0;
  result.steps.store(events_.size(), std::memory_order_relaxed);
  result.max_live = 3;
  result.decisions = 8;
  for (std::uint32_t i = 0; i < result.decisions; ++i) block_.decisions[i] = {i / 4, 2, 3};
  result.segments = 2;
  block_.schedule[0] = {0, 4};
  block_.schedule[1] = {1, 4};
  sink.consume(events_, 0);
}

}  // namespace ravel::bench
