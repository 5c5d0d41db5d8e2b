// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/end_watch.h"
#include "driver/interrupt.h"
#include "driver/watchdog.h"

namespace ravel {
namespace {

Result<void> fill(SharedBlock& block, const ReplayOptions& options, RunMode mode) {
  if (options.prefix.size() > kMaxSegments || options.racy.size() > kMaxRacyLocations) {
    return usage_error("the schedule is too long", fmt::format("{} segments", options.prefix.size()));
  }
  Campaign& campaign = block.campaign;
  campaign.mode = mode;
  campaign.repeat = options.repeat;
  campaign.expect_exit = options.expect_exit;
  campaign.hang_ms = options.hang_ms;
  campaign.busy_ms = options.busy_ms;
  campaign.detectors = options.detectors;
  campaign.show_output = options.program.pass_output ? 1 : 0;
  campaign.export_fd = options.export_fd;
  request_coverage(options.coverage, campaign);
  campaign.facts_fd = options.facts ? options.facts->descriptor() : -1;
  campaign.facts_bytes = options.facts ? options.facts->bytes() : 0;
  campaign.base = options.plan;
  campaign.base.prefix_segments = static_cast<std::uint32_t>(options.prefix.size());
  campaign.base.racy_locations = static_cast<std::uint32_t>(options.racy.size());
  if (auto written = write_sequence(block, campaign.base, options.sequence); !written) return written;
  block.plan = campaign.base;
  std::copy(options.prefix.begin(), options.prefix.end(), block.prefix);
  std::copy(options.racy.begin(), options.racy.end(), block.racy);
  return {};
}

// Until it has ended, or has to be ended.
Result<void> watch(Session& session, const ReplayOptions& options) {
  SharedBlock& block = session.block();
  Watchdog watchdog(Clock::now(), Budget{}, std::chrono::milliseconds(options.hang_ms), options.deadline);
  const Clock::time_point begun = Clock::now();
  Clock::time_point looked = begun;
  while (session.poll() == SessionState::kRunning) {
    if (block.control.error != 0) break;
    session.bound_capture();
    const SessionFacts facts{false, session.runtime_ready(), block.progress.executions.load(std::memory_order_relaxed),
                             session.movement()};
    const Clock::time_point now = Clock::now();
    if (now - looked > kStoppedAfter) {
      watchdog.forgive(now - looked);
      g_paused += now - looked;
    }
    looked = now;
    switch (watchdog.look(now, facts, InterruptGuard::interrupted())) {
      case WatchdogAction::kNone:
        break;
      case WatchdogAction::kRequestStop:
        session.request_stop();
        break;
      case WatchdogAction::kKillChild:
        session.kill_child();
        break;
      case WatchdogAction::kKillAll:
        session.kill();
        break;
      case WatchdogAction::kNotReady:
        return cannot_test("the runtime did not take over within 10 s", options.program.path,
                           "run `ravel doctor' on the program");
    }
    const int end = session.end_descriptor();
    wait_for_end({&end, 1}, pause_after(now - begun));
  }
  return {};
}

tl::unexpected<Error> out_of_time(const std::string& program) {
  return cannot_test("the time ended before the execution did", program, "raise --time");
}

void read_steps(const SharedBlock& block, ReplayedSteps& steps) {
  const std::uint64_t end = block.result.events.load(std::memory_order_acquire);
  const std::uint64_t kept = std::min<std::uint64_t>(end, kRingEvents);
  for (std::uint64_t i = end - kept; i < end; ++i) steps.operands.push_back(block.operands[i & (kRingEvents - 1)]);
  const std::uint32_t decisions = std::min(block.result.decisions, kMaxDecisions);
  steps.decisions.assign(block.decisions, block.decisions + decisions);
  const std::uint32_t pending = std::min(block.result.pending, kMaxWaiting);
  steps.pending.assign(block.pending_table, block.pending_table + pending);
}

// `steps' may be null.
Result<ReplayResult> replay(const ReplayOptions& options, ReplayedSteps* steps) {
  if (options.deadline.passed()) return out_of_time(options.program.path);
  const InterruptGuard guard;
  auto created = Session::create();
  if (!created) return tl::make_unexpected(created.error());
  Session& session = **created;
  SharedBlock& block = session.block();
  if (auto filled = fill(block, options, RunMode::kReplay); !filled) return tl::make_unexpected(filled.error());
  session.set_coverage_code(options.coverage.system_code, options.coverage.jobs);
  if (options.export_fd >= 0) session.inherit(options.export_fd);
  if (options.facts) session.inherit(options.facts->descriptor());
  if (auto started = session.start(options.program); !started) return tl::make_unexpected(started.error());

  if (auto watched = watch(session, options); !watched) return tl::make_unexpected(watched.error());
  if (!session.runtime_ready() && options.deadline.passed()) return out_of_time(options.program.path);
  if (std::string problem = session.start_problem(); !problem.empty()) {
    return cannot_test("the program could not be started under Ravel", options.program.path, problem);
  }
  if (block.control.program_ended != 0) {
    return cannot_test(fmt::format("the program made {} calls of explore(), the plan is for call {}",
                                   block.control.explore_calls, options.plan.explore_call),
                       options.program.path, "run it with the same arguments");
  }
  ReplayResult result;
  result.interrupted = InterruptGuard::interrupted();
  if (!session.campaign_done() && !result.interrupted) {
    if (options.deadline.passed()) return out_of_time(options.program.path);
    return internal_error("the replay ended without a result", options.program.path,
                          fmt::format("status {:#x}; please report it", session.wait_status()));
  }
  result.record = read_execution(block);
  result.record.stdout_text = session.captured(1);
  result.record.stderr_text = session.captured(2);
  result.runs = block.progress.executions.load(std::memory_order_relaxed);
  result.mismatches = block.progress.mismatches.load(std::memory_order_relaxed);
  result.limits = read_limits(block);
  result.coverage = coverage_in(block);
  result.notes = block.control.notes.load(std::memory_order_relaxed);
  if (steps != nullptr) read_steps(block, *steps);
  return result;
}

}  // namespace

Result<ReplayResult> run_replay(const ReplayOptions& options) {
  return replay(options, nullptr);
}

Result<ReplayedSteps> replay_with_steps(ReplayOptions options) {
  options.plan.record_steps = 1;
  ReplayedSteps steps;
  auto result = replay(options, &steps);
  if (!result) return tl::make_unexpected(result.error());
  steps.result = std::move(*result);
  return steps;
}

Error become_debugger(const ReplayOptions& options, const std::vector<std::string>& command) {
  auto created = Session::create();
  if (!created) return created.error();
  Session& session = **created;
  if (auto filled = fill(session.block(), options, RunMode::kDirect); !filled) return filled.error();
  return session.execute(command, options.program);
}

}  // namespace ravel
