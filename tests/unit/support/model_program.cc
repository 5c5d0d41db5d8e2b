// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/model_program.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "semantics/effects.h"
#include "support/model_execution.h"

namespace ravel::toy {

static_assert(std::has_unique_object_representations_v<State>);

namespace {

// Places of the different sorts never meet.
constexpr std::uint64_t kMemoryBase = 0x1000;
constexpr std::uint64_t kObjectStride = 64;
std::uint64_t object_place(OpFamily family, std::uint32_t index) {
  return (static_cast<std::uint64_t>(family) << 20) + index * kObjectStride;
}

bool ok(SyncResult result) {
  return result == SyncResult::kOk;
}

// The second half of a two-part operation, while in it.
OpKind kind_now(const Step& step, const ThreadState& thread) {
  if (thread.waiting == Waiting::kOutside) return step.kind;
  switch (step.kind) {
    case OpKind::kCondWait:
      return OpKind::kCondReacquire;
    case OpKind::kBarrierArrive:
      return OpKind::kBarrierLeave;
    case OpKind::kFutexWait:
      return OpKind::kFutexResume;
    default:
      return step.kind;
  }
}

void write_memory(State& state, std::uint32_t at, std::uint32_t size, std::uint32_t value) {
  for (std::uint32_t i = 0; i < size; ++i) state.memory[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

std::uint64_t mutex_place(std::uint32_t index) {
  return object_place(OpFamily::kMutex, index);
}
std::uint64_t queue_place(std::uint32_t index) {
  return object_place(OpFamily::kQueue, index);
}

const Step& step_of(const Program& program, const State& state, std::uint32_t thread) {
  return program.threads[thread][state.threads[thread].pc];
}

OperationView Execution::run() {
  if (transition_.timeout) view_.bits |= kTimeout;
  observed_ = 0;
  const bool stays = act();
  const std::uint32_t failed = (view_.bits & kFailed) != 0 ? 1 : 0;
  ++thread_.steps;
  thread_.seen = thread_.seen * 1000003u + observed_ * 7u + failed * 3u + ((view_.bits & kTimeout) != 0 ? 1u : 0u) +
                 static_cast<std::uint32_t>(view_.kind) * 65599u;
  if (!stays) advance(failed != 0);
  return view_;
}

bool Execution::settle(SyncResult result) {
  if (ok(result)) return true;
  view_.bits |= kFailed;
  observed_ = static_cast<std::uint32_t>(result);
  return false;
}

void Execution::advance(bool failed) {
  thread_.waiting = Waiting::kOutside;
  thread_.timed_out = 0;
  thread_.arrived = state_.now;
  switch (step_.flow) {
    case Flow::kRepeatWhileZero:
      if (observed_ == 0) return;
      break;
    case Flow::kEndIfZero:
      if (observed_ == 0) thread_.pc = 0xffff;
      break;
    case Flow::kSkipIfFailed:
      if (failed) thread_.pc += step_.skip;
      break;
    case Flow::kSkipUnlessEqual:
      if (observed_ != step_.value) thread_.pc += step_.skip;
      break;
    case Flow::kNext:
      break;
  }
  ++thread_.pc;
}

bool Execution::act() {
  switch (family_of(view_.kind)) {
    case OpFamily::kMemory:
      return act_memory();
    case OpFamily::kMutex:
      return act_mutex(state_.mutexes[step_.at]);
    case OpFamily::kCond:
      return act_cond(state_.condvars[step_.at]);
    case OpFamily::kRw:
      return act_rw(state_.rwlocks[step_.at]);
    case OpFamily::kSem:
      return act_sem(state_.semaphores[step_.at]);
    case OpFamily::kBarrier:
      return act_barrier(state_.barriers[step_.at]);
    case OpFamily::kOnce:
      return act_once(state_.onces[step_.at]);
    case OpFamily::kFutex:
      return act_futex(state_.futex_queue[step_.at / 4]);
    case OpFamily::kLifecycle:
      return act_lifecycle();
    case OpFamily::kMeet:
      return act_meet(state_.inboxes[step_.at]);
    case OpFamily::kReply:
      return act_reply();
    case OpFamily::kQueue:
      return act_queue(state_.queues[step_.at]);
    case OpFamily::kParcel:
      return act_parcel();
    case OpFamily::kPhase:
      return act_phase(state_.phases[step_.at]);
    default:
      if (view_.kind == OpKind::kEnlist) {
        state_.enlisted[step_.second][step_.at] = static_cast<std::uint8_t>(step_.value + 1);
      }
      if (view_.kind == OpKind::kChoice) {
        view_.value = observed_ = transition_.choice;
        if (step_.reg < kRegisters) thread_.registers[step_.reg] = observed_;
      }
      return false;
  }
}

bool Execution::act_memory() {
  const std::uint32_t old = read_memory(state_, step_.at, step_.size);
  switch (view_.kind) {
    case OpKind::kWrite:
    case OpKind::kAtomicStore: {
      std::uint32_t value = step_.value;
      for (std::uint32_t r = 0; r < kRegisters; ++r) {
        if ((step_.sum >> r & 1) != 0) value += thread_.registers[r];
      }
      write_memory(state_, step_.at, step_.size, value);
      view_.value = value;
      return false;
    }
    case OpKind::kAtomicRmw:
      write_memory(state_, step_.at, step_.size, old + step_.value);
      break;
    case OpKind::kAtomicCas:
      if (old != step_.value) view_.bits |= kFailed;
      if (old == step_.value) write_memory(state_, step_.at, step_.size, step_.desired);
      break;
    default:
      break;
  }
  observed_ = old;
  view_.value = old;
  if (step_.reg < kRegisters) thread_.registers[step_.reg] = old;
  return false;
}

bool Execution::act_lifecycle() {
  if (view_.kind == OpKind::kThreadCreate) state_.threads[step_.at].created = 1;
  if (view_.kind == OpKind::kThreadEnd) thread_.ended = 1;
  return false;
}

namespace {

bool can_run(const Program& program, const State& state, std::uint32_t t) {
  const Step& step = step_of(program, state, t);
  const ThreadState& thread = state.threads[t];
  switch (kind_now(step, thread)) {
    case OpKind::kThreadStart:
      return thread.created != 0;
    case OpKind::kThreadJoin:
      return state.threads[step.at].ended != 0;
    case OpKind::kMutexLock:
      return can_lock(state.mutexes[step.at], step.type, t);
    case OpKind::kCondReacquire:
      return can_reacquire(thread.waiting, false, can_lock(state.mutexes[step.second], step.type, t));
    case OpKind::kRwReadLock:
      return can_read_lock(state.rwlocks[step.at], t);
    case OpKind::kRwWriteLock:
      return can_write_lock(state.rwlocks[step.at], t);
    case OpKind::kSemWait:
      return can_take(state.semaphores[step.at]);
    case OpKind::kBarrierLeave:
      return can_leave(state.barriers[step.at], thread.round);
    case OpKind::kOnceBegin:
      return can_begin(state.onces[step.at]);
    case OpKind::kFutexResume:
      return can_resume(thread.waiting, false);
    case OpKind::kMeet:
      return can_meet(state.inboxes[step.at], step.second);
    case OpKind::kAccept:
      return state.inboxes[step.at].served != 0;
    case OpKind::kSelect:
      return step.second == static_cast<std::uint32_t>(SelectMode::kAtOnce) || state.inboxes[step.at].served != 0 ||
             !queues_for(program, state, t).empty();
    case OpKind::kReturn:
      return thread.replied != 0;
    case OpKind::kTake:
      return has_message(state.queues[step.at]);
    case OpKind::kDeliver:
      return !parcels_for(program, state, t).empty();
    case OpKind::kPhaseWait:
      return is_over(state.phases[step.at], step.value);
    case OpKind::kWakeUp:
      return !program.fair || thread.timed_out != 0 || state.now >= thread.arrived + step.duration;
    default:
      return true;
  }
}

// Its time is over, and it only has to be let through: a thread that waits for a condition has to get its mutex back.
bool gives_up(const Program& program, const State& state, std::uint32_t t) {
  const Step& step = step_of(program, state, t);
  if (state.threads[t].timed_out == 0 || step.kind == OpKind::kWakeUp) return false;
  return step.kind != OpKind::kCondWait || can_lock(state.mutexes[step.second], step.type, t);
}

// Adversarial time: a time-out may come at any moment at which the operation would have to wait.
bool can_time_out(const Program& program, const State& state, std::uint32_t t) {
  const Step& step = step_of(program, state, t);
  const ThreadState& thread = state.threads[t];
  if (!step.timed || program.fair) return false;
  switch (kind_now(step, thread)) {
    case OpKind::kCondReacquire:
      return thread.waiting == Waiting::kWaits && can_lock(state.mutexes[step.second], step.type, t);
    case OpKind::kFutexResume:
      return thread.waiting == Waiting::kWaits;
    case OpKind::kMutexLock:
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kSemWait:
      return !can_run(program, state, t);
    default:
      return false;
  }
}

}  // namespace

State initial_state(const Program& program) {
  State state;
  std::memset(static_cast<void*>(&state), 0, sizeof(state));
  for (unsigned i = 0; i < kObjects; ++i) {
    state.semaphores[i].value = program.semaphores[i];
    state.barriers[i].needed = program.barriers[i];
    state.phases[i].needed = program.phases[i];
  }
  return state;
}

bool finished(const Program& program, const State& state, std::uint32_t thread) {
  return state.threads[thread].pc >= program.threads[thread].size();
}

bool all_finished(const Program& program, const State& state) {
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (!finished(program, state, t)) return false;
  }
  return true;
}

OperationView pending(const Program& program, const State& state, std::uint32_t thread) {
  OperationView view;
  view.thread = thread;
  if (finished(program, state, thread)) return view;
  const Step& step = step_of(program, state, thread);
  view.kind = kind_now(step, state.threads[thread]);
  view.location = thread << 8 | state.threads[thread].pc;
  const OpFamily family = family_of(view.kind);
  if (family == OpFamily::kMemory || family == OpFamily::kFutex) {
    view.place = kMemoryBase + step.at;
    view.size = static_cast<std::uint16_t>(family == OpFamily::kFutex ? 4 : step.size);
  } else if (family == OpFamily::kLifecycle) {
    view.value = step.at;
  } else if (family != OpFamily::kNone) {
    view.place = object_place(family, step.at);
  }
  if (view.kind == OpKind::kMeet) {
    view.value = view.place;
    view.place += 8 * (1 + step.second);
    view.size = static_cast<std::uint16_t>(step.second);
  }
  if (view.kind == OpKind::kEnlist) {
    view.place = object_place(OpFamily::kQueue, step.at);
    view.value = object_place(OpFamily::kMeet, step.second);
    view.size = static_cast<std::uint16_t>(step.value);
  }
  if (view.kind == OpKind::kSelect) view.bits = static_cast<std::uint8_t>(step.second);
  if (family == OpFamily::kParcel) view.size = static_cast<std::uint16_t>(step.second);
  if (view.kind == OpKind::kPhaseWait || view.kind == OpKind::kPhaseTest) view.value = step.value;
  if (family == OpFamily::kReply) {
    const std::uint32_t serves = state.threads[thread].serves;
    view.place = object_place(family, view.kind == OpKind::kReturn || serves == 0 ? thread : serves - 1);
  }
  if (view.kind == OpKind::kCondWait || view.kind == OpKind::kCondReacquire) view.value = mutex_place(step.second);
  if (view.kind == OpKind::kOnceBegin) view.value = begin_value(state.onces[step.at]);
  return view;
}

std::vector<Transition> enabled(const Program& program, const State& state) {
  std::vector<Transition> result;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (finished(program, state, t)) continue;
    const Step& step = step_of(program, state, t);
    if (state.threads[t].timed_out != 0 && step.kind != OpKind::kWakeUp) {
      // One that a signal had woken before gives up nothing.
      if (gives_up(program, state, t)) result.push_back({t, 0, state.threads[t].waiting != Waiting::kWoken});
      continue;
    }
    if (can_run(program, state, t)) {
      std::uint32_t choices = 1;
      if (step.kind == OpKind::kCondSignal) choices = std::max<std::uint32_t>(1, waiters_at(program, state, step.at));
      if (step.kind == OpKind::kDeliver) {
        choices = static_cast<std::uint32_t>(parcels_for(program, state, t).size());
      }
      if (step.kind == OpKind::kSelect) {
        choices = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(queues_for(program, state, t).size()));
      }
      if (step.kind == OpKind::kChoice) choices = std::max<std::uint32_t>(1, step.value);
      for (std::uint32_t c = 0; c < choices; ++c) result.push_back({t, c, false});
    }
    if (can_time_out(program, state, t)) result.push_back({t, 0, true});
  }
  return result;
}

std::uint32_t waiters_at(const Program& program, const State& state, std::uint32_t condvar) {
  std::uint32_t count = 0;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const ThreadState& thread = state.threads[t];
    if (thread.waiting != Waiting::kWaits || thread.timed_out != 0) continue;
    const Step& step = step_of(program, state, t);
    count += step.kind == OpKind::kCondWait && step.at == condvar;
  }
  return count;
}

bool pass_time(const Program& program, State& state) {
  std::uint32_t first = kThreads;
  std::uint32_t earliest = ~std::uint32_t{0};
  for (std::uint32_t t = 0; t < program.threads.size() && program.fair; ++t) {
    if (finished(program, state, t) || state.threads[t].timed_out != 0) continue;
    const Step& step = step_of(program, state, t);
    const std::uint32_t deadline = state.threads[t].arrived + step.duration;
    if ((!step.timed && step.kind != OpKind::kWakeUp) || deadline >= earliest) continue;
    first = t;
    earliest = deadline;
  }
  if (first == kThreads) return false;
  state.now = std::max(state.now, earliest);
  state.threads[first].timed_out = 1;
  state.threads[first].timed_out_at = ++state.advances;
  return true;
}

OperationView execute(const Program& program, State& state, const Transition& transition) {
  return Execution(program, state, transition).run();
}

std::string bytes_of(const State& state) {
  return {reinterpret_cast<const char*>(&state), sizeof(state)};
}

std::uint32_t read_memory(const State& state, std::uint32_t at, std::uint32_t size) {
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < size; ++i) value |= static_cast<std::uint32_t>(state.memory[at + i]) << (8 * i);
  return value;
}

Step on(OpKind kind, std::uint32_t at, std::uint32_t second) {
  Step step;
  step.kind = kind;
  step.at = at;
  step.second = second;
  return step;
}
Step load(std::uint32_t at, std::uint32_t reg) {
  Step step = on(OpKind::kAtomicLoad, at);
  step.reg = reg;
  return step;
}
Step store(std::uint32_t at, std::uint32_t value, std::uint32_t sum) {
  Step step = on(OpKind::kAtomicStore, at);
  step.value = value;
  step.sum = sum;
  return step;
}
Step add(std::uint32_t at, std::uint32_t value) {
  Step step = on(OpKind::kAtomicRmw, at);
  step.value = value;
  return step;
}
Step cas(std::uint32_t at, std::uint32_t expected, std::uint32_t desired) {
  Step step = on(OpKind::kAtomicCas, at);
  step.value = expected;
  step.desired = desired;
  return step;
}
Step lock(std::uint32_t mutex) {
  return on(OpKind::kMutexLock, mutex);
}
Step unlock(std::uint32_t mutex) {
  return on(OpKind::kMutexUnlock, mutex);
}
Step trylock(std::uint32_t mutex, std::uint32_t skip) {
  Step step = on(OpKind::kMutexTryLock, mutex);
  step.flow = Flow::kSkipIfFailed;
  step.skip = skip;
  return step;
}

}  // namespace ravel::toy
