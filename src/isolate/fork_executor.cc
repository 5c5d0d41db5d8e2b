// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/fork_executor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "isolate/process_state.h"
#include "isolate/scratch.h"
#include "runtime/core/raw.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr int kFirstPollMs = 2;
constexpr int kPollMs = 1;
constexpr int kRetriesWhenKilled = 3;  // somebody else's SIGKILL is not the program's doing
constexpr std::uint64_t kDrainAt = kRingEvents / 8;

std::uint64_t now_ms() {
  timespec t = {};
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&t));
  return static_cast<std::uint64_t>(t.tv_sec) * 1000 + static_cast<std::uint64_t>(t.tv_nsec) / 1'000'000;
}

bool is_regular_file(int fd) {
  struct stat status = {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

void empty_file(int fd) {
  raw_syscall(SYS_ftruncate, fd, 0);
  raw_syscall(SYS_lseek, fd, 0, SEEK_SET);
}

}  // namespace

ForkExecutor::ForkExecutor(SharedBlock& block, const rt::ProgramEntry& entry)
    : block_(block),
      entry_(entry),
      capture_(block.campaign.show_output == 0 && is_regular_file(1) && is_regular_file(2)) {}

void ForkExecutor::reset() {
  // Everything before the tables is plain scalars whose empty value is zero.
  memset(static_cast<void*>(&block_.result), 0, offsetof(ExecutionResult, waiting_table));
  block_.ring_consumed.store(0, std::memory_order_relaxed);
  hung_ = false;
  if (capture_) {
    empty_file(1);
    empty_file(2);
  }
  if (is_regular_file(0)) raw_syscall(SYS_lseek, 0, 0, SEEK_SET);
}

void ForkExecutor::drain(EventSink& sink) {
  const std::uint64_t events = block_.result.events.load(std::memory_order_acquire);
  std::uint64_t consumed = block_.ring_consumed.load(std::memory_order_relaxed);
  if (events < consumed || events - consumed > kRingEvents) return;  // scribbled on
  while (consumed < events) {
    const std::uint64_t at = consumed & (kRingEvents - 1);
    const std::uint64_t count = events - consumed < kRingEvents - at ? events - consumed : kRingEvents - at;
    sink.consume({block_.ring + at, count}, consumed);
    consumed += count;
  }
  block_.ring_consumed.store(consumed, std::memory_order_release);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&block_.ring_consumed), FUTEX_WAKE, INT_MAX);
}

void ForkExecutor::kill_hung(pid_t child) {
  hung_ = true;
  describe_process(child, block_.result.message, kMessageBytes);
  raw_syscall(SYS_kill, child, SIGKILL);
}

int ForkExecutor::supervise(pid_t child, EventSink& sink) {
  const int pidfd = static_cast<int>(raw_syscall(SYS_pidfd_open, child, 0));
  int status = 0;
  int timeout = kFirstPollMs;
  std::uint64_t last_steps = 0;
  std::uint64_t last_progress = 0;  // looked up only when the child takes its time
  for (;;) {
    pollfd waiting = {pidfd, POLLIN, 0};
    const long ended = raw_syscall(SYS_poll, reinterpret_cast<long>(&waiting), pidfd >= 0 ? 1 : 0, timeout);
    if (raw_syscall(SYS_wait4, child, reinterpret_cast<long>(&status), ended > 0 ? 0 : WNOHANG, 0) == child) break;
    timeout = kPollMs;
    const std::uint64_t events = block_.result.events.load(std::memory_order_relaxed);
    if (events - block_.ring_consumed.load(std::memory_order_relaxed) >= kDrainAt) drain(sink);
    const std::uint64_t steps = block_.result.steps.load(std::memory_order_relaxed);
    const std::uint64_t now = now_ms();
    if (steps != last_steps || last_progress == 0) {
      last_steps = steps;
      last_progress = now;
    } else if (now - last_progress > block_.campaign.hang_ms && !hung_) {
      kill_hung(child);
    }
  }
  if (pidfd >= 0) raw_syscall(SYS_close, pidfd);
  return status;
}

void ForkExecutor::conclude(int status) {
  ExecutionResult& result = block_.result;
  if (hung_) {
    result.outcome = OutcomeKind::kHang;
    return;
  }
  const bool open = result.outcome == OutcomeKind::kNotRun || result.outcome == OutcomeKind::kCompleted;
  if (WIFSIGNALED(status) && open) {
    result.signal = WTERMSIG(status);
    result.outcome = result.signal == SIGKILL ? OutcomeKind::kKilled : OutcomeKind::kSignal;
    if (result.message[0] == 0) {
      rt::TextBuffer out(result.message, kMessageBytes);
      const char* name = sigabbrev_np(result.signal);
      out.text(name != nullptr ? "killed by SIG" : "killed by a signal ").text(name);
    }
  } else if (WIFEXITED(status) && open) {
    // Also ends that the runtime does not see, such as _exit by a raw system call.
    result.outcome = OutcomeKind::kCompleted;
    result.exit_status = WEXITSTATUS(status);
  }
}

void ForkExecutor::run_once(EventSink& sink) {
  reset();
  const char* scratch = block_.campaign.scratch;
  if (scratch[0] != 0 && !prepare_scratch(scratch)) rt::fatal("cannot empty the scratch folder");
  const pid_t child = _Fork();
  if (child == 0) {
    raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (scratch[0] != 0 && !enter_scratch(scratch)) rt::fatal("cannot enter the scratch folder");
    rt::run_program(entry_);
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
