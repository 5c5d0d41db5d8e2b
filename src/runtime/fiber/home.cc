// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/fiber/home.h"

#include "runtime/fiber/context_switch.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel::rt {

Home g_home;

bool in_child_of_vfork() {
  return raw_syscall(SYS_getpid) != g.process;
}

bool has_home() {
  return g_home.open && !in_child_of_vfork();
}

void go_home(End end) {
  g_home.open = false;
  g_home.end = end;
  void* abandoned = nullptr;
  ravel_switch(&abandoned, g_home.sp, g_home.fs_base, has_fsgsbase() ? 1 : 0);
  __builtin_unreachable();
}

}  // namespace ravel::rt
