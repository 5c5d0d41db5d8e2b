// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/free_run.h"

#include <sys/wait.h>

#include <algorithm>
#include <thread>

#include "driver/free_watch.h"
#include "driver/interrupt.h"

namespace ravel {
namespace {

constexpr std::chrono::microseconds kFirstNap{200};
constexpr std::chrono::microseconds kLongestNap{20'000};
constexpr std::chrono::milliseconds kFirstLook{20};

// What a hung program was doing.
std::vector<ThreadWait> waits_of(const FreeBlock& block) {
  std::vector<ThreadWait> out;
  const std::uint32_t count = std::min(block.thread_count.load(), kFreeThreads);
  for (std::uint32_t i = 0; i < count; ++i) {
    const FreeThread& thread = block.threads[i];
    if (thread.state.load() != FreeThreadState::kLive) continue;
    ThreadWait wait;
    wait.thread = i;
    const OpKind kind = thread.waits.load();
    wait.kind = kind < OpKind::kCount ? kind : OpKind::kNone;
    wait.frames = frames_of(thread);
    out.push_back(wait);
  }
  return out;
}

}  // namespace

Result<FreeRecord> run_free(const FreeRunOptions& options, const FreeRequest& request,
                            const std::function<void(const FreeBlock&)>& look) {
  const Clock::time_point started = Clock::now();
  auto process = FreeProcess::start(options.program, options.library, request);
  if (!process) return tl::make_unexpected(process.error());
  FreeProcess& run = **process;
  FreeWatch watch(run, options.hang);
  FreeStop stop = FreeStop::kNone;
  std::chrono::microseconds nap = kFirstNap;
  while (!run.has_ended() && stop == FreeStop::kNone) {
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 5 / 4, kLongestNap);
    const Clock::time_point now = Clock::now();
    run.output().bound();
    if (now - started > kFirstLook) stop = watch.look(now);
    if (InterruptGuard::interrupted() || options.deadline.passed(now)) stop = FreeStop::kInterrupted;
  }
  if (run.has_ended()) stop = FreeStop::kNone;  // it ended while it was looked at
  const std::vector<ThreadWait> waiting = stop == FreeStop::kHang ? waits_of(run.block()) : std::vector<ThreadWait>{};
  run.kill();
  FreeRecord record = read_free_run(run, stop, options.expect_exit);
  record.waiting = waiting;
  if (stop == FreeStop::kDeadlock) record.stuck = watch.stuck();
  record.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  if (look) look(run.block());
  return record;
}

}  // namespace ravel
