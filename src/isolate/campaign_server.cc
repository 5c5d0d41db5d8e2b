// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/campaign_server.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/campaign.h"
#include "isolate/fork_executor.h"
#include "runtime/core/raw.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr int kFruitlessRestarts = 3;  // workers that die in a row without finishing a single execution
constexpr int kSliceMs = 20;

[[noreturn]] void work(SharedBlock& block, const rt::ExecutionStart& start, const int* streams) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; streams != nullptr && i < 3; ++i) raw_syscall(SYS_dup2, streams[i], i);
  block.control.worker_pid.store(static_cast<std::int32_t>(raw_syscall(SYS_getpid)));
  ForkExecutor executor(block, start);
  run_campaign(block, executor);
  block.progress.done.store(1, std::memory_order_release);
  for (;;) raw_syscall(SYS_exit_group, 0);
}

void give_up(SharedBlock& block, int status) {
  rt::TextBuffer out(block.control.error_text, kMessageBytes);
  out.text("the worker process died ")
      .decimal(kFruitlessRestarts)
      .text(" times in a row (wait status ")
      .hex(static_cast<unsigned>(status))
      .text(")");
  block.control.error = 1;
  block.progress.done.store(1, std::memory_order_release);
}

std::uint64_t now_ms() {
  timespec t = {};
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&t));
  return static_cast<std::uint64_t>(t.tv_sec) * 1000 + static_cast<std::uint64_t>(t.tv_nsec) / 1'000'000;
}

// The worker notices the request after its present execution, whose length is bounded by steps and hang time.
int wait_for(pid_t worker, SharedBlock& block, std::uint64_t deadline) {
  int status = 0;
  const int options = deadline != 0 ? WNOHANG : 0;
  while (raw_syscall(SYS_wait4, worker, reinterpret_cast<long>(&status), options, 0) != worker) {
    if (deadline == 0) continue;
    if (now_ms() >= deadline) block.control.stop.store(1, std::memory_order_relaxed);
    raw_syscall(SYS_poll, 0, 0, kSliceMs);
  }
  return status;
}

}  // namespace

bool serve_campaign(SharedBlock& block, const rt::ExecutionStart& start, const ServiceOptions& options) {
  const std::uint64_t deadline = options.milliseconds != 0 ? now_ms() + options.milliseconds : 0;
  std::uint64_t finished_before = 0;
  int fruitless = 0;
  for (;;) {
    const pid_t worker = _Fork();
    if (worker == 0) work(block, start, options.streams);
    if (worker < 0) rt::fatal("cannot fork a worker");
    const int status = wait_for(worker, block, deadline);
    if (block.progress.done.load(std::memory_order_acquire) != 0) return true;
    block.progress.worker_restarts.fetch_add(1);
    const std::uint64_t finished = block.progress.executions.load();
    fruitless = finished == finished_before ? fruitless + 1 : 0;
    finished_before = finished;
    if (fruitless < kFruitlessRestarts) continue;
    give_up(block, status);
    return false;
  }
}

}  // namespace ravel
