// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/campaign_server.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/campaign.h"
#include "isolate/engine_stack.h"
#include "isolate/isolated_executor.h"
#include "isolate/monotonic.h"
#include "isolate/private_tmp.h"
#include "isolate/worker_watch.h"
#include "runtime/fiber/carrier.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/signals/signals.h"
#include "wire/shared_block.h"

namespace ravel {

namespace {

using rt::raw_syscall;

// Workers that die in a row without finishing a single execution: of their own doing, or killed by somebody else.
constexpr int kFruitlessRestarts = 3;
constexpr int kFruitlessKills = 50;
constexpr std::size_t kBelow = 1024;  // room for what the compiler keeps below a frame

struct Worker {
  SharedBlock& block;
  rt::ExecutionStart start;
  void* stack;
};

[[noreturn]] void leave(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

void run_engine(void* argument) {
  const Worker& worker = *static_cast<const Worker*>(argument);
  if (const char* scratch = worker.block.campaign.scratch; scratch[0] != 0) enter_private_tmp(scratch);
  IsolatedExecutor executor(worker.block, worker.start, worker.stack);
  run_campaign(worker.block, executor);
  worker.block.progress.done.store(1, std::memory_order_release);
  leave(0);
}

[[noreturn]] void work(SharedBlock& block, const rt::ExecutionStart& start, const int* streams) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; streams != nullptr && i < 3; ++i) raw_syscall(SYS_dup2, streams[i], i);
  block.control.worker_pid.store(static_cast<std::int32_t>(raw_syscall(SYS_getpid)));
  rt::watch_fatal_signals();
  Worker worker{block, start, static_cast<char*>(__builtin_frame_address(0)) - kBelow};
  continue_on_engine_stack(run_engine, &worker);
}

void give_up(SharedBlock& block, int status, int times) {
  rt::TextBuffer out(block.control.error_text, kMessageBytes);
  out.text("the worker process died ")
      .decimal(static_cast<std::uint64_t>(times))
      .text(" times in a row (wait status ")
      .hex(static_cast<unsigned>(status))
      .text(")");
  block.control.error = 1;
  block.progress.done.store(1, std::memory_order_release);
}

// A worker found that its program has more threads than were prepared.
void prepare_more_carriers(const SharedBlock& block, std::uint32_t& extra) {
  const std::uint32_t wanted = block.isolation.carriers.load();
  if (wanted <= extra || wanted > rt::kMaxLive) return;
  rt::prepare_carriers(wanted - extra);
  extra = wanted;
}

}  // namespace

bool serve_campaign(SharedBlock& block, const rt::ExecutionStart& start, const ServiceOptions& options) {
  const std::uint64_t deadline = options.milliseconds != 0 ? now_ms() + options.milliseconds : 0;
  std::uint64_t finished_before = 0;
  std::uint32_t extra_carriers = 0;
  int fruitless = 0;
  for (;;) {
    prepare_more_carriers(block, extra_carriers);
    const pid_t worker = rt::real()._Fork();
    if (worker == 0) work(block, start, options.streams);
    if (worker < 0) rt::fatal("cannot fork a worker");
    const WorkerEnd end = await_worker(block, worker, deadline);
    if (block.progress.done.load(std::memory_order_acquire) != 0) return true;
    const int status = end.wait_status;
    const bool retired = WIFEXITED(status) && WEXITSTATUS(status) == kRetired;
    if (!retired) block.progress.worker_restarts.fetch_add(1);
    // Somebody else's SIGKILL says nothing about the program.
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !end.hung;
    if (killed) block.isolation.inside.store(0);
    block.control.worker_killed.store(killed ? 1 : 0);
    const std::uint64_t finished = block.progress.executions.load();
    fruitless = finished == finished_before ? fruitless + 1 : 0;
    finished_before = finished;
    if (fruitless < (killed ? kFruitlessKills : kFruitlessRestarts)) continue;
    give_up(block, status, fruitless);
    return false;
  }
}

}  // namespace ravel
