// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/coverage_data.h"

#include <algorithm>
#include <cstring>

#include "wire/shared_block.h"

namespace ravel {
namespace {

template <class T>
std::vector<T> copy_table(const SharedBlock& block, std::uint64_t at, std::uint64_t count) {
  if (at > kArenaBytes || at % alignof(T) != 0 || (kArenaBytes - at) / sizeof(T) < count) return {};
  std::vector<T> out(count);
  if (count != 0) std::memcpy(out.data(), block.arena + at, count * sizeof(T));
  return out;
}

bool fits(const CoverageData& data, Atom atom, bool in_set) {
  const std::uint64_t value = value_of(atom);
  switch (kind_of(atom)) {
    case AtomKind::kNothing:
      return value == 0;
    case AtomKind::kPlace:
      return value <= 0xffffffffu &&
             (data.modules.empty() || module_slot(static_cast<LocationId>(value)) < kMaxModules);
    case AtomKind::kThread:
    case AtomKind::kThreadType:
      return value < data.threads.size();
    case AtomKind::kObject:
      return object_row(atom) < data.objects.size();
    case AtomKind::kSet:
      return !in_set && value < data.set_words.size() && data.set_words[value] < data.set_words.size() - value;
    case AtomKind::kWord:
      return (value & 0xff) < static_cast<std::uint64_t>(CoverWord::kCount) &&
             value >> 8 < static_cast<std::uint64_t>(OpKind::kCount);
  }
  return false;
}

void tame_object(const CoverageData& data, ObjectIdentityRecord& object) {
  if (object.kind > ObjectKind::kChannel) object.kind = ObjectKind::kUnknown;
  if (object.kind == ObjectKind::kModule && object.owner >= data.modules.size()) object.owner = 0;
}

// A task that cannot be followed keeps its row, since sets name rows, and is nobody's.
void tame_task(CoverageData& data, TaskRecord& task) {
  bool good = task.metric < MetricId::kCount && task.fields <= kMostFields;
  for (unsigned i = 0; good && i < task.fields; ++i) {
    good = fits(data, task.field[i], false);
    if (!good || kind_of(task.field[i]) != AtomKind::kSet) continue;
    for (const Atom member : data.set(task.field[i])) good = good && fits(data, member, true);
  }
  if (!good) task = TaskRecord{};
}

}  // namespace

std::vector<Atom> CoverageData::set(Atom atom) const {
  const std::uint64_t at = value_of(atom);
  const auto first = set_words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  return {first, first + static_cast<std::ptrdiff_t>(set_words[at])};
}

void tame(CoverageData& data) {
  for (ThreadIdentityRecord& thread : data.seen_threads) {
    thread.functions = std::min(thread.functions, kMostFirstFunctions);
  }
  for (ObjectIdentityRecord& object : data.seen_objects) tame_object(data, object);
  for (ThreadIdentityRecord& thread : data.threads) {
    thread.functions = std::min(thread.functions, kMostFirstFunctions);
    if (thread.parent >= data.threads.size()) thread.parent = 0;
  }
  for (ObjectIdentityRecord& object : data.objects) tame_object(data, object);
  for (TaskRecord& task : data.tasks) tame_task(data, task);
  std::erase_if(data.runs, [&](std::uint32_t run) {
    const std::size_t set = run & ~kFailedRun;
    if (set >= data.run_words.size() || data.run_words[set] >= data.run_words.size() - set) return true;
    for (std::uint32_t i = 1; i <= data.run_words[set]; ++i) {
      if (data.run_words[set + i] >= data.tasks.size()) return true;
    }
    return false;
  });
}

void request_coverage(const CoverageRequest& request, Campaign& campaign) {
  campaign.coverage = request.metrics;
  campaign.cover_threads = request.threads;
  campaign.cover_objects = request.objects;
  campaign.cover_functions = request.functions;
  campaign.cover_adaptive = request.adaptive ? 1 : 0;
  campaign.saturation = request.saturation;
}

std::vector<CoverageData> coverage_in(const SharedBlock& block) {
  if (block.campaign.coverage == 0) return {};
  const CoverageArea& area = block.coverage;
  const CoverCounts counts = area.counts;
  CoverageData data;
  data.tasks = copy_table<TaskRecord>(block, area.tasks_at, counts.tasks);
  data.threads = copy_table<ThreadIdentityRecord>(block, area.threads_at, counts.threads);
  data.objects = copy_table<ObjectIdentityRecord>(block, area.objects_at, counts.objects);
  data.set_words = copy_table<Atom>(block, area.set_words_at, counts.set_words);
  data.run_words = copy_table<std::uint32_t>(block, area.run_words_at, counts.run_words);
  data.runs = copy_table<std::uint32_t>(block, area.runs_at, counts.runs);
  data.seen_threads = copy_table<ThreadIdentityRecord>(block, area.seen_threads_at, counts.seen_threads);
  data.seen_objects = copy_table<ObjectIdentityRecord>(block, area.seen_objects_at, counts.seen_objects);
  data.modules = read_modules(block);
  data.seen_truncated = counts.seen_truncated != 0;
  data.truncated = counts.truncated != 0;
  data.saturated = counts.saturated != 0;
  for (const StackPlaceRecord& place : block.stack_places) {
    const bool known = place.object != 0 && place.object < kMaxObjects && place.function != kSeveralFunctions;
    if (known && module_slot(place.function) < data.modules.size()) data.stack_places.push_back(place);
  }
  const std::uint32_t objects = std::min(block.result.objects, kMaxObjects);
  data.objects_seen.assign(block.objects, block.objects + objects);
  tame(data);
  return {std::move(data)};
}

}  // namespace ravel
