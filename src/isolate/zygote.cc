// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The zygote: the program's process stopped before its static constructors. It forks workers and outlives them; a
// worker that dies is replaced, and the new one goes on from the arena in shared memory.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/campaign.h"
#include "isolate/isolated_executor.h"
#include "isolate/worker_watch.h"
#include "runtime/core/raw.h"
#include "runtime/core/real.h"
#include "runtime/core/signals.h"
#include "runtime/core/state.h"
#include "runtime/core/takeover.h"
#include "runtime/fiber/carrier.h"
#include "runtime/intercept/export.h"

namespace ravel {

namespace {

using rt::raw_syscall;

// Workers that die in a row without finishing a single execution: of their own doing, or killed by somebody else.
constexpr int kFruitlessRestarts = 3;
constexpr int kFruitlessKills = 50;

[[noreturn]] void leave(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

[[noreturn]] void work(SharedBlock& block, const rt::ProgramEntry& entry) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  block.control.worker_pid.store(static_cast<std::int32_t>(raw_syscall(SYS_getpid)));
  IsolatedExecutor executor(block, entry);
  run_campaign(block, executor);
  block.progress.done.store(1, std::memory_order_release);
  leave(0);
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

[[noreturn]] void serve(const rt::ProgramEntry& entry) {
  SharedBlock& block = *rt::g.block;
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  rt::prepare_main_slot();
  if (block.campaign.mode == RunMode::kDirect) rt::run_program(entry);
  rt::watch_fatal_signals();
  rt::watch_exit();
  rt::prepare_carriers(rt::kPreparedCarriers);
  std::uint32_t carriers = 0;  // beyond those
  std::uint64_t finished_before = 0;
  int fruitless = 0;
  for (;;) {
    if (const std::uint32_t wanted = block.isolation.carriers.load(); wanted > carriers) {
      rt::prepare_carriers(wanted - carriers);
      carriers = wanted;
    }
    const pid_t worker = _Fork();
    if (worker == 0) work(block, entry);
    if (worker < 0) rt::fatal("cannot fork a worker");
    const WorkerEnd end = await_worker(block, worker);
    const int status = end.wait_status;
    if (block.progress.done.load(std::memory_order_acquire) != 0) leave(0);
    const bool retired = WIFEXITED(status) && WEXITSTATUS(status) == kRetired;
    if (!retired) block.progress.worker_restarts.fetch_add(1);
    // Somebody else's SIGKILL says nothing about the program.
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !end.hung;
    if (killed) block.isolation.inside.store(0);
    block.control.worker_killed.store(killed ? 1 : 0);
    const std::uint64_t finished = block.progress.executions.load();
    fruitless = finished == finished_before ? fruitless + 1 : 0;
    finished_before = finished;
    if (fruitless >= (killed ? kFruitlessKills : kFruitlessRestarts)) {
      give_up(block, status, fruitless);
      leave(4);
    }
  }
}

}  // namespace

}  // namespace ravel

RAVEL_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                   void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  using namespace ravel;
  if (rt::g.block == nullptr) return rt::real().__libc_start_main(main, argc, argv, init, fini, rtld_fini, stack_end);
  serve({main, argc, argv, init, fini, rtld_fini, stack_end});
}
