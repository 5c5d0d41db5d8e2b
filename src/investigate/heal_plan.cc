// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/heal_plan.h"

#include <algorithm>
#include <set>

#include "detect/detector_table.h"
#include "driver/replay.h"
#include "investigate/plan_source.h"
#include "report/names.h"
#include "report/race_text.h"

namespace ravel {
namespace {

void add_place(std::uint64_t (&places)[kFreeSectionPlaces], LocationId location) {
  if (module_slot(location) != 0 || location == 0) return;  // not of the program itself
  const std::uint64_t offset = location & kModuleOffsetMask;
  for (std::uint64_t& place : places) {
    if (place == offset) return;
    if (place != 0) continue;
    place = offset;
    return;
  }
}

bool is_same(const FreeSection& a, const FreeSection& b) {
  return std::equal(std::begin(a.enter), std::end(a.enter), std::begin(b.enter)) &&
         std::equal(std::begin(a.leave), std::end(a.leave), std::begin(b.leave));
}

void add_section(std::vector<FreeSection>& sections, const FreeSection& section) {
  if (section.enter[0] == 0 || sections.size() == kFreeSections) return;
  const auto same = [&](const FreeSection& known) { return is_same(known, section); };
  if (std::none_of(sections.begin(), sections.end(), same)) sections.push_back(section);
}

// Each of those who wait for each other holds a lock: where it was taken begins the section.
FreeSection circle(const ExecutionRecord& record) {
  FreeSection section;
  section.by_locks = true;
  for (const WaitingRecord& waiting : record.waiting) {
    for (const HeldLock& lock : locks_held(record, waiting.thread, record.total_events)) {
      add_place(section.enter, lock.location);
    }
  }
  return section;
}

// What a thread writes may come from what it has read there since its last synchronisation: its section begins with
// that.
void add_accesses_before(FreeSection& section, const ExecutionRecord& record, const RoleRecord& role) {
  for (std::uint64_t i = std::min<std::uint64_t>(role.sequence, record.events.size()); i-- > 0;) {
    const Event& e = record.events[i];
    if (e.thread != role.event.thread) continue;
    if (op_class(e.kind) == OpClass::kSync || op_class(e.kind) == OpClass::kLifecycle) return;
    if (op_class(e.kind) == OpClass::kPlain && place_of(e) == place_of(role.event))
      add_place(section.enter, e.location);
  }
}

// The first and the last access of a thread, and the other one's in between, which is a section of its own.
FreeSection triple(const ExecutionRecord& record, const DetectionRecord& found) {
  FreeSection section;
  for (unsigned i = 0; i + 1 < found.roles; ++i) add_place(section.enter, found.role[i].event.location);
  for (unsigned i = 1; i + 1 < found.roles; ++i) add_accesses_before(section, record, found.role[i]);
  for (unsigned i = 1; i < found.roles; ++i) add_place(section.leave, found.role[i].event.location);
  return section;
}

}  // namespace

std::vector<FreeSection> sections_of(const ExecutionRecord& record) {
  std::vector<FreeSection> sections;
  if (record.outcome == OutcomeKind::kDeadlock) add_section(sections, circle(record));
  for (const DetectionRecord& found : record.detections) {
    if (found.kind == OutcomeKind::kAtomicityViolation && found.roles >= 3)
      add_section(sections, triple(record, found));
  }
  return sections;
}

Result<HealPlan> heal_plan(const std::string& plan, const ProgramImage& image) {
  auto source = read_plan_source(plan);
  if (!source) return tl::make_unexpected(source.error());
  auto prepared = prepare_plan(std::move(*source), {});
  if (!prepared) return tl::make_unexpected(prepared.error());
  if (prepared->image.build_id != image.build_id) {
    return usage_error("the plan is of another build", plan, "its places are not those of this program");
  }
  prepared->replay.detectors = detector_bit(DetectorId::kAvio) | detector_bit(DetectorId::kAtomicUpdate);
  auto result = run_replay(prepared->replay);
  if (!result) return tl::make_unexpected(result.error());
  HealPlan out;
  out.sections = sections_of(result->record);
  if (out.sections.empty()) {
    return cannot_test("no section was found that another thread breaks into", plan,
                       "healing knows accesses that belong together, and locks that are taken in a circle");
  }
  Symbolizer symbolizer;
  Names names(result->record, symbolizer);
  std::set<std::string> places;
  for (const FreeSection& section : out.sections) {
    for (const std::uint64_t offset : section.enter) {
      if (offset != 0) places.insert(names.place_text(static_cast<LocationId>(offset), ContextId{0}));
    }
  }
  out.places.assign(places.begin(), places.end());
  return out;
}

}  // namespace ravel
