// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Chooses how each plan is run: inside the worker with rollback or repeat as long as that is equal to a child of its
// own, which is checked again and again, else in a child. What happens here is said in SharedBlock::isolation.
//
// A worker that cannot be used for another execution *retires*: it ends without a result, the zygote makes a new one,
// and that one goes on from the committed state. So does a worker that found its last execution to be in doubt: nothing
// of it was committed, and the same plan is run again.
#pragma once

#include "engine/event_sink.h"
#include "isolate/fork_executor.h"
#include "isolate/known_choices.h"
#include "isolate/rollback_executor.h"
#include "isolate/streams.h"

namespace ravel {

inline constexpr int kRetired = 75;  // exit status of a worker that wants to be replaced

class IsolatedExecutor final : public Executor {
 public:
  // Executions begin by `start`, on the stack below `stack`.
  IsolatedExecutor(SharedBlock& block, const rt::ExecutionStart& start, void* stack);
  void execute(EventSink& sink) override;
  // A moment that gets longer, up to a millisecond.
  void pause(std::uint32_t round) override;

 private:
  void prepare();
  void run_inside(EventSink& sink);
  void verify(EventSink& sink);
  // `is_proof`: nothing beyond the known lines may turn out to have changed.
  void put_back(RollbackExecutor::Depth depth, bool is_proof);
  // Uses a slower isolation from now on.
  void fall_back(Isolation mode, const char* why, const char* detail);
  [[noreturn]] void retire();
  [[nodiscard]] bool verification_due() const;
  [[nodiscard]] Isolation mode() const { return block_.isolation.mode.load(std::memory_order_relaxed); }

  SharedBlock& block_;
  IsolationState& state_;
  const Streams streams_;
  ForkExecutor fork_;
  RollbackExecutor rollback_;
  bool in_child_once_ = false;  // the execution that took the last worker with it
  bool usable_ = true;          // this process can run another execution inside
  KnownChoices known_;
  bool was_known_ = false;         // the last execution's choices
  std::uint32_t since_proof_ = 0;  // executions put back without a comparison ...
  std::uint32_t proof_after_;      // ... of which there may be so many
  std::uint32_t runs_here_ = 0;
};

}  // namespace ravel
