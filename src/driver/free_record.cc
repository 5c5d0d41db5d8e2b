// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/free_record.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace ravel {
namespace {

// Of a log in bursts.
void read_gaps(FreeThreadRecord& out, const FreeLog& log) {
  if (!out.accesses.empty() && !out.all_accesses) out.gaps.push_back({0, out.accesses.front().order});
  const std::uint64_t made = log.gaps.load(std::memory_order_acquire);
  for (std::uint64_t i = made > kFreeGaps ? made - kFreeGaps : 0; i < made; ++i) {
    if (i + kFreeGaps == made) out.gaps.push_back({0, log.gap[i % kFreeGaps].from});
    out.gaps.push_back(log.gap[i % kFreeGaps]);
  }
  if (log.off_since != 0) out.gaps.push_back({log.off_since, log.looked + kFreeGapMargin});
}

void read_log(FreeThreadRecord& out, const FreeLog& log, bool bursts) {
  out.stack_low = log.stack_low;
  out.stack_high = log.stack_high;
  out.type_at = log.type_at;
  const std::uint32_t functions = std::min(log.functions, kMostFirstFunctions);
  out.functions.assign(log.first, log.first + functions);
  const std::uint64_t logged = log.logged.load(std::memory_order_acquire);
  out.all_accesses = logged <= kFreeAccesses;
  out.accesses.reserve(std::min<std::uint64_t>(logged, kFreeAccesses));
  for (std::uint64_t i = out.all_accesses ? 0 : logged - kFreeAccesses; i < logged; ++i) {
    const FreeEvent access = log.accesses[i % kFreeAccesses];
    if (access.kind == OpKind::kRead || access.kind == OpKind::kWrite) out.accesses.push_back(access);
  }
  if (bursts) read_gaps(out, log);
}

// Out of memory that the process may have written to: copied first, then looked at.
FreeThreadRecord read_thread(const FreeThread& thread, const FreeLog* log, bool bursts) {
  FreeThreadRecord out;
  out.parent = std::min(thread.parent, kFreeThreads - 1);
  out.number = thread.number;
  out.type = thread.type;
  out.start = thread.start;
  const std::uint64_t room = log != nullptr ? kFreeTracedEvents : kFreeEvents;
  const std::uint64_t written = thread.events.load(std::memory_order_acquire);
  const std::uint64_t first = written > room ? written - room : 0;
  out.complete = first == 0;
  out.events.reserve(written - first);
  out.stamps.reserve(written - first);
  for (std::uint64_t i = first; i < written; ++i) {
    const FreeEvent event = log != nullptr ? log->events[i % room] : thread.ring[i % room];
    if (event.kind == OpKind::kNone || event.kind >= OpKind::kCount) continue;
    out.events.push_back(event);
    out.stamps.push_back({i, log != nullptr ? log->times[i % room] : 0});
  }
  if (log != nullptr) read_log(out, *log, bursts);
  const std::uint32_t delays = thread.delays.load(std::memory_order_acquire);
  for (std::uint32_t i = delays > kFreeDelays ? delays - kFreeDelays : 0; i < delays; ++i) {
    out.delays.push_back(thread.delay_ring[i % kFreeDelays]);
  }
  return out;
}

std::vector<FreeOverlapRecord> read_overlaps(const FreeBlock& block) {
  std::vector<FreeOverlapRecord> out;
  for (const FreeOverlap& row : block.overlaps) {
    if (row.state.load(std::memory_order_acquire) != 2) continue;
    FreeOverlapRecord one;
    one.thread[0] = std::min(row.first_thread, kFreeThreads - 1);
    one.thread[1] = std::min(row.second_thread, kFreeThreads - 1);
    one.pc[0] = row.first_pc;
    one.pc[1] = row.second_pc;
    one.writes[0] = row.first_writes;
    one.writes[1] = row.second_writes;
    one.address = row.address;
    one.times = row.times.load(std::memory_order_relaxed);
    out.push_back(one);
  }
  return out;
}

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

void read_failure(FreeRecord& record, const FreeFailure& failure) {
  record.outcome = failure.kind;
  record.message = text_of(failure.message);
  record.signal = failure.signal;
  record.thread = std::min(failure.thread, kFreeThreads - 1);
  const std::uint32_t frames = std::min(failure.frames, kFreeFrames);
  record.frames.assign(failure.frame, failure.frame + frames);
}

void read_counts(FreeRecord& record, const FreeBlock& block) {
  record.ready = block.ready.load(std::memory_order_acquire) != 0;
  record.most_live = block.most_live.load();
  record.order_complete = block.lost_threads.load() == 0 && block.handlers.load() == 0;
  const std::uint32_t modules = std::min(block.module_count.load(std::memory_order_acquire), kMaxModules);
  record.modules.assign(block.modules, block.modules + modules);
  const std::uint32_t threads = std::min(block.thread_count.load(std::memory_order_acquire), kFreeThreads);
  const FreeLog* const logs = free_logs(block);
  record.traced = logs != nullptr;
  const bool bursts = block.request.logging == FreeLogging::kBursts;
  record.unrecorded = block.unrecorded.load();
  record.lost_threads = block.lost_threads.load();
  record.overlaps = read_overlaps(block);
  record.healing = {block.healing.entered.load(), block.healing.waited.load(), block.healing.given_up.load()};
  for (std::uint32_t i = 0; i < threads; ++i) {
    record.accesses += block.threads[i].accesses;
    record.threads.push_back(read_thread(block.threads[i], logs != nullptr ? &logs[i] : nullptr, bursts));
    record.order_complete = record.order_complete && record.threads.back().complete;
  }
  for (const FreePlaceCount& place : block.injected) {
    const std::uint64_t count = place.injected.load(std::memory_order_relaxed);
    if (count == 0) continue;
    record.injected.emplace_back(place.pc.load(std::memory_order_relaxed), count);
    record.injections += count;
  }
}

}  // namespace

LocationId FreeRecord::location_of(std::uint64_t pc) const {
  for (std::size_t slot = 0; slot < modules.size(); ++slot) {
    const std::uint64_t offset = pc - modules[slot].base;
    if (pc < modules[slot].base || pc >= modules[slot].end || offset > kModuleOffsetMask) continue;
    return static_cast<LocationId>(slot << kModuleSlotShift | offset);
  }
  return kNoLocation;
}

std::uint64_t FreeRecord::address_of(LocationId location) const {
  const unsigned slot = module_slot(location);
  return location != 0 && slot < modules.size() ? modules[slot].base + (location & kModuleOffsetMask) : 0;
}

void judge_end(FreeRecord& record, int wait_status, const FreeFailure& failure, FreeStop stop, int expect_exit) {
  if (stop == FreeStop::kDeadlock) {
    record.outcome = OutcomeKind::kDeadlock;
    record.message = "every thread waits";
    return;
  }
  if (stop == FreeStop::kHang) {
    record.outcome = OutcomeKind::kHang;
    record.message = "no thread moves";
    return;
  }
  if (stop == FreeStop::kCut || stop == FreeStop::kInterrupted) {
    record.outcome = stop == FreeStop::kCut ? OutcomeKind::kCut : OutcomeKind::kNotRun;
    return;
  }
  const bool told = failure.state.load(std::memory_order_acquire) == 2;
  if (WIFSIGNALED(wait_status)) {
    record.signal = WTERMSIG(wait_status);
    record.outcome = record.signal == SIGKILL ? OutcomeKind::kKilled : OutcomeKind::kSignal;
    record.message = signal_text(record.signal);
    const bool fits = failure.signal == 0 ? record.signal == SIGABRT : failure.signal == record.signal;
    if (told && fits && failure.kind < OutcomeKind::kCount) read_failure(record, failure);
    return;
  }
  record.exit_status = WEXITSTATUS(wait_status);
  record.outcome = record.exit_status == expect_exit ? OutcomeKind::kCompleted : OutcomeKind::kExitCode;
  if (record.outcome == OutcomeKind::kExitCode) record.message = fmt::format("exit status {}", record.exit_status);
}

FreeRecord read_free_run(const FreeProcess& process, FreeStop stop, int expect_exit) {
  FreeRecord record;
  read_counts(record, process.block());
  judge_end(record, process.wait_status(), process.block().failure, stop, expect_exit);
  record.stdout_text = process.output().text(1);
  record.stderr_text = process.output().text(2);
  return record;
}

}  // namespace ravel
