// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/policy_runner.h"

namespace ravel::toy {

namespace {

// One transition a thread: a signal wakes the first waiter, a time-out comes only if nothing else can.
std::vector<Transition> one_for_each_thread(const std::vector<Transition>& ways) {
  std::vector<Transition> result;
  for (const Transition& way : ways) {
    if (result.empty() || result.back().thread != way.thread) result.push_back(way);
  }
  return result;
}

bool sets_itself_back(const Program& program, const State& before, const State& after, const Transition& way) {
  const std::uint32_t pc = before.threads[way.thread].pc;
  const Step& step = program.threads[way.thread][pc];
  return step.kind == OpKind::kYield || (step.flow == Flow::kRepeatWhileZero && after.threads[way.thread].pc == pc);
}

}  // namespace

PolicySpec policy_spec(PolicyKind kind, std::uint64_t seed, std::uint16_t depth, std::uint32_t length) {
  PolicySpec spec;
  spec.kind = kind;
  spec.seed = seed;
  spec.depth = depth;
  spec.length = length;
  return spec;
}

Played run(const Program& program, const PolicySpec& spec, std::size_t max_steps) {
  Policy& policy = policy_for(spec.kind);
  policy.begin(spec);
  Played result;
  result.state = initial_state(program);
  std::uint32_t last = kNoThread;
  bool yielded = false;
  while (result.schedule.size() < max_steps) {
    const std::vector<Transition> ways = one_for_each_thread(enabled(program, result.state));
    if (ways.empty()) break;
    std::size_t chosen = 0;
    if (ways.size() > 1) {
      std::vector<OperationView> views;
      Ready ready;
      for (const Transition& way : ways) {
        if (way.thread == last) ready.current = static_cast<int>(views.size());
        views.push_back(pending(program, result.state, way.thread));
      }
      ready.operations = views;
      ready.yielded = yielded && ready.current >= 0;
      chosen = policy.pick(ready);
      ++result.decisions;
    }
    const State before = result.state;
    policy.executed(execute(program, result.state, ways[chosen]));
    last = ways[chosen].thread;
    yielded = sets_itself_back(program, before, result.state, ways[chosen]);
    result.schedule.push_back(last);
  }
  result.complete = all_finished(program, result.state);
  return result;
}

}  // namespace ravel::toy
