// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/worker_watch.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "isolate/monotonic.h"
#include "runtime/platform/raw.h"

namespace ravel {

using rt::raw_syscall;

WorkerEnd await_worker(SharedBlock& block, pid_t worker, std::uint64_t deadline) {
  // Looked at four times within the limit; a hang is seen after at most a quarter more.
  const auto limit = static_cast<int>(block.campaign.hang_ms < 400'000 ? block.campaign.hang_ms : 400'000);
  const int interval = limit / 4 > 0 ? limit / 4 : 1;
  constexpr int kSliceMs = 20;
  const int pidfd = static_cast<int>(raw_syscall(SYS_pidfd_open, worker, 0));
  WorkerEnd end;
  std::uint64_t last_executions = 0;
  std::uint64_t last_steps = 0;
  int still = 0;  // looks in a row at which nothing had moved
  std::uint64_t next_look = now_ms() + static_cast<std::uint64_t>(interval);
  for (;;) {
    pollfd waiting = {pidfd, POLLIN, 0};
    const int patience = deadline != 0 || pidfd < 0 ? kSliceMs : interval;
    raw_syscall(SYS_poll, reinterpret_cast<long>(&waiting), pidfd >= 0 ? 1 : 0, patience);
    if (raw_syscall(SYS_wait4, worker, reinterpret_cast<long>(&end.wait_status), WNOHANG, 0) == worker) break;
    const std::uint64_t now = now_ms();
    if (deadline != 0 && now >= deadline) block.control.stop.store(1, std::memory_order_relaxed);
    if (now < next_look) continue;
    next_look = now + static_cast<std::uint64_t>(interval);
    const std::uint64_t executions = block.progress.executions.load(std::memory_order_relaxed);
    const std::uint64_t steps = block.result.steps.load(std::memory_order_relaxed);
    const bool inside = block.isolation.inside.load(std::memory_order_relaxed) != 0 &&
                        block.control.child_pid.load(std::memory_order_relaxed) == 0;
    still = inside && executions == last_executions && steps == last_steps ? still + 1 : 0;
    last_executions = executions;
    last_steps = steps;
    if (still > 4 && !end.hung) {
      end.hung = true;
      raw_syscall(SYS_kill, worker, SIGKILL);
    }
  }
  if (pidfd >= 0) raw_syscall(SYS_close, pidfd);
  return end;
}

}  // namespace ravel
