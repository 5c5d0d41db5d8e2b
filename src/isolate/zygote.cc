// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The zygote: the program's process stopped where executions begin. That is before its static constructors, or, when
// the plan names a call of explore(), at that call (explore_call.cc). It forks workers and outlives them.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "isolate/campaign_server.h"
#include "isolate/execution_result.h"
#include "runtime/entry/arguments.h"
#include "runtime/entry/takeover.h"
#include "runtime/fiber/carrier.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

using rt::raw_syscall;

void run_whole(void* entry) {
  rt::run_program(*static_cast<const rt::ProgramEntry*>(entry));
}

[[noreturn]] void serve(rt::ProgramEntry entry) {
  SharedBlock& block = *rt::g.block;
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  rt::prepare_main_slot();
  rt::move_arguments(entry);
  if (block.campaign.mode != RunMode::kDirect) rt::watch_exit();
  const bool direct = block.campaign.mode == RunMode::kDirect;
  if (!direct) rt::prepare_carriers(rt::kPreparedCarriers);
  if (block.campaign.base.explore_call != 0) rt::prepare_program(entry);
  if (direct) reset_result(block);  // it may be the second run under the debugger
  if (direct) rt::run_program(entry);
  const bool over = serve_campaign(block, {run_whole, &entry}, {});
  for (;;) raw_syscall(SYS_exit_group, over ? 0 : 4);
}

}  // namespace

}  // namespace ravel

RAVEL_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                   void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  using namespace ravel;
  if (rt::g.block == nullptr) return rt::real().__libc_start_main(main, argc, argv, init, fini, rtld_fini, stack_end);
  serve({main, argc, argv, init, fini, rtld_fini, stack_end});
}
