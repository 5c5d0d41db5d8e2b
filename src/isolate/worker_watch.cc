// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/worker_watch.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "isolate/monotonic.h"
#include "isolate/progress_watch.h"
#include "runtime/platform/raw.h"

namespace ravel {

using rt::raw_syscall;

WorkerEnd await_worker(SharedBlock& block, pid_t worker, std::uint64_t deadline) {
  constexpr int kSliceMs = 20;
  const std::uint64_t interval = block.campaign.hang_ms / 16;
  const bool hurried = deadline != 0 || interval < kSliceMs;
  const int pidfd = static_cast<int>(raw_syscall(SYS_pidfd_open, worker, 0));
  const int patience = hurried || pidfd < 0 ? kSliceMs : static_cast<int>(interval < 10'000 ? interval : 10'000);
  WorkerEnd end;
  ProgressWatch watch(block, worker);
  for (;;) {
    pollfd waiting = {pidfd, POLLIN, 0};
    raw_syscall(SYS_poll, reinterpret_cast<long>(&waiting), pidfd >= 0 ? 1 : 0, patience);
    if (raw_syscall(SYS_wait4, worker, reinterpret_cast<long>(&end.wait_status), WNOHANG, 0) == worker) break;
    if (deadline != 0 && now_ms() >= deadline) block.control.stop.store(1, std::memory_order_relaxed);
    const bool inside = block.isolation.inside.load(std::memory_order_relaxed) != 0 &&
                        block.control.child_pid.load(std::memory_order_relaxed) == 0;
    if (!inside) watch.restart();
    if (inside && !end.hung && watch.hangs()) {
      end.hung = true;
      raw_syscall(SYS_kill, worker, SIGKILL);
    }
  }
  if (pidfd >= 0) raw_syscall(SYS_close, pidfd);
  return end;
}

}  // namespace ravel
