// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/rollback_executor.h"

#include <string.h>
#include <sys/rseq.h>
#include <sys/wait.h>

#include "isolate/engine_stack.h"
#include "isolate/execution_result.h"
#include "isolate/scratch.h"
#include "isolate/system_call_watch.h"
#include "runtime/fiber/context_switch.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

// The kernel writes the number of the processor into the C library's area for restartable sequences, whenever it likes:
// memory that would change by itself.
void stop_restartable_sequences() {
  constexpr long kBytes = 32;
  constexpr long kUnregister = 1;
  constexpr std::int32_t kNotRegistered = -2;  // RSEQ_CPU_ID_REGISTRATION_FAILED
  if (__rseq_size == 0) return;
  char* area = reinterpret_cast<char*>(rt::read_fs_base()) + __rseq_offset;
  if (rt::raw_syscall(SYS_rseq, reinterpret_cast<long>(area), kBytes, kUnregister, RSEQ_SIG) != 0) return;
  memcpy(area + sizeof(std::int32_t), &kNotRegistered, sizeof kNotRegistered);
}

}  // namespace

bool RollbackExecutor::prepare(const char*& why) {
  if (!SystemCallWatch::prepare()) {
    why = "the kernel cannot hand system calls to the process (Linux 5.11 can)";
    return false;
  }
  stop_restartable_sequences();
  rt::g.process = static_cast<std::int32_t>(rt::raw_syscall(SYS_getpid));
  snapshot_ = Snapshot::take(kEngineStack, kEngineStack + kEngineStackBytes, why);
  return snapshot_ != nullptr;
}

void RollbackExecutor::run(EventSink& sink, bool compared) {
  reset_result(block_);
  if (streams_used_) streams_.rewind();
  const char* scratch = block_.campaign.scratch;
  if (scratch[0] != 0 && !(prepare_scratch(scratch) && enter_scratch(scratch))) {
    rt::fatal("cannot empty the scratch folder");
  }
  sink_ = &sink;
  rt::Home home;
  home.argument = this;
  home.signal_mask = SystemCallWatch::undo().signal_mask();
  home.make_room = [](void* self) {
    auto& executor = *static_cast<RollbackExecutor*>(self);
    drain_ring(executor.block_, *executor.sink_);
  };
  home.call = SystemCallWatch::call;
  home.spoil = [](void*, const char* reason) { SystemCallWatch::spoil(reason); };
  snapshot_->begin_run(compared);
  SystemCallWatch::start();
  const rt::End end = rt::run_execution_and_return(start_, stack_, home);
  SystemCallWatch::stop();
  snapshot_->end_run();
  conclude_result(block_.result, end.signal != 0 ? W_EXITCODE(0, end.signal) : W_EXITCODE(end.status, 0));
  drain_ring(block_, sink);
  normal_ = block_.result.outcome == OutcomeKind::kCompleted && end.signal == 0;
  // A handler that never returned has left the kernel with the signals it blocks.
  if (!normal_ || rt::g.in_handler != 0) SystemCallWatch::undo().ended_abnormally();
}

bool RollbackExecutor::put_back(Depth depth) {
  why_ = SystemCallWatch::spoilt();
  if (why_[0] != 0) return false;
  streams_used_ = SystemCallWatch::undo().streams_used();
  if (!SystemCallWatch::undo().undo()) {
    why_ = "a signal was left pending, or the working directory is gone";
    return false;
  }
  surprised_ = false;
  if (depth == Depth::kKnownLines) {
    snapshot_->restore_known_lines();
    return true;
  }
  const char* failed = nullptr;
  surprised_ =
      !snapshot_->restore(depth == Depth::kCompare ? Snapshot::Where::kInUse : Snapshot::Where::kEverywhere, failed);
  if (failed != nullptr) why_ = failed;
  return failed == nullptr;
}

}  // namespace ravel
