// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/model_program.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "semantics/effects.h"
#include "semantics/futex.h"

namespace ravel::toy {

static_assert(std::has_unique_object_representations_v<State>);

namespace {

// Places of the different sorts never meet.
constexpr std::uint64_t kMemoryBase = 0x1000;
constexpr std::uint64_t kObjectStride = 64;
std::uint64_t object_place(OpFamily family, std::uint32_t index) {
  return (static_cast<std::uint64_t>(family) << 20) + index * kObjectStride;
}
std::uint64_t mutex_place(std::uint32_t index) {
  return object_place(OpFamily::kMutex, index);
}

bool ok(SyncResult result) {
  return result == SyncResult::kOk;
}

const Step& step_of(const Program& program, const State& state, std::uint32_t thread) {
  return program.threads[thread][state.threads[thread].pc];
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

void leave_queue(std::uint8_t (&queue)[kThreads], std::uint32_t thread) {
  const auto last = std::remove(std::begin(queue), std::end(queue), static_cast<std::uint8_t>(thread + 1));
  std::fill(last, std::end(queue), std::uint8_t{0});
}

// Executes one operation: fills in its outcome and yields the value the program got.
class Execution {
 public:
  Execution(const Program& program, State& state, const Transition& transition)
      : program_(program),
        state_(state),
        step_(step_of(program, state, transition.thread)),
        transition_(transition),
        thread_(state.threads[transition.thread]),
        view_(pending(program, state, transition.thread)) {}

  OperationView run() {
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

 private:
  // The thread sees how it failed, for a misuse is reported with its kind.
  bool settle(SyncResult result) {
    if (ok(result)) return true;
    view_.bits |= kFailed;
    observed_ = static_cast<std::uint32_t>(result);
    return false;
  }

  void advance(bool failed) {
    thread_.waiting = Waiting::kOutside;
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

  // True: the thread is now in the middle of the operation.
  bool act() {
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
        if (view_.kind == OpKind::kChoice) {
          view_.value = observed_ = transition_.choice;
          if (step_.reg < kRegisters) thread_.registers[step_.reg] = observed_;
        }
        return false;
    }
  }

  bool act_memory() {
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

  bool act_mutex(MutexState& mutex) {
    switch (view_.kind) {
      case OpKind::kMutexLock:
        settle(transition_.timeout ? SyncResult::kBusy : ravel::lock(mutex, step_.type, transition_.thread));
        break;
      case OpKind::kMutexTryLock:
        settle(try_lock(mutex, step_.type, transition_.thread));
        break;
      case OpKind::kMutexUnlock:
        settle(ravel::unlock(mutex, transition_.thread));
        break;
      case OpKind::kMutexDestroy:
        settle(destroy(mutex));
        break;
      default:
        mutex = {};
        break;
    }
    return false;
  }

  bool act_cond(CondState& cond) {
    MutexState& mutex = state_.mutexes[step_.second];
    switch (view_.kind) {
      case OpKind::kCondWait: {
        const bool holds = owner(mutex) == transition_.thread;
        if (!settle(holds ? cond_enter(cond, thread_.waiting, mutex_place(step_.second)) : SyncResult::kNotOwner)) {
          return false;
        }
        (void)ravel::unlock(mutex, transition_.thread);
        return true;
      }
      case OpKind::kCondReacquire:
        (void)cond_leave(cond, thread_.waiting);
        (void)ravel::lock(mutex, step_.type, transition_.thread);
        return false;
      case OpKind::kCondSignal:
        view_.value = kNoThread;
        if (signal_alternatives(cond) != 0) view_.value = wake_waiter(cond, transition_.choice);
        return false;
      case OpKind::kCondBroadcast: {
        const std::uint32_t woken = signal_alternatives(cond);
        for (std::uint32_t i = 0; i < woken; ++i) wake_waiter(cond, 0);
        view_.value = woken;
        return false;
      }
      case OpKind::kCondDestroy:
        settle(destroy(cond));
        return false;
      default:
        cond = {};
        return false;
    }
  }

  // The rank-th thread, by index, that waits on the condition variable of this step.
  std::uint32_t wake_waiter(CondState& cond, std::uint32_t rank) {
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      if (state_.threads[t].waiting != Waiting::kWaits) continue;
      const Step& other = step_of(program_, state_, t);
      if (other.kind != OpKind::kCondWait || other.at != step_.at) continue;
      if (rank-- == 0) {
        cond_wake(cond, state_.threads[t].waiting);
        return t;
      }
    }
    return kNoThread;
  }

  bool act_rw(RwState& lock) {
    switch (view_.kind) {
      case OpKind::kRwReadLock:
        settle(transition_.timeout ? SyncResult::kBusy : read_lock(lock, transition_.thread));
        break;
      case OpKind::kRwTryReadLock:
        settle(try_read_lock(lock, transition_.thread));
        break;
      case OpKind::kRwWriteLock:
        settle(transition_.timeout ? SyncResult::kBusy : write_lock(lock, transition_.thread));
        break;
      case OpKind::kRwTryWriteLock:
        settle(try_write_lock(lock, transition_.thread));
        break;
      case OpKind::kRwUnlock:
        view_.value = unlock_value(lock);
        settle(ravel::unlock(lock, transition_.thread));
        break;
      case OpKind::kRwDestroy:
        settle(destroy(lock));
        break;
      default:
        lock = {};
        break;
    }
    return false;
  }

  bool act_sem(SemState& sem) {
    switch (view_.kind) {
      case OpKind::kSemWait:
        settle(transition_.timeout ? SyncResult::kBusy : take(sem));
        break;
      case OpKind::kSemTryWait:
        settle(take(sem));
        break;
      case OpKind::kSemPost:
        settle(post(sem));
        break;
      case OpKind::kSemValue:
        if (settle(is_destroyed(sem) ? SyncResult::kInvalid : SyncResult::kOk)) observed_ = sem.value;
        break;
      case OpKind::kSemDestroy:
        settle(destroy(sem));
        break;
      default:
        sem = {};
        break;
    }
    return false;
  }

  bool act_barrier(BarrierState& barrier) {
    switch (view_.kind) {
      case OpKind::kBarrierArrive: {
        const Arrival arrival = arrive(barrier);
        if (!settle(arrival.result)) return false;
        view_.value = arrival.value;
        observed_ = static_cast<std::uint32_t>(arrival.value);
        thread_.round = arrival.round;
        thread_.waiting = Waiting::kWaits;
        return true;
      }
      case OpKind::kBarrierLeave:
        leave(barrier);
        thread_.round = 0;
        return false;
      case OpKind::kBarrierDestroy:
        settle(destroy(barrier));
        return false;
      default:
        barrier = {.needed = step_.value, .arrived = 0, .round = 0, .leaving = 0};
        return false;
    }
  }

  bool act_once(OnceState& once) {
    if (view_.kind == OpKind::kOnceBegin) {
      const Beginning beginning = once_begin(once, transition_.thread);
      view_.value = beginning.value;
      observed_ = static_cast<std::uint32_t>(beginning.value);
      if (beginning.value == kOnceDone) thread_.pc += step_.skip;
    } else if (view_.kind == OpKind::kOnceEnd) {
      settle(once_end(once, transition_.thread));
    } else {
      settle(once_abort(once, transition_.thread));
    }
    return false;
  }

  bool act_futex(std::uint8_t (&queue)[kThreads]) {
    const auto waiting =
        static_cast<std::uint32_t>(std::find(std::begin(queue), std::end(queue), 0) - std::begin(queue));
    switch (view_.kind) {
      case OpKind::kFutexWait:
        if (!futex_waits(read_memory(state_, step_.at, 4), step_.value)) {
          view_.bits |= kFailed;
          view_.value = read_memory(state_, step_.at, 4);
          return false;
        }
        view_.value = step_.value;
        queue[waiting] = static_cast<std::uint8_t>(transition_.thread + 1);
        thread_.waiting = Waiting::kWaits;
        return true;
      case OpKind::kFutexResume:
        if (transition_.timeout) leave_queue(queue, transition_.thread);
        return false;
      default: {
        const std::uint32_t woken = futex_wakes(waiting, static_cast<std::int32_t>(step_.value));
        for (std::uint32_t i = 0; i < woken; ++i) {
          const std::uint32_t first = queue[0] - 1u;
          leave_queue(queue, first);
          state_.threads[first].waiting = Waiting::kWoken;
        }
        view_.value = woken;
        observed_ = woken;
        return false;
      }
    }
  }

  bool act_meet(InboxState& inbox) {
    if (view_.kind == OpKind::kOpen) open_inbox(inbox, view_.value = step_.value);
    if (view_.kind == OpKind::kMeet) meet(inbox, transition_.thread + 1);
    if (view_.kind == OpKind::kAccept || view_.kind == OpKind::kElse) {
      thread_.serves = static_cast<std::uint32_t>(close_inbox(inbox));
      observed_ = thread_.serves;
      if (thread_.serves == 0) view_.bits |= kFailed;
    }
    return false;
  }

  bool act_reply() {
    if (view_.kind == OpKind::kReturn) {
      thread_.replied = 0;
    } else {
      if (thread_.serves != 0) state_.threads[thread_.serves - 1].replied = 1;
      thread_.serves = 0;
    }
    return false;
  }

  // What a message says is who sent it, and that is seen from its number.
  bool act_queue(QueueState& queue) {
    const Answer answer = ask(queue, view_);
    view_.value = answer.fails ? 0 : answer.value;
    if (answer.fails) view_.bits |= kFailed;
    observed_ = static_cast<std::uint32_t>(view_.value);
    return !apply(queue, view_);
  }

  bool act_parcel() {
    if (view_.kind == OpKind::kCast) {
      state_.parcels[step_.at][transition_.thread] |= static_cast<std::uint8_t>(1u << thread_.casts);
      view_.value = message_of(transition_.thread, ++thread_.casts);
      return false;
    }
    view_.value = parcels_for(program_, state_, transition_.thread)[transition_.choice];
    const auto bit = static_cast<std::uint8_t>(1u << (static_cast<std::uint32_t>(view_.value) - 1));
    state_.parcels[step_.at][sender_of(view_.value)] &= static_cast<std::uint8_t>(~bit);
    observed_ = sender_of(view_.value) * 16 + static_cast<std::uint32_t>(view_.value);
    return false;
  }

  bool act_phase(PhaseState& phase) {
    if (view_.kind == OpKind::kPhaseArrive) view_.value = arrive(phase, false);
    if (view_.kind == OpKind::kPhaseTest && !is_over(phase, step_.value)) view_.bits |= kFailed;
    return false;
  }

  bool act_lifecycle() {
    if (view_.kind == OpKind::kThreadCreate) state_.threads[step_.at].created = 1;
    if (view_.kind == OpKind::kThreadEnd) thread_.ended = 1;
    return false;
  }

  const Program& program_;
  State& state_;
  const Step& step_;
  const Transition& transition_;
  ThreadState& thread_;
  OperationView view_;
  std::uint32_t observed_ = 0;
};

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
    case OpKind::kReturn:
      return thread.replied != 0;
    case OpKind::kTake:
      return has_message(state.queues[step.at]);
    case OpKind::kDeliver:
      return !parcels_for(program, state, t).empty();
    case OpKind::kPhaseWait:
      return is_over(state.phases[step.at], step.value);
    default:
      return true;
  }
}

// Time-outs are adversarial here: they may come at any moment at which the operation would have to wait.
bool can_time_out(const Program& program, const State& state, std::uint32_t t) {
  const Step& step = step_of(program, state, t);
  const ThreadState& thread = state.threads[t];
  if (!step.timed) return false;
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

std::vector<std::uint64_t> parcels_for(const Program& program, const State& state, std::uint32_t thread) {
  std::vector<std::uint64_t> result;
  const Step& step = step_of(program, state, thread);
  for (std::uint32_t sender = 0; sender < program.threads.size(); ++sender) {
    bool overtakes = false;
    for (std::uint32_t number = 1; number <= 8; ++number) {
      if ((state.parcels[step.at][sender] >> (number - 1) & 1) == 0) continue;
      if (can_arrive(static_cast<std::uint16_t>(step.second), overtakes)) result.push_back(message_of(sender, number));
      overtakes = true;
    }
  }
  return result;
}

std::vector<Transition> enabled(const Program& program, const State& state) {
  std::vector<Transition> result;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (finished(program, state, t)) continue;
    const Step& step = step_of(program, state, t);
    if (can_run(program, state, t)) {
      std::uint32_t choices = 1;
      if (step.kind == OpKind::kCondSignal) {
        choices = std::max<std::uint32_t>(1, signal_alternatives(state.condvars[step.at]));
      }
      if (step.kind == OpKind::kDeliver) {
        choices = static_cast<std::uint32_t>(parcels_for(program, state, t).size());
      }
      if (step.kind == OpKind::kChoice) choices = std::max<std::uint32_t>(1, step.value);
      for (std::uint32_t c = 0; c < choices; ++c) result.push_back({t, c, false});
    }
    if (can_time_out(program, state, t)) result.push_back({t, 0, true});
  }
  return result;
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
