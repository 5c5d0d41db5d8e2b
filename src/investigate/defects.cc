// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/defects.h"

#include <fmt/format.h>

#include <algorithm>

#include "detect/detector_table.h"
#include "engine/findings.h"
#include "report/causes.h"
#include "report/library_races.h"
#include "report/race_groups.h"

namespace ravel {

bool same_finding(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.detector != b.detector) return false;
  if (!a.detector.empty()) return a.fingerprint == b.fingerprint;
  if (a.kind == OutcomeKind::kDataRace) return a.identity == b.identity;
  return a.place == b.place && a.message == b.message && a.details == b.details;
}

bool same_defect(const Finding& a, const Finding& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == OutcomeKind::kDataRace) return a.identity == b.identity;
  if (a.kind == OutcomeKind::kDeadlock || a.kind == OutcomeKind::kStepLimit) return true;
  // Offset and size, which the message names, may differ between uses of one mistake.
  return a.place == b.place && (is_about_heap(a.kind) || a.message == b.message);
}

void add_once(std::vector<Finding>& list, Finding finding) {
  const bool known =
      std::any_of(list.begin(), list.end(), [&](const Finding& other) { return same_finding(other, finding); });
  if (!known) list.push_back(std::move(finding));
}

std::vector<Finding> findings_of(Names& names, std::uint64_t race) {
  std::vector<Finding> found;
  if (race == 0) {
    found.push_back(describe_outcome(names));
    for (const DetectionRecord* cause : likely_causes(names.record())) {
      add_once(found[0].causes, describe_detection(names, *cause));
    }
  }
  for (const RaceRecord& entry : names.record().races) {
    if (race != 0 && race_key(entry) != race) continue;
    add_once(race == 0 ? found[0].related : found, describe_race(names, entry));
  }
  if (race == 0) group_races(found[0].related);
  return found;
}

Result<PlanDefect> reproduce(const PreparedPlan& plan, Symbolizer& symbolizer) {
  const auto not_shown = [&](std::string_view what) {
    return cannot_test("the plan does not show its defect", plan.source.name, std::string(what));
  };
  auto result = run_replay(plan.replay);
  if (!result) return tl::make_unexpected(result.error());
  PlanDefect out;
  out.result = std::move(*result);
  const ExecutionRecord& record = out.result.record;
  Names names(record, symbolizer);
  leave_out_library_races(out.result.record, names);
  const PlanFile* file = plan.source.plan ? &*plan.source.plan : nullptr;
  if (file != nullptr && file->outcome == OutcomeKind::kDataRace) {
    for (const RaceRecord& entry : record.races) {
      Finding finding = describe_race(names, entry);
      if (!(finding.place == file->outcome_place) && finding.message != file->message) continue;
      out.race = race_key(entry);
      out.finding = std::move(finding);
      return out;
    }
    return not_shown("the data race no longer occurs");
  }
  if (file != nullptr && file->outcome != record.outcome) {
    for (const DetectionRecord& entry : record.detections) {
      if (entry.kind != file->outcome || entry.detector >= detector_table().size()) continue;
      Finding finding = describe_detection(names, entry);
      if (!(finding.place == file->outcome_place) && finding.message != file->message) continue;
      out.detection = entry.key;
      out.detectors = detector_bit(detector_table()[entry.detector].id);
      out.finding = std::move(finding);
      return out;
    }
  }
  if (!is_defect(record.outcome)) {
    return not_shown(fmt::format("the execution ended with {}; see `ravel replay'", outcome_name(record.outcome)));
  }
  if (file != nullptr && is_defect(file->outcome) && file->outcome != record.outcome) {
    return not_shown(fmt::format("expected {}, found {}", outcome_name(file->outcome), outcome_name(record.outcome)));
  }
  out.finding = std::move(findings_of(names, 0)[0]);
  return out;
}

}  // namespace ravel
