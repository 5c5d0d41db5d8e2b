// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Programs with fair time: waits that may end by time-out, and sleeps. Some hold a lock while they sleep, so that a
// thread whose time is over still has to wait for its mutex.
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

Step for_a_time(Random& random, Step step) {
  step.timed = true;
  step.duration = 1 + below(random, 4);
  return step;
}
Step sleep(Random& random) {
  Step step = on(OpKind::kWakeUp, 0);
  step.duration = 1 + below(random, 4);
  return step;
}

void inside(Random& random, std::vector<Step>& steps) {
  switch (below(random, 6)) {
    case 0:
      steps.push_back(sleep(random));
      return;
    case 1:
      steps.push_back(on(OpKind::kSemPost, below(random, 2)));
      return;
    case 2: {
      const Step wait = on(OpKind::kSemWait, below(random, 2));
      steps.push_back(one_in(random, 2) ? wait : for_a_time(random, wait));
      return;
    }
    case 3: {
      const Step wait = on(OpKind::kCondWait, 0, 0);
      steps.push_back(one_in(random, 4) ? wait : for_a_time(random, wait));
      return;
    }
    case 4:
      steps.push_back(on(one_in(random, 3) ? OpKind::kCondBroadcast : OpKind::kCondSignal, 0));
      return;
    default:
      return;
  }
}

void locked(Random& random, std::vector<Step>& steps) {
  std::vector<Step> body;
  for (std::uint32_t i = 1 + below(random, 2); i != 0; --i) inside(random, body);
  Step take = lock(0);
  if (one_in(random, 3)) {
    take = for_a_time(random, take);
    take.flow = Flow::kSkipIfFailed;
    take.skip = static_cast<std::uint32_t>(body.size()) + 1;
  }
  steps.push_back(take);
  steps.insert(steps.end(), body.begin(), body.end());
  steps.push_back(unlock(0));
}

void outside(Random& random, std::vector<Step>& steps) {
  switch (below(random, 5)) {
    case 0:
      steps.push_back(sleep(random));
      return;
    case 1:
      steps.push_back(on(OpKind::kSemPost, below(random, 2)));
      return;
    case 2: {
      Step wait = for_a_time(random, on(OpKind::kSemWait, below(random, 2)));
      if (one_in(random, 2)) {
        wait.flow = Flow::kSkipIfFailed;
        wait.skip = 1;
        steps.push_back(wait);
        steps.push_back(on(OpKind::kSemPost, below(random, 2)));
        return;
      }
      steps.push_back(wait);
      return;
    }
    case 3:
      steps.push_back(on(OpKind::kCondSignal, 0));
      return;
    default:
      steps.push_back(on(OpKind::kSemWait, below(random, 2)));
  }
}

// One that waits for a condition for a time, others that sleep with its mutex locked: its time is over long before it
// can have the mutex back, and others come first or behind.
Program sleeps_inside(Random& random) {
  Program program;
  program.fair = true;
  std::vector<Step> waits = {lock(0), for_a_time(random, on(OpKind::kCondWait, 0, 0))};
  if (one_in(random, 2)) waits.push_back(on(OpKind::kSemPost, 0));
  waits.push_back(unlock(0));
  std::vector<Step> sleeps;
  for (std::uint32_t i = 2 + below(random, 2); i != 0; --i) {
    sleeps.insert(sleeps.end(), {lock(0), sleep(random), unlock(0)});
    if (one_in(random, 4)) sleeps.push_back(on(one_in(random, 2) ? OpKind::kCondBroadcast : OpKind::kCondSignal, 0));
  }
  program.threads = {waits, sleeps};
  if (one_in(random, 2)) program.threads.push_back({lock(0), sleep(random), on(OpKind::kCondSignal, 0), unlock(0)});
  if (one_in(random, 3)) program.threads.push_back({for_a_time(random, on(OpKind::kSemWait, 0))});
  return program;
}

}  // namespace

Program random_timed_program(std::uint64_t seed) {
  Random random(seed * 2 + 1);
  if (seed % 4 == 3) return sleeps_inside(random);
  Program program;
  program.fair = true;
  const std::uint32_t threads = 2 + below(random, 2);
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Step> steps;
    for (std::uint32_t i = 1 + below(random, threads == 2 ? 3 : 2); i != 0; --i) {
      if (one_in(random, 2)) {
        locked(random, steps);
      } else {
        outside(random, steps);
      }
    }
    program.threads.push_back(steps);
  }
  program.semaphores = {below(random, 2), below(random, 2)};
  return program;
}

}  // namespace ravel::toy
