// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/random_program.h"

#include <initializer_list>

#include "base/random.h"

namespace ravel::toy {
namespace {

constexpr unsigned kFamilies = 10;

std::uint32_t below(Random& random, std::uint32_t n) {
  return static_cast<std::uint32_t>(random.below(n));
}
bool one_in(Random& random, std::uint32_t n) {
  return random.below(n) == 0;
}
OpKind any_of(Random& random, std::initializer_list<OpKind> kinds) {
  return kinds.begin()[random.below(kinds.size())];
}

Step memory_step(Random& random) {
  Step step = on(any_of(random, {OpKind::kRead, OpKind::kWrite, OpKind::kAtomicLoad, OpKind::kAtomicStore,
                                 OpKind::kAtomicRmw, OpKind::kAtomicCas, OpKind::kAtomicCas}),
                 below(random, 2));
  step.value = below(random, 3);
  step.desired = below(random, 3);
  if (step.kind == OpKind::kAtomicRmw) step.value = 1;
  step.reg = below(random, kRegisters + 1);
  step.sum = below(random, 4);
  if (step.kind == OpKind::kAtomicLoad && one_in(random, 3)) {
    step.flow = Flow::kSkipUnlessEqual;
    step.skip = 1;
  }
  return step;
}

void locked(Random& random, std::uint32_t object, std::vector<Step>& steps) {
  const bool tries = one_in(random, 3);
  const bool inside = one_in(random, 2);
  const std::uint32_t skip = inside ? 2 : 1;
  Step take = tries ? trylock(object, skip) : lock(object);
  if (!tries && one_in(random, 3)) {
    take.timed = true;
    take.flow = Flow::kSkipIfFailed;
    take.skip = skip;
  }
  steps.push_back(take);
  if (inside) {
    Step step = memory_step(random);
    step.flow = Flow::kNext;
    steps.push_back(step);
  }
  steps.push_back(unlock(object));
}

void waiting(Random& random, std::vector<Step>& steps) {
  if (one_in(random, 2)) {
    Step wait = on(OpKind::kCondWait, 0, 0);
    wait.timed = one_in(random, 4);
    steps.push_back(lock(0));
    steps.push_back(wait);
    steps.push_back(unlock(0));
  } else if (one_in(random, 2)) {
    steps.push_back(on(any_of(random, {OpKind::kCondSignal, OpKind::kCondSignal, OpKind::kCondBroadcast}), 0));
  } else {
    steps.push_back(lock(0));
    steps.push_back(on(any_of(random, {OpKind::kCondSignal, OpKind::kCondBroadcast}), 0));
    steps.push_back(unlock(0));
  }
}

void read_write_locked(Random& random, std::uint32_t object, std::vector<Step>& steps) {
  const bool inside = one_in(random, 2);
  Step take = on(any_of(random, {OpKind::kRwReadLock, OpKind::kRwReadLock, OpKind::kRwWriteLock, OpKind::kRwTryReadLock,
                                 OpKind::kRwTryWriteLock}),
                 object);
  take.flow = Flow::kSkipIfFailed;
  take.skip = inside ? 2 : 1;
  take.timed = one_in(random, 4) && (take.kind == OpKind::kRwReadLock || take.kind == OpKind::kRwWriteLock);
  steps.push_back(take);
  if (inside) {
    Step step = memory_step(random);
    step.flow = Flow::kNext;
    steps.push_back(step);
  }
  steps.push_back(on(OpKind::kRwUnlock, object));
}

void add_steps(Random& random, unsigned family, std::vector<Step>& steps) {
  const auto object = static_cast<std::uint32_t>(one_in(random, 4));
  switch (family) {
    case 0:
    case 1:
      steps.push_back(memory_step(random));
      return;
    case 2:
      locked(random, object, steps);
      return;
    case 3:
      waiting(random, steps);
      return;
    case 4:
      read_write_locked(random, object, steps);
      return;
    case 5: {
      Step step = on(any_of(random, {OpKind::kSemWait, OpKind::kSemTryWait, OpKind::kSemPost, OpKind::kSemPost,
                                     OpKind::kSemValue}),
                     object);
      step.timed = step.kind == OpKind::kSemWait && one_in(random, 4);
      steps.push_back(step);
      return;
    }
    case 6:
      steps.push_back(on(OpKind::kBarrierArrive, object));
      return;
    case 7: {
      Step begin = on(OpKind::kOnceBegin, object);
      begin.skip = 1;
      steps.push_back(begin);
      steps.push_back(on(one_in(random, 3) ? OpKind::kOnceAbort : OpKind::kOnceEnd, object));
      return;
    }
    case 8: {
      Step step = on(OpKind::kChoice, 0);
      step.value = 2 + below(random, 2);
      step.reg = 0;
      steps.push_back(step);
      if (one_in(random, 2)) steps.push_back(store(0, 1, 1));
      return;
    }
    default: {
      Step step =
          on(any_of(random, {OpKind::kFutexWait, OpKind::kFutexWait, OpKind::kFutexWake, OpKind::kAtomicStore}), 0);
      step.size = 4;
      step.timed = step.kind == OpKind::kFutexWait && one_in(random, 3);
      step.value = below(random, 2);
      if (step.kind == OpKind::kFutexWake) step.value = 1 + below(random, 2);
      steps.push_back(step);
      return;
    }
  }
}

// Three threads or more that wait, one that signals: who is woken is a choice.
Program crowd(Random& random) {
  Program program;
  const std::vector<Step> waiter = {lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)};
  program.threads.assign(3, waiter);
  program.threads.push_back({on(one_in(random, 3) ? OpKind::kCondBroadcast : OpKind::kCondSignal, 0)});
  if (one_in(random, 2)) program.threads.back().push_back(on(OpKind::kCondSignal, 0));
  return program;
}

// A call, perhaps with an answer, or something else that orders threads.
void client_steps(Random& random, bool answers, std::vector<Step>& steps) {
  switch (below(random, 6)) {
    case 0:
      steps.push_back(on(one_in(random, 2) ? OpKind::kSemWait : OpKind::kSemPost, 0));
      return;
    case 1:
      steps.push_back(lock(0));
      if (one_in(random, 2)) steps.push_back(on(OpKind::kPut, 0));
      steps.push_back(unlock(0));
      return;
    case 2:
      steps.push_back(on(OpKind::kPut, below(random, 2)));
      return;
    default:
      steps.push_back(on(OpKind::kMeet, 0, below(random, 2)));
      if (answers) steps.push_back(on(OpKind::kReturn, 0));
      return;
  }
}

// One round of a receiver: of calls, with work before the answer, or of messages.
void server_steps(Random& random, bool answers, std::vector<Step>& steps) {
  if (one_in(random, 4)) {
    steps.push_back(on(one_in(random, 3) ? OpKind::kTryTake : OpKind::kTake, 0));
    return;
  }
  Step open = on(OpKind::kOpen, 0);
  open.value = 1 + below(random, 3);
  steps.push_back(open);
  std::vector<Step> served;
  if (one_in(random, 3)) served.push_back(on(one_in(random, 2) ? OpKind::kSemWait : OpKind::kSemPost, 0));
  if (one_in(random, 4)) served.insert(served.end(), {lock(0), unlock(0)});
  if (answers) served.push_back(on(OpKind::kReply, 0));
  Step accept = on(one_in(random, 5) ? OpKind::kElse : OpKind::kAccept, 0);
  if (accept.kind == OpKind::kElse) {
    accept.flow = Flow::kSkipIfFailed;
    accept.skip = static_cast<std::uint32_t>(served.size());
  }
  steps.push_back(accept);
  steps.insert(steps.end(), served.begin(), served.end());
}

}  // namespace

Program random_message_program(std::uint64_t seed) {
  Random random(seed * 2 + 1);
  Program program;
  const bool answers = one_in(random, 2);
  std::vector<Step> server;
  for (std::uint32_t round = 1 + below(random, 3); round != 0; --round) server_steps(random, answers, server);
  program.threads.push_back(server);
  const std::uint32_t clients = 2 + below(random, 2);
  for (std::uint32_t t = 0; t < clients; ++t) {
    std::vector<Step> steps;
    for (std::uint32_t i = 1 + below(random, clients == 2 ? 3 : 2); i != 0; --i) client_steps(random, answers, steps);
    program.threads.push_back(steps);
  }
  // A second receiver, of the other queue.
  if (one_in(random, 3)) program.threads.push_back({on(OpKind::kTake, 1), on(OpKind::kPut, 0)});
  program.semaphores = {below(random, 2), 0};
  return program;
}

Program random_select_program(std::uint64_t seed, bool looks) {
  Random random(seed * 2 + 1);
  Program program;
  std::vector<Step> server;
  // Queues 0 and 1 are bits 2 and 3 of inbox 0; somebody may have sent before that.
  for (std::uint32_t queue = 0; queue < 2; ++queue) {
    server.push_back(on(OpKind::kEnlist, queue, 0));
    server.back().value = 2 + queue;
    if (one_in(random, 6)) server.push_back(on(OpKind::kSemWait, 0));
  }
  for (std::uint32_t round = 1 + below(random, 3); round != 0; --round) {
    if (one_in(random, 8)) {
      server.push_back(on(one_in(random, 2) ? OpKind::kTryTake : OpKind::kTake, below(random, 2)));
      continue;
    }
    server.push_back(on(OpKind::kOpen, 0));
    server.back().value = one_in(random, 2) ? 15 : 1 + below(random, 15);
    const bool at_once = looks && one_in(random, 4);
    server.push_back(
        on(OpKind::kSelect, 0, static_cast<std::uint32_t>(at_once ? SelectMode::kAtOnce : SelectMode::kForEver)));
    if (one_in(random, 3)) {  // what it does next depends on what came
      server.back().flow = Flow::kSkipUnlessEqual;
      server.back().value = one_in(random, 2) ? 101 : 2;
      server.back().skip = 1;
      server.push_back(on(OpKind::kSemPost, 0));
    }
    if (one_in(random, 5)) server.push_back(on(OpKind::kPut, below(random, 2)));
  }
  program.threads.push_back(server);
  const std::uint32_t clients = 2 + below(random, 2);
  for (std::uint32_t t = 0; t < clients; ++t) {
    std::vector<Step> steps;
    for (std::uint32_t i = 1 + below(random, clients == 2 ? 3 : 2); i != 0; --i) client_steps(random, false, steps);
    program.threads.push_back(steps);
  }
  program.semaphores = {below(random, 2), 0};
  return program;
}

Program random_parcel_program(std::uint64_t seed) {
  Random random(seed * 2 + 1);
  Program program;
  const std::uint32_t rules[] = {one_in(random, 2) ? kInOrder : 0u, one_in(random, 2) ? kInOrder : 0u};
  const auto any = [&](OpKind kind) {
    const std::uint32_t at = one_in(random, 3) ? 1 : 0;
    return on(kind, at, rules[at]);
  };
  std::vector<Step> receiver;
  for (std::uint32_t i = 1 + below(random, 3); i != 0; --i) {
    Step get = on(OpKind::kDeliver, 0, rules[0]);
    if (one_in(random, 3)) {  // what it does next depends on whose message came
      get.flow = Flow::kSkipUnlessEqual;
      get.value = (1 + below(random, 2)) * 16 + 1;
      get.skip = 1;
    }
    receiver.push_back(get);
    if (get.flow != Flow::kNext) receiver.push_back(on(OpKind::kSemPost, 0));
    if (one_in(random, 4)) receiver.push_back(on(OpKind::kCast, 1, rules[1]));
    if (one_in(random, 4)) receiver.push_back(on(OpKind::kSemWait, 0));
  }
  program.threads.push_back(receiver);
  const std::uint32_t senders = 2 + below(random, 2);
  for (std::uint32_t t = 0; t < senders; ++t) {
    std::vector<Step> steps;
    for (std::uint32_t i = 1 + below(random, 2); i != 0; --i) {
      if (one_in(random, 5)) steps.push_back(on(OpKind::kSemPost, 0));
      if (one_in(random, 5)) steps.insert(steps.end(), {lock(0), any(OpKind::kCast), unlock(0)});
      steps.push_back(any(OpKind::kCast));
    }
    program.threads.push_back(steps);
  }
  if (one_in(random, 2)) {
    program.threads.push_back({on(OpKind::kDeliver, 1, rules[1]), on(OpKind::kCast, 0, rules[0])});
  }
  return program;
}

Program random_phase_program(std::uint64_t seed) {
  Random random(seed * 2 + 1);
  Program program;
  const std::uint32_t threads = 2 + below(random, 2);
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Step> steps;
    for (std::uint32_t i = threads == 2 ? 4 : 3; i != 0; --i) {
      if (one_in(random, 4)) {
        steps.push_back(memory_step(random));
        continue;
      }
      // The phase that is waited for or looked at is the first.
      steps.push_back(
          on(any_of(random, {OpKind::kPhaseArrive, OpKind::kPhaseArrive, OpKind::kPhaseWait, OpKind::kPhaseTest}),
             below(random, 2)));
    }
    program.threads.push_back(steps);
  }
  program.phases = {1 + below(random, 3), 1 + below(random, 2)};
  return program;
}

Program random_correct_program(std::uint64_t seed) {
  Random random(seed * 2 + 1);
  if (seed % 50 == 49) return crowd(random);
  Program program;
  const unsigned families[] = {static_cast<unsigned>(seed % kFamilies), below(random, kFamilies)};
  const std::uint32_t threads = 2 + below(random, 3);
  const std::uint32_t groups = threads == 2 ? 3 : 2;
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Step> steps;
    for (std::uint32_t i = 0; i < groups; ++i) {
      if (threads == 4 && i == 1 && one_in(random, 2)) break;
      add_steps(random, families[one_in(random, 3)], steps);
    }
    program.threads.push_back(steps);
  }
  program.semaphores = {below(random, 3), 1};
  program.barriers = {2, 1 + below(random, 3)};
  return program;
}

}  // namespace ravel::toy
