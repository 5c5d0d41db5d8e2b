// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/block_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "model/outcome_listing.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

template <class T>
std::vector<T> copy_from_arena(const SharedBlock& block, std::uint64_t offset, std::uint64_t count,
                               std::uint64_t limit) {
  if (count > limit || offset > kArenaBytes || (kArenaBytes - offset) / sizeof(T) < count) return {};
  std::vector<T> out(count);
  if (count != 0) std::memcpy(out.data(), block.arena + offset, count * sizeof(T));
  return out;
}

template <class T>
T now(const std::atomic<T>& value) {
  return value.load(std::memory_order_relaxed);
}

// A job that had nothing to do says nothing about isolation.
void read_isolation(CampaignResult& result, const IsolationState& state) {
  result.isolation_verified = now(state.verified);
  result.isolation_doubtful = now(state.doubtful);
  Isolation mode = now(state.mode);
  if (result.executions == 0 || mode == Isolation::kAuto || mode > Isolation::kRepeat) return;
  std::string reason = text_of(state.reason);
  if (mode != Isolation::kFork && now(state.runs) == 0) {
    mode = Isolation::kFork;
    reason = "no execution inside the worker came to its end";
  }
  // What was allowed and what was done: too few executions to know their lines, and each was compared.
  if (mode == Isolation::kRepeat && now(state.repeats) == 0) mode = Isolation::kRollback;
  result.isolation = mode;
  result.isolation_reason = std::move(reason);
}

void read_end(CampaignResult& result, const Control& control) {
  result.notes = now(control.notes);
  result.explore_name = text_of(control.explore_name);
  if (control.program_ended == 0) return;
  result.program_ended = true;
  result.exit_status = control.exit_status;
  result.end_text = result.exit_status == -1 ? printable_line(text_of(control.error_text))
                                             : fmt::format("it ended with status {}", result.exit_status);
}

// The program could have written anything there, too.
std::vector<KeptPair> kept_in(const KeptPairTable& table) {
  const std::uint32_t count = std::min(table.count, kMostKeptPairs);
  std::vector<KeptPair> kept(table.rows, table.rows + count);
  std::erase_if(kept, [](const KeptPair& row) {
    return row.verdict >= PairVerdict::kCount || row.first.kind >= OpKind::kCount || row.second.kind >= OpKind::kCount;
  });
  return kept;
}

}  // namespace

// The program could have written anything there.
std::vector<SeenThread> seen_in(const SliceSeen& seen) {
  const std::uint32_t count = std::min(seen.count, kMaxSliceThreads);
  std::vector<SeenThread> threads(seen.threads, seen.threads + count);
  for (SeenThread& thread : threads) {
    thread.memory_count = std::min(thread.memory_count, SeenThread::kMemory);
    if (thread.creator >= count) thread.creator = kNoSliceThread;
  }
  return threads;
}

CampaignResult result_of(const SharedBlock& block) {
  const Progress& progress = block.progress;
  CampaignResult result;
  result.executions = now(progress.executions);
  result.executions_by_job = {result.executions};
  result.complete = now(progress.complete) != 0;
  result.promise_kept = now(progress.promise_kept) != 0;
  result.strategy_note = text_of(progress.strategy_note);
  result.bounds = now(progress.bounds);
  result.estimate = {now(progress.estimate), now(progress.estimate_low), now(progress.estimate_high)};
  result.behaviours = result.complete ? result.estimate.executions : 0;
  result.steps = now(progress.steps);
  result.decisions = now(progress.decisions);
  result.distinct_traces = now(progress.distinct);
  result.sequences = now(progress.sequences);
  result.suspects = now(progress.suspects);
  result.divergence = progress.divergence;
  if (result.divergence.kind >= OpKind::kCount) result.divergence.kind = OpKind::kNone;
  result.own_sequences = now(progress.own_sequences) != 0;
  result.trace_digest = TraceDigest{now(progress.digest)};
  result.blocked = now(progress.blocked);
  result.abandoned = now(progress.abandoned);
  result.values = progress.values;
  result.kept = kept_in(block.kept);
  result.cut = now(progress.cut);
  result.with_choice = now(progress.choices);
  result.callouts = now(progress.callouts);
  result.threads_max = now(progress.max_threads);
  const EarlyEnd early = now(progress.early_end);
  result.unchanged = early == EarlyEnd::kNothingNew ? now(progress.unchanged) : 0;
  result.all_cut = early == EarlyEnd::kAllCut;
  result.saturated = early == EarlyEnd::kSaturated;
  for (std::size_t i = 0; i < kMaxStrategyParts; ++i) {
    const PartProgress& part = progress.parts[i];
    result.parts[i] = {now(part.executions), now(part.distinct), now(part.findings)};
  }
  for (std::size_t i = 0; i < result.operations.size(); ++i) result.operations[i] = now(progress.operations[i]);
  if (block.result.outcome == OutcomeKind::kInternal)
    result.internal_error = printable_line(text_of(block.result.message));
  result.goal_level = now(progress.goal_level);
  result.goal_states = now(progress.goal_states);
  result.seen = seen_in(block.seen);
  result.mismatches = now(progress.mismatches);
  result.worker_restarts = now(progress.worker_restarts);
  result.limits = read_limits(block);
  read_isolation(result, block.isolation);
  read_end(result, block.control);
  return result;
}

std::vector<FoundSeed> findings_in(const SharedBlock& block, std::uint32_t job) {
  const std::uint32_t count = std::min(block.progress.findings.load(std::memory_order_acquire), kMaxFindings);
  std::vector<FoundSeed> out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const FindingSeed& seed = block.findings[i];
    if (seed.source > FindingSource::kGoal || seed.kind >= OutcomeKind::kCount) continue;
    if (!is_defect(seed.kind) && seed.source != FindingSource::kGoal) continue;
    FoundSeed found;
    found.key = seed.key;
    found.pair = seed.pair;
    found.kind = seed.kind;
    found.source = seed.source;
    found.execution = seed.execution;
    found.shard = job;
    found.times_seen = seed.times_seen;
    found.plan = seed.plan;
    found.schedule = copy_from_arena<Segment>(block, seed.segments_offset, seed.segments, kMaxSegments);
    found.racy = copy_from_arena<LocationId>(block, seed.racy_offset, seed.plan.racy_locations, kMaxRacyLocations);
    tame_plan(found.plan);
    out.push_back(std::move(found));
  }
  return out;
}

std::vector<FoundOutcome> outcomes_in(const SharedBlock& block) {
  std::vector<FoundOutcome> out;
  const std::uint32_t count = std::min(block.progress.outcomes.load(std::memory_order_acquire), kMaxOutcomes);
  for (std::uint32_t i = 0; i < count; ++i) {
    const OutcomeRecord& record = block.outcomes[i];
    if (record.kind >= OutcomeKind::kCount) continue;
    FoundOutcome found;
    found.kind = record.kind;
    found.count = record.seen & 0xffffffffu;
    found.sequence_fits = record.sequence_fits == 1;
    found.sequence_done = record.sequence_done;
    const bool apart = block.campaign.outcomes == kListTraces || block.campaign.outcomes == kListSequences;
    found.trace = apart ? record.key : 0;
    for (const ObservationRecord& seen :
         copy_from_arena<ObservationRecord>(block, record.observations_offset, record.observations, kMaxObservations)) {
      found.observations.push_back({printable_line(text_of(seen.name)), printable_line(text_of(seen.value))});
    }
    found.plan = record.plan;
    found.schedule = copy_from_arena<Segment>(block, record.segments_offset, record.segments, kMaxSegments);
    found.racy = copy_from_arena<LocationId>(block, record.racy_offset, record.plan.racy_locations, kMaxRacyLocations);
    tame_plan(found.plan);
    out.push_back(std::move(found));
  }
  return out;
}

}  // namespace ravel
