// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/identity.h"

#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel::rt {

bool is_controlled_process() {
  return g.in_control && raw_syscall(SYS_getpid) == g.process;
}

pid_t virtual_thread_number() {
  return kVirtualProcess + static_cast<pid_t>(g.current->index);
}

bool is_own_thread(pid_t number) {
  return number >= kVirtualProcess && number < kVirtualProcess + static_cast<pid_t>(kMaxThreads);
}

pid_t kernel_process(pid_t number) {
  return is_own_thread(number) ? g.process : number;
}

}  // namespace ravel::rt
