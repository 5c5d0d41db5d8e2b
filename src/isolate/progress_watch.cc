// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/progress_watch.h"

#include <time.h>

#include "isolate/monotonic.h"
#include "isolate/other_process.h"
#include "isolate/process_state.h"
#include "runtime/platform/raw.h"
#include "runtime/record/watch.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr std::uint64_t kLooksPerLimit = 16;  // within the limit

std::uint64_t processor_ms(pid_t process) {
  constexpr clockid_t kProcess = 2;  // CPUCLOCK_SCHED, as clock_getcpuclockid() makes it
  const clockid_t clock = static_cast<clockid_t>(~static_cast<unsigned>(process) << 3) | kProcess;
  timespec used = {};
  if (raw_syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(&used)) != 0) return 0;
  return static_cast<std::uint64_t>(used.tv_sec) * 1000 + static_cast<std::uint64_t>(used.tv_nsec) / 1'000'000;
}

}  // namespace

ProgressWatch::Sample ProgressWatch::sample() const {
  return {block_.result.steps.load(std::memory_order_relaxed),
          block_.progress.executions.load(std::memory_order_relaxed), read_variable(process_, rt::g_callouts),
          read_variable(process_, rt::g.live), processor_ms(process_)};
}

// The driver sees only the block.
void ProgressWatch::show_progress() {
  block_.progress.signs_of_life.fetch_add(1, std::memory_order_relaxed);
}

bool ProgressWatch::hangs() {
  const std::uint64_t limit = block_.campaign.hang_ms;
  const std::uint64_t interval = limit / kLooksPerLimit > 0 ? limit / kLooksPerLimit : 1;
  const std::uint64_t now = now_ms();
  if (now < next_ms_) return false;
  const bool first = next_ms_ == 0;
  const Sample seen = sample();
  const Sample before = last_;
  const bool moved =
      seen.steps != before.steps || seen.executions != before.executions || seen.entries != before.entries || first;
  const std::uint64_t computed = seen.cpu_ms - before.cpu_ms;
  // No look for longer than that: we were stopped (Ctrl-Z), and the process with us.
  const std::uint64_t since = first ? 0 : now - next_ms_ + interval;
  const std::uint64_t passed = since < 2 * interval ? since : 2 * interval;
  last_ = seen;
  next_ms_ = now + interval;
  if (moved) {
    const bool shown = seen.steps != before.steps || seen.executions != before.executions;
    if (!shown && !first) show_progress();
    blocked_ms_ = computed_ms_ = 0;
    return false;
  }
  const bool waits = computed == 0 && !is_running(process_);
  if (waits) blocked_ms_ += passed;
  if (seen.live > 1) computed_ms_ += computed;
  // It computes, or would if it had a processor: how long is measured here, and the driver leaves it to us.
  if (!waits) show_progress();
  return blocked_ms_ >= limit || computed_ms_ >= block_.campaign.busy_ms;
}

}  // namespace ravel
