// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/fork_executor.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isolate/execution_result.h"
#include "isolate/process_state.h"
#include "isolate/progress_watch.h"
#include "isolate/scratch.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "wire/shared_block.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr int kFirstPollMs = 2;
constexpr int kPollMs = 1;
constexpr int kRetriesWhenKilled = 3;  // somebody else's SIGKILL is not the program's doing
constexpr std::uint64_t kDrainAt = kRingEvents / 8;

}  // namespace

ForkExecutor::ForkExecutor(SharedBlock& block, const rt::ExecutionStart& start, void* stack, const Streams& streams)
    : block_(block), start_(start), stack_(stack), streams_(streams) {}

void ForkExecutor::drain(EventSink& sink) {
  drain_ring(block_, sink);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&block_.ring_consumed), FUTEX_WAKE, INT_MAX);
}

void ForkExecutor::kill_hung(pid_t child) {
  hung_ = true;
  const bool blocked = describe_process(child, block_.result.message, kMessageBytes);
  block_.result.blocked_outside = blocked && others_may_run(child) ? 1 : 0;
  raw_syscall(SYS_kill, child, SIGKILL);
}

int ForkExecutor::supervise(pid_t child, EventSink& sink) {
  const int pidfd = static_cast<int>(raw_syscall(SYS_pidfd_open, child, 0));
  int status = 0;
  int timeout = kFirstPollMs;
  ProgressWatch watch(block_, child);
  for (;;) {
    pollfd waiting = {pidfd, POLLIN, 0};
    const long ended = raw_syscall(SYS_poll, reinterpret_cast<long>(&waiting), pidfd >= 0 ? 1 : 0, timeout);
    if (raw_syscall(SYS_wait4, child, reinterpret_cast<long>(&status), ended > 0 ? 0 : WNOHANG, 0) == child) break;
    timeout = kPollMs;
    const std::uint64_t events = block_.result.events.load(std::memory_order_relaxed);
    if (events - block_.ring_consumed.load(std::memory_order_relaxed) >= kDrainAt) drain(sink);
    if (!hung_ && watch.hangs()) kill_hung(child);
  }
  if (pidfd >= 0) raw_syscall(SYS_close, pidfd);
  return status;
}

void ForkExecutor::conclude(int status) {
  if (hung_) {
    block_.result.outcome = OutcomeKind::kHang;
  } else {
    conclude_result(block_.result, status);
  }
}

void ForkExecutor::run_once(EventSink& sink) {
  reset_result(block_);
  hung_ = false;
  streams_.rewind();
  const char* scratch = block_.campaign.scratch;
  if (scratch[0] != 0 && !prepare_scratch(scratch)) rt::fatal("cannot empty the scratch folder");
  const long worker = raw_syscall(SYS_getpid);
  const pid_t child = rt::real()._Fork();
  if (child == 0) {
    raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    // The worker may have been killed before that: the next one has the block now.
    if (raw_syscall(SYS_getppid) != worker) raw_syscall(SYS_exit_group, 0);
    if (scratch[0] != 0 && !enter_scratch(scratch)) rt::fatal("cannot enter the scratch folder");
    rt::run_execution(start_, stack_);
  }
  if (child < 0) rt::fatal("cannot fork an execution", static_cast<std::uint64_t>(errno));
  block_.control.child_pid.store(child, std::memory_order_relaxed);
  const int status = supervise(child, sink);
  block_.control.child_pid.store(0, std::memory_order_relaxed);
  conclude(status);
}

void ForkExecutor::execute(EventSink& sink) {
  for (int attempt = 0;; ++attempt) {
    run_once(sink);
    // A killed run can be repeated as long as nobody has looked at its events.
    const bool untouched = block_.ring_consumed.load(std::memory_order_relaxed) == 0;
    if (block_.result.outcome != OutcomeKind::kKilled || attempt == kRetriesWhenKilled || !untouched) break;
  }
  drain(sink);
}

}  // namespace ravel
