// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Isolation by fork: each execution is a fresh child of the worker. The reference that other isolations are judged by.
// Whatever the program does to itself (crash, hang, exit, stack overflow, SIGKILL) costs that child only; its trace is
// in shared memory.
#pragma once

#include <sys/types.h>

#include "engine/event_sink.h"
#include "isolate/streams.h"
#include "runtime/entry/takeover.h"
#include "wire/shared_block.h"

namespace ravel {

class ForkExecutor final : public Executor {
 public:
  ForkExecutor(SharedBlock& block, const rt::ExecutionStart& start, void* stack, const Streams& streams);
  void execute(EventSink& sink) override;

 private:
  void run_once(EventSink& sink);
  void drain(EventSink& sink);
  // Waits for the child, feeding the sink while it runs; yields the wait status. Sets hung_ when it had to be killed.
  int supervise(pid_t child, EventSink& sink);
  void kill_hung(pid_t child);
  void conclude(int status);

  SharedBlock& block_;
  const rt::ExecutionStart start_;
  void* const stack_;
  const Streams& streams_;
  bool hung_ = false;
};

}  // namespace ravel
