// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/search_along.h"

#include "base/invariant.h"

namespace ravel {
namespace {

constexpr std::uint64_t kLongest = 4'096;  // events: the cost of a longer trace would outweigh all other parts

}  // namespace

SearchAlong::SearchAlong(std::pmr::memory_resource* memory) {
  if (memory == nullptr) return;
  StrategyProblem problem;
  search_ = open_strategy("dpor,first=wide", *memory, StrategyOptions{}, problem);
  INVARIANT(search_.strategy != nullptr && search_.watcher != nullptr, "dpor needs no options");
}

void SearchAlong::next(PlanWriter& plan) {
  const bool more = search_.strategy->next(plan);
  INVARIANT(more, "a search that is over has no turn");
}

void SearchAlong::learn(State& s, const Execution& execution, bool own) {
  if (own) {
    learn_own(s, execution);
  } else if (execution.points_grew && s.counted != 0) {
    start_over(s, execution);
  }
  if (execution.result.shortened != 0) s.impossible = 1;
  if (s.impossible != 0) s.complete = 0;
}

// Whole, or thrown away because there are new points.
void SearchAlong::learn_own(State& s, const Execution& execution) {
  const TraceView& trace = execution.trace;
  const std::uint64_t events = execution.result.events.load(std::memory_order_relaxed);
  if (trace.events.empty() || events > trace.events.size() || events > kLongest) {
    s.impossible = 1;
    return;
  }
  search_.watcher->begin(trace);
  for (std::uint64_t i = 0; i < events; ++i) {
    if (trace.events[i].kind >= OpKind::kCount) continue;
    search_.watcher->on_event(trace.events[i], Moment{i, Epoch{}, trace.operand(i)});
  }
  (void)search_.strategy->learn(execution);  // what the search calls redundant is one more sample here
  ++s.learned;
  s.counted = execution.points_grew || search_.strategy->began_again() ? 0 : s.counted + 1;
  const SearchVerdict verdict = search_.strategy->verdict(0);
  s.complete = verdict.complete;
  s.given_up = !verdict.complete && !verdict.note.empty();
  const Estimate& all = verdict.estimate;
  s.left = all.likely == 0 ? 0 : all.likely > s.counted ? all.likely - s.counted : 1;
}

// The execution is another part's: all that the search sees of it is that there are more points.
void SearchAlong::start_over(State& s, const Execution& execution) {
  if (search_.strategy == nullptr) return;
  (void)search_.strategy->learn(execution);
  ++s.learned;
  s.counted = s.left = 0;
  s.given_up = s.complete = 0;
}

void SearchAlong::recover(const State& s) {
  if (search_.strategy != nullptr) search_.strategy->recover(s.learned);
}

SearchVerdict SearchAlong::verdict(const State& s) const {
  SearchVerdict verdict;
  if (s.complete == 0) return verdict;
  verdict.complete = verdict.kept = true;
  verdict.estimate = search_.strategy->verdict(0).estimate;
  return verdict;
}

}  // namespace ravel
