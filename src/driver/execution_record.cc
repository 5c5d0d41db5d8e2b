// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/execution_record.h"

#include <algorithm>

#include "base/invariant.h"
#include "wire/shared_block.h"

namespace ravel {
namespace {

// Makes the ids of an event valid for the tables of `record`; 0 stands for "unknown" everywhere.
void tame(Event& event, const ExecutionRecord& record) {
  if (event.kind >= OpKind::kCount) event.kind = OpKind::kNone;
  if (event.thread >= record.threads.size()) event.thread = 0;
  if (event.object >= record.objects.size()) event.object = 0;
  if (event.context >= record.contexts.size()) event.context = 0;
  if (module_slot(event.location) >= record.modules.size()) event.location = 0;
}

template <class T>
std::vector<T> copy_table(const T* table, std::uint32_t count, std::uint32_t limit) {
  return std::vector<T>(table, table + std::min(count, limit));
}

void read_tables(const SharedBlock& block, ExecutionRecord& record) {
  const ExecutionResult& result = block.result;
  record.threads = copy_table(block.threads, result.threads, kMaxThreads);
  if (record.threads.empty()) record.threads.emplace_back();
  for (ThreadIndex i = 0; i < record.threads.size(); ++i) {  // parents come first, so lineages end
    if (record.threads[i].parent >= i) record.threads[i].parent = kNoThread;
    record.threads[i].name[sizeof record.threads[i].name - 1] = 0;
  }
  record.objects = copy_table(block.objects, result.objects, kMaxObjects);
  if (record.objects.empty()) record.objects.emplace_back();
  record.contexts = copy_table(block.contexts, block.context_count.load(std::memory_order_relaxed), kMaxContexts);
  if (record.contexts.empty()) record.contexts.emplace_back();
  for (ContextId i = 0; i < record.contexts.size(); ++i) {
    if (record.contexts[i].parent >= i) record.contexts[i].parent = 0;
  }
  record.modules = read_modules(block);
  for (ObjectRecord& object : record.objects) {
    if (object.kind > ObjectKind::kChannel) object.kind = ObjectKind::kUnknown;
    const bool of_module = object.kind == ObjectKind::kModule;
    if (object.owner >= (of_module ? record.modules.size() : record.threads.size())) object.owner = 0;
    if (object.site_context >= record.contexts.size()) object.site_context = 0;
    if (module_slot(object.site) >= record.modules.size()) object.site = 0;
  }
}

void read_events(const SharedBlock& block, ExecutionRecord& record) {
  record.total_events = block.result.events.load(std::memory_order_acquire);
  const std::uint64_t kept = std::min<std::uint64_t>(record.total_events, kRingEvents);
  record.events.reserve(kept);
  for (std::uint64_t i = record.total_events - kept; i < record.total_events; ++i) {
    record.events.push_back(block.ring[i & (kRingEvents - 1)]);
    tame(record.events.back(), record);
  }
}

void tame(ThreadIndex& thread, LocationId& location, ContextId& context, const ExecutionRecord& record) {
  if (thread >= record.threads.size()) thread = 0;
  if (context >= record.contexts.size()) context = 0;
  if (module_slot(location) >= record.modules.size()) location = 0;
}

// What the program said about itself, what was done to it, and what became of a heap block.
void read_remarks(const SharedBlock& block, ExecutionRecord& record) {
  const ExecutionResult& result = block.result;
  for (std::uint32_t i = 0; i < std::min(result.observations, kMaxObservations); ++i) {
    record.observations.push_back(
        {text_of(result.observation_table[i].name), text_of(result.observation_table[i].value)});
  }
  record.labels = copy_table(result.label_table, result.labels, kMaxLabels);
  for (const StackPlaceRecord& place : block.stack_places) {
    const bool known = place.object != 0 && place.object < record.objects.size() && place.function != kSeveralFunctions;
    if (known && module_slot(place.function) < record.modules.size()) record.stack_places.push_back(place);
  }
  record.injected = copy_table(result.fault_table, result.faults, kMaxFaultRecords);
  for (FaultRecord& fault : record.injected) tame(fault.thread, fault.location, fault.context, record);
  record.heap = result.heap;
  for (HeapStep* step : {&record.heap.allocated, &record.heap.freed}) {
    tame(step->thread, step->location, step->context, record);
  }
  record.explore_call = block.plan.explore_call;
  record.explore_name = text_of(block.control.explore_name);
}

void read_sequence(const ExecutionResult& result, ExecutionRecord& record) {
  record.sequence_done = result.sequence_done;
  record.sequence_at = result.sequence_at;
  record.sequence_fits = result.sequence_fits == 1;
}

void read_pending(const SharedBlock& block, ExecutionRecord& record) {
  for (std::uint32_t i = 0; i < std::min(block.result.pending, kMaxWaiting); ++i) {
    if (block.pending_table[i].begun != 0) continue;
    record.pending.push_back(block.pending_table[i].operation);
    tame(record.pending.back(), record);
  }
}

void check_handed_over(const ExecutionRecord& record) {
  INVARIANT(record.events.size() <= kRingEvents && record.events.size() <= record.total_events,
            "the ring holds the last of all events");
  INVARIANT(record.schedule.size() <= kMaxSegments && record.threads.size() <= kMaxThreads && !record.modules.empty(),
            "whoever holds a record indexes its tables without looking again");
}

void read_waiting(const ExecutionResult& result, ExecutionRecord& record) {
  record.waiting = copy_table(result.waiting_table, result.waiting, kMaxWaiting);
  for (WaitingRecord& waiting : record.waiting) {
    if (waiting.wants >= OpKind::kCount) waiting.wants = OpKind::kNone;
    if (waiting.thread >= record.threads.size()) waiting.thread = 0;
    if (waiting.object >= record.objects.size()) waiting.object = 0;
    if (waiting.context >= record.contexts.size()) waiting.context = 0;
    if (waiting.held_context >= record.contexts.size()) waiting.held_context = 0;
    if (module_slot(waiting.location) >= record.modules.size()) waiting.location = 0;
    if (module_slot(waiting.held_since) >= record.modules.size()) waiting.held_since = 0;
    if (waiting.holder >= record.threads.size()) waiting.holder = kNoThread;
    if (waiting.role > HolderRole::kJoined) waiting.role = HolderRole::kOwner;
  }
}

}  // namespace

ExecutionRecord read_execution(const SharedBlock& block) {
  const ExecutionResult& result = block.result;
  ExecutionRecord record;
  read_tables(block, record);
  read_events(block, record);
  record.outcome = result.outcome < OutcomeKind::kCount ? result.outcome : OutcomeKind::kInternal;
  record.message = text_of(result.message);
  record.started = result.started != 0;
  record.finished = result.finished != 0;
  record.timeout_fired = result.timeout_fired != 0;
  record.signal = result.signal;
  record.exit_status = result.exit_status;
  record.thread = result.thread < record.threads.size() ? result.thread : ThreadIndex();
  record.location = module_slot(result.location) < record.modules.size() ? result.location : LocationId();
  record.context = result.context < record.contexts.size() ? result.context : ContextId();
  record.steps = result.steps.load(std::memory_order_relaxed);
  record.decisions = result.decisions;
  record.switches = result.switches;
  record.preemptions = result.preemptions;
  record.faults = result.faults;
  record.live_at_end = result.live_at_end;
  record.blocked_outside = result.blocked_outside != 0;
  record.max_live = result.max_live;
  record.diverged_at = result.diverged_at;
  record.expected_thread = result.expected_thread;
  record.prefix_left = result.prefix_left;
  record.goal_level = result.guide.level < kMaxGoalEntries ? result.guide.level : kMaxGoalEntries;
  record.schedule_truncated = result.schedule_truncated != 0;
  record.callouts = result.callouts;
  record.virtual_ns = result.virtual_ns;
  record.fingerprint = result.fingerprint;
  record.schedule = copy_table(block.schedule, result.segments, kMaxSegments);
  read_waiting(result, record);
  read_pending(block, record);
  read_sequence(block.result, record);
  record.races = copy_table(result.race_table, result.races, kMaxRaces);
  for (RaceRecord& race : record.races) {
    tame(race.first, record);
    tame(race.second, record);
  }
  for (DetectionRecord& found :
       record.detections = copy_table(result.detection_table, result.detections, kMaxDetections)) {
    if (found.kind >= OutcomeKind::kCount) found.kind = OutcomeKind::kInternal;
    found.roles = std::min<std::uint8_t>(found.roles, kMaxRoles);
    for (RoleRecord& role : found.role) tame(role.event, record);
  }
  read_remarks(block, record);
  check_handed_over(record);
  return record;
}

std::vector<ModuleName> read_modules(const SharedBlock& block) {
  const std::uint32_t count = std::min(block.module_count.load(std::memory_order_relaxed), kMaxModules);
  std::vector<ModuleName> modules;
  for (std::uint32_t i = 0; i < count; ++i) modules.push_back({block.modules[i].base, text_of(block.modules[i].path)});
  if (modules.empty()) modules.emplace_back();
  return modules;
}

void tame_plan(PlanSpec& plan) {
  const PlanSpec plain;
  if (plan.policy.kind > PolicyKind::kNoise) plan.policy = PolicySpec{};
  plan.policy.switches = std::min<std::uint8_t>(plan.policy.switches, kMaxForcedSwitches);
  if (plan.points > PointsMode::kAll) plan.points = plain.points;
  plan.open_ended = 0;  // its limit is known now
  if (plan.timeouts > TimeoutMode::kShortSleeps) plan.timeouts = plain.timeouts;
  if (plan.volatiles > VolatileMode::kAcqRel) plan.volatiles = plain.volatiles;
  if (plan.waiters > WaiterMode::kFifo) plan.waiters = plain.waiters;
  plan.on_divergence = plain.on_divergence;
  plan.stop_at = plain.stop_at;
  plan.stop_at_failure = plain.stop_at_failure;
  plan.sequence = plain.sequence;
}

std::string lineage_of(const std::vector<ThreadRecord>& threads, ThreadIndex thread) {
  constexpr std::size_t kLongest = 4096;  // what a plan file takes
  std::string suffix;
  while (suffix.size() < kLongest && thread < threads.size() && threads[thread].parent < thread) {
    suffix = "." + std::to_string(threads[thread].ordinal) + suffix;
    thread = threads[thread].parent;
  }
  return "main" + suffix;
}

}  // namespace ravel
