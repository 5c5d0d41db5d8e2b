// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/fiber/signal_mask.h"

#include <signal.h>

#include "runtime/fiber/home.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {
constexpr std::uint64_t kUnblockable = (std::uint64_t{1} << (SIGKILL - 1)) | (std::uint64_t{1} << (SIGSTOP - 1));
}  // namespace

std::uint64_t process_signal_mask() {
  std::uint64_t mask = 0;
  call_for_program(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&mask), 8);
  return mask;
}

void apply_signal_mask(const VirtualThread& thread) {
  std::uint64_t mask = thread.signal_mask;
  call_for_program(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), 0, 8);
}

void set_signal_mask(std::uint64_t mask) {
  VirtualThread& self = *g.current;
  self.signal_mask = mask & ~kUnblockable;
  self.mask_stale = false;
  apply_signal_mask(self);
}

void refresh_signal_mask(VirtualThread& running) {
  running.signal_mask = process_signal_mask();
  running.mask_stale = false;
}

}  // namespace ravel::rt
