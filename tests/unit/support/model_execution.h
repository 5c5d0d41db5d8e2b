// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One operation of the toy machine (model_program.h): fills in its outcome and yields the value the program got. Each
// group of families is in a file of its own.
#pragma once

#include "support/model_program.h"

namespace ravel::toy {

const Step& step_of(const Program& program, const State& state, std::uint32_t thread);
std::uint64_t mutex_place(std::uint32_t index);
std::uint64_t queue_place(std::uint32_t index);
// Threads that wait on the condition variable and whose time is not over.
std::uint32_t waiters_at(const Program& program, const State& state, std::uint32_t condvar);

class Execution {
 public:
  Execution(const Program& program, State& state, const Transition& transition)
      : program_(program),
        state_(state),
        step_(step_of(program, state, transition.thread)),
        transition_(transition),
        thread_(state.threads[transition.thread]),
        view_(pending(program, state, transition.thread)) {}

  OperationView run();

 private:
  // The thread sees how it failed, for a misuse is reported with its kind.
  bool settle(SyncResult result);
  void advance(bool failed);

  // True: the thread is now in the middle of the operation.
  bool act();
  bool act_memory();
  bool act_lifecycle();

  // model_locks.cc
  bool act_mutex(MutexState& mutex);
  bool act_cond(CondState& cond);
  // The rank-th thread, by index, that waits on the condition variable of this step.
  std::uint32_t wake_waiter(CondState& cond, std::uint32_t rank);
  bool act_rw(RwState& lock);
  bool act_sem(SemState& sem);

  // model_rounds.cc
  bool act_barrier(BarrierState& barrier);
  bool act_once(OnceState& once);
  bool act_phase(PhaseState& phase);
  bool act_futex(std::uint8_t (&queue)[kThreads]);

  // model_messages.cc
  bool act_meet(InboxState& inbox);
  bool act_reply();
  // What a message says is who sent it, and that is seen from its number.
  bool act_queue(QueueState& queue);
  bool act_parcel();

  const Program& program_;
  State& state_;
  const Step& step_;
  const Transition& transition_;
  ThreadState& thread_;
  OperationView view_;
  std::uint32_t observed_ = 0;
};

}  // namespace ravel::toy
