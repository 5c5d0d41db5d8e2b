// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Monitors at random: methods with operations of other objects inside, waits and signals, and data choices.
#include "base/random.h"
#include "support/random_program.h"

namespace ravel::toy {
namespace {

std::uint32_t below(Random& random, std::uint32_t n) {
  return static_cast<std::uint32_t>(random.below(n));
}
bool one_in(Random& random, std::uint32_t n) {
  return random.below(n) == 0;
}

// Of another object than the monitor.
void nested(Random& random, std::uint32_t monitor, std::vector<Step>& steps) {
  switch (below(random, 4)) {
    case 0:
      steps.push_back(on(OpKind::kSemWait, below(random, 2)));
      return;
    case 1:
      steps.push_back(on(OpKind::kSemPost, below(random, 2)));
      return;
    case 2:
      if (monitor == 0) steps.insert(steps.end(), {lock(1), unlock(1)});
      return;
    default: {
      Step choice = on(OpKind::kChoice, 0);
      choice.value = 2;
      choice.reg = 0;
      steps.push_back(choice);
      return;
    }
  }
}

void method(Random& random, std::vector<Step>& steps) {
  const std::uint32_t monitor = one_in(random, 4) ? 1 : 0;
  steps.push_back(lock(monitor));
  if (one_in(random, 2)) nested(random, monitor, steps);
  if (one_in(random, 3)) {
    steps.push_back(on(OpKind::kCondWait, monitor, monitor));
    if (one_in(random, 3)) nested(random, monitor, steps);
  } else if (one_in(random, 2)) {
    steps.push_back(on(one_in(random, 4) ? OpKind::kCondBroadcast : OpKind::kCondSignal, monitor));
  }
  steps.push_back(unlock(monitor));
}

// Two that wait and two that signal without the mutex: whom the first one wakes decides who is left for the second.
Program signals_outside(Random& random) {
  Program program;
  const std::vector<Step> waits = {lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)};
  program.threads = {waits, waits};
  const std::uint32_t notifiers = 1 + below(random, 2);
  for (std::uint32_t i = 0; i < notifiers; ++i) {
    std::vector<Step> steps;
    if (one_in(random, 2)) steps.insert(steps.end(), {lock(0), unlock(0)});
    steps.push_back(on(OpKind::kCondSignal, 0));
    if (notifiers == 1) steps.push_back(on(OpKind::kCondSignal, 0));
    program.threads.push_back(steps);
  }
  if (one_in(random, 2)) program.threads[below(random, 2)].push_back(on(OpKind::kSemPost, 0));
  if (one_in(random, 3)) program.threads.back().push_back(on(OpKind::kSemWait, 0));
  return program;
}

}  // namespace

Program random_monitor_program(std::uint64_t seed) {
  Random random(seed * 2 + 1);
  if (seed % 5 == 4) return signals_outside(random);
  Program program;
  const std::uint32_t threads = 2 + below(random, 2);
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Step> steps;
    for (std::uint32_t i = 1 + below(random, threads == 2 ? 2 : 1); i != 0; --i) {
      if (one_in(random, 4)) nested(random, 0, steps);
      method(random, steps);
    }
    program.threads.push_back(steps);
  }
  if (one_in(random, 2)) program.threads.push_back({on(OpKind::kSemWait, below(random, 2))});
  program.semaphores = {below(random, 2), below(random, 2)};
  return program;
}

}  // namespace ravel::toy
