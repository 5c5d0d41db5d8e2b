// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Canonical forms of traces, and counting them.
#include <unordered_set>

#include "semantics/dependence.h"
#include "support/model_program.h"

namespace ravel::toy {

bool outcome_in_value(OpKind kind) {
  return kind == OpKind::kCondSignal || kind == OpKind::kRwUnlock || kind == OpKind::kBarrierArrive ||
         kind == OpKind::kOnceBegin || kind == OpKind::kChoice || kind == OpKind::kSelect;
}

void CanonicalTrace::add(const OperationView& operation) {
  std::uint32_t level = 0;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (levels_[i] > level && dependent(events_[i], operation)) level = levels_[i];
  }
  events_.push_back(operation);
  levels_.push_back(level + 1);
}

std::string CanonicalTrace::key() const {
  std::array<std::string, kThreads> of_thread;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    std::string& text = of_thread[events_[i].thread];
    text += std::to_string(levels_[i]);
    if ((events_[i].bits & kFailed) != 0) text += 'f';
    if ((events_[i].bits & kTimeout) != 0) text += 't';
    if (outcome_in_value(events_[i].kind)) text += '=' + std::to_string(events_[i].value);
    text += ',';
  }
  std::string result;
  for (const std::string& text : of_thread) result += text + ';';
  return result;
}

namespace {

class Counter {
 public:
  Counter(const Program& program, bool prune) : program_(program), prune_(prune) {}

  Count run() {
    explore(initial_state(program_), {});
    return count_;
  }

 private:
  void explore(const State& state, const CanonicalTrace& trace) {
    if (prune_ && !prefixes_.insert(trace.key()).second) return;
    const std::vector<Transition> ways = enabled(program_, state);
    if (ways.empty()) {
      ++count_.interleavings;
      if (!traces_.insert(trace.key()).second) return;
      ++count_.traces;
      if (!all_finished(program_, state)) ++count_.deadlocked;
      return;
    }
    for (const Transition& way : ways) {
      State next = state;
      CanonicalTrace longer = trace;
      longer.add(execute(program_, next, way));
      explore(next, longer);
    }
  }

  const Program& program_;
  bool prune_;
  Count count_;
  std::unordered_set<std::string> traces_;
  std::unordered_set<std::string> prefixes_;
};

}  // namespace

Count count_traces(const Program& program) {
  return Counter(program, false).run();
}
Count count_traces_pruned(const Program& program) {
  return Counter(program, true).run();
}

}  // namespace ravel::toy
