// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/foreign_threads.h"

#include <sys/stat.h>

#include "runtime/fiber/carrier.h"
#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {

std::uint64_t tasks_at_start = 0;
std::uint32_t carriers_at_start = 0;

// Folders count their subfolders as links, and each thread is one. 0: unknown.
std::uint64_t count_tasks() {
  struct stat status = {};
  if (raw_syscall(SYS_stat, reinterpret_cast<long>("/proc/self/task"), reinterpret_cast<long>(&status)) != 0) return 0;
  return status.st_nlink;
}

}  // namespace

void begin_counting_threads() {
  // Inside the worker every way to make one is seen by isolate/system_call_rules.cc, and this would be most of the
  // cost.
  tasks_at_start = g_home.open ? 0 : count_tasks();
  carriers_at_start = carriers_made();
}

void note_foreign_threads() {
  if (tasks_at_start == 0) return;
  const std::uint64_t known = tasks_at_start + (carriers_made() - carriers_at_start);
  if (count_tasks() > known) note(kNoteForeignThreads);
}

}  // namespace ravel::rt
