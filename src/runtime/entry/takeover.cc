// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/entry/takeover.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>

#include "runtime/ending/debugger.h"
#include "runtime/ending/finish.h"
#include "runtime/entry/body.h"
#include "runtime/fiber/carrier.h"
#include "runtime/fiber/context_switch.h"
#include "runtime/fiber/tls.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/record/access_filter.h"
#include "runtime/record/function_regions.h"
#include "runtime/record/objects.h"
#include "runtime/record/points.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/stack_check.h"
#include "runtime/signals/signals.h"
#include "runtime/state/locations.h"
#include "runtime/sync/forked_child.h"
#include "runtime/sync/lifecycle.h"
#include "runtime/world/foreign_threads.h"
#include "runtime/world/instructions.h"
#include "wire/facts_table.h"
#include "wire/shared_tree.h"

namespace ravel::rt {

namespace {

int (*user_main)(int, char**, char**) = nullptr;
ProgramEntry program;

// A debugger starts the program again and again: the one before is gone then.
bool may_follow(int fd, std::uint32_t owner) {
  RunMode mode = RunMode::kExplore;
  const long at = offsetof(SharedBlock, campaign) + offsetof(Campaign, mode);
  const long got = raw_syscall(SYS_pread64, fd, reinterpret_cast<long>(&mode), sizeof mode, at);
  return got == static_cast<long>(sizeof mode) && mode == RunMode::kDirect &&
         raw_syscall(SYS_kill, static_cast<long>(owner), 0) == -ESRCH;
}

// Several processes search one tree: each has it at the same address.
void map_tree(Campaign& campaign) {
  campaign.tree = 0;
  if (campaign.tree_fd < 0) return;
  const long mapped = raw_syscall(SYS_mmap, static_cast<long>(kTreeAddress), kTreeBytes, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, campaign.tree_fd, 0);
  if (mapped != static_cast<long>(kTreeAddress))
    fatal("cannot map the search that is shared", static_cast<std::uint64_t>(-mapped));
  raw_syscall(SYS_close, campaign.tree_fd);
  campaign.tree = kTreeAddress;
}

// Facts are the tool's: nobody here can write them.
void map_facts(Campaign& campaign) {
  campaign.facts = 0;
  if (campaign.facts_fd < 0) return;
  const auto bytes = static_cast<long>(campaign.facts_bytes);
  const long mapped = raw_syscall(SYS_mmap, static_cast<long>(kFactsAddress), bytes, PROT_READ,
                                  MAP_SHARED | MAP_FIXED_NOREPLACE, campaign.facts_fd, 0);
  if (mapped != static_cast<long>(kFactsAddress)) fatal("cannot map the facts", static_cast<std::uint64_t>(-mapped));
  raw_syscall(SYS_close, campaign.facts_fd);
  if (!is_facts_table(*reinterpret_cast<const FactsTableHeader*>(kFactsAddress), campaign.facts_bytes))
    fatal("the facts are not of this version", campaign.facts_bytes);
  campaign.facts = kFactsAddress;
}

// The descriptor named in the environment, if it really is a block made for this process.
SharedBlock* claim_control() {
  const char* text = getenv(kControlVariable);
  if (text == nullptr) return nullptr;
  const int fd = atoi(text);
  unsetenv(kControlVariable);
  unsetenv("LD_BIND_NOW");
  if (getenv(kNoFsgsbaseVariable) != nullptr) forbid_fsgsbase();
  unsetenv(kNoFsgsbaseVariable);
  Header header;
  if (raw_syscall(SYS_pread64, fd, reinterpret_cast<long>(&header), sizeof header, 0) !=
      static_cast<long>(sizeof header))
    return nullptr;
  if (header.magic != kWireMagic) return nullptr;
  const auto pid = static_cast<std::uint32_t>(raw_syscall(SYS_getpid));
  const bool follows = header.owner_pid != 0 && header.owner_pid != pid && may_follow(fd, header.owner_pid);
  if (header.owner_pid != 0 && header.owner_pid != pid && !follows) return nullptr;
  if (header.version != kWireVersion || header.block_bytes != sizeof(SharedBlock)) {
    write_error(
        "ravel: the program was linked with another version of the runtime than this tool's: build it again with "
        "`ravel c++'\n");
    raw_syscall(SYS_exit_group, 4);
  }
  const long mapped = raw_syscall(SYS_mmap, static_cast<long>(kSharedAddress), sizeof(SharedBlock),
                                  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
  if (mapped != static_cast<long>(kSharedAddress))
    fatal("cannot map the control memory", static_cast<std::uint64_t>(-mapped));
  auto* block = reinterpret_cast<SharedBlock*>(mapped);
  if (header.owner_pid == 0 || follows) block->header.owner_pid = pid;
  raw_syscall(SYS_close, fd);
  map_tree(block->campaign);
  map_facts(block->campaign);
  return block;
}

bool at_fork = false;

__attribute__((constructor(101))) void take_over() {
  (void)real();
  g.block = claim_control();
  if (g.block == nullptr) return;
  set_invariant_handler(stop_at_broken_invariant);
  look_around();
  if (!has_fsgsbase()) g.block->control.notes.fetch_or(kNoteNoFsgsbase);
  const int persona = personality(0xffffffff);  // a filter may refuse even the question
  if (persona < 0 || (persona & ADDR_NO_RANDOMIZE) == 0) g.block->control.notes.fetch_or(kNoteAslrOn);
  g.block->control.zygote_pid.store(static_cast<std::int32_t>(raw_syscall(SYS_getpid)));
  g.block->control.ready.store(1, std::memory_order_release);
}

int controlled_main(int argc, char** argv, char** environment) {
  const auto stack_here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const int status = user_main(argc, argv, environment);
  // Shown as a place in main, whose return address is ours.
  const LocationId location = location_of(reinterpret_cast<std::uintptr_t>(user_main) + 1);
  if (!g.preparing) look_for_users_of_main(stack_here, location);
  note_exit(status, Ending::kHandlers, location);
  real().exit(status);
  __builtin_unreachable();
}

void enter_program(void*) {
  real().__libc_start_main(controlled_main, program.argc, program.argv, program.init, program.fini, program.rtld_fini,
                           program.stack_end);
  fatal("the program's start returned");
}

void start_on(const ExecutionStart& start, void* stack, void** here) {
  ravel_switch(here, make_context(stack, start.run, start.argument), read_fs_base(), has_fsgsbase() ? 1 : 0);
}

// Runs after all other exit handlers, having been registered before them. What exit does after it cannot be taken over.
void leave_from_exit(int status, void*) {
  if (!g.in_control) return;
  note_end_of_exit();
  if (!g_home.open) return;
  fcloseall();
  go_home({status, 0});
}

void leave_from_quick_exit() {
  if (!g.in_control) return;
  note_end_of_exit();
  end_process(g.exit_status);
}

}  // namespace

void look_around() {
  list_modules();
  begin_region_functions();
  make_filter();
  find_instructions();
  list_tls_images();
  if (!at_fork) pthread_atfork(nullptr, nullptr, let_child_go);
  at_fork = true;
}

void watch_exit() {
  on_exit(leave_from_exit, nullptr);
  at_quick_exit(leave_from_quick_exit);
}

void begin_execution() {
  g.direct = g.block->campaign.mode == RunMode::kDirect;
  if (!g_home.open) g.process = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  begin_counting_threads();
  begin_recorder();
  begin_objects();
  begin_points();
  begin_filter();
  begin_schedule();
}

// What is shared is not its business.
void let_child_go() {
  if (!g.in_control) return;
  enter_child();
  release_time_stamp_counter();
  g.in_control = false;
  g_watch = false;
  g.block = nullptr;
  g_home.open = false;
}

void run_program(const ProgramEntry& entry) {
  program = entry;
  user_main = entry.main;
  begin_execution();
  if (g.direct) begin_debugging();
  if (!g.direct) watch_fatal_signals();
  if (!g.direct) trap_time_stamp_counter();
  begin_main_thread();
  g.block->result.started = 1;
  g.in_control = true;
  void* abandoned = nullptr;
  ravel_switch(&abandoned, make_context(stack_top(0), enter_program, nullptr), thread_pointer(0),
               has_fsgsbase() ? 1 : 0);
  fatal("the main thread came back");
}

void prepare_program(const ProgramEntry& entry) {
  g.preparing = true;
  put_plan_aside();
  run_program(entry);
}

void run_execution(const ExecutionStart& start, void* stack) {
  void* abandoned = nullptr;
  start_on(start, stack, &abandoned);
  fatal("an execution came back");
}

End run_execution_and_return(const ExecutionStart& start, void* stack, const Home& home) {
  g_home = home;
  g_home.fs_base = read_fs_base();
  g_home.open = true;
  start_on(start, stack, &g_home.sp);
  return g_home.end;
}

}  // namespace ravel::rt
