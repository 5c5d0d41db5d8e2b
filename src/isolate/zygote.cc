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
#include "isolate/fork_executor.h"
#include "runtime/core/arguments.h"
#include "runtime/core/raw.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/takeover.h"
#include "runtime/fiber/carrier.h"
#include "runtime/intercept/export.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr std::uint32_t kPreparedCarriers = 16;
constexpr int kFruitlessRestarts = 3;  // workers that die in a row without finishing a single execution

[[noreturn]] void leave(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

[[noreturn]] void work(SharedBlock& block, const rt::ProgramEntry& entry) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  block.control.worker_pid.store(static_cast<std::int32_t>(raw_syscall(SYS_getpid)));
  ForkExecutor executor(block, entry);
  run_campaign(block, executor);
  block.progress.done.store(1, std::memory_order_release);
  leave(0);
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

[[noreturn]] void serve(rt::ProgramEntry entry) {
  SharedBlock& block = *rt::g.block;
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  rt::prepare_main_slot();
  rt::move_arguments(entry);
  if (block.campaign.mode == RunMode::kDirect) rt::run_program(entry);
  rt::prepare_carriers(kPreparedCarriers);
  std::uint64_t finished_before = 0;
  int fruitless = 0;
  for (;;) {
    const pid_t worker = _Fork();
    if (worker == 0) work(block, entry);
    if (worker < 0) rt::fatal("cannot fork a worker");
    int status = 0;
    while (raw_syscall(SYS_wait4, worker, reinterpret_cast<long>(&status), 0, 0) != worker) {
    }
    if (block.progress.done.load(std::memory_order_acquire) != 0) leave(0);
    block.progress.worker_restarts.fetch_add(1);
    const std::uint64_t finished = block.progress.executions.load();
    fruitless = finished == finished_before ? fruitless + 1 : 0;
    finished_before = finished;
    if (fruitless >= kFruitlessRestarts) {
      give_up(block, status);
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
