// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/drive.h"
#include "detect/detector_table.h"
#include "driver/plan_store.h"
#include "driver/replay.h"
#include "engine/findings.h"
#include "report/causes.h"
#include "report/library_races.h"
#include "report/plan_builder.h"

namespace ravel {
namespace {

bool same_finding(const Finding& a, const Finding& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == OutcomeKind::kDataRace) return a.identity == b.identity;
  if (!a.detector.empty()) return a.detector == b.detector && a.fingerprint == b.fingerprint;
  return a.place == b.place && a.message == b.message && a.details == b.details;
}

void add_once(std::vector<Finding>& list, Finding finding) {
  const bool known =
      std::any_of(list.begin(), list.end(), [&](const Finding& other) { return same_finding(other, finding); });
  if (!known) list.push_back(std::move(finding));
}

ReplayOptions replay_of(const RunOptions& options, const CampaignOptions& campaign, const FoundSeed& seed) {
  ReplayOptions replay;
  replay.program = campaign.program;
  replay.program.pass_output = false;
  replay.plan = seed.plan;
  replay.prefix = seed.schedule;
  replay.racy = seed.racy;
  replay.expect_exit = options.expect_exit;
  replay.hang_ms = campaign.hang_ms;
  replay.detectors = campaign.detectors;
  // Why an execution failed is asked once, so it may cost something.
  if (seed.source == FindingSource::kOutcome && campaign.detectors != 0) replay.detectors |= explaining_detectors();
  return replay;
}

class Confirmer {
 public:
  Confirmer(const RunOptions& options, const CampaignOptions& campaign, const ProgramImage& image,
            const StandardInput& input)
      : options_(options), campaign_(campaign), image_(image), input_(input) {}

  Result<void> add(const FoundSeed& seed) {
    const ReplayOptions replay = replay_of(options_, campaign_, seed);
    auto result = run_replay(replay);
    if (!result) return tl::make_unexpected(result.error());
    const ExecutionRecord& record = result->record;
    if (!happened_again(seed, record)) {
      out_.not_confirmed.push_back(fmt::format("{} of execution {} (shard {}): a fresh process ended with {}",
                                               outcome_name(seed.kind), seed.execution, seed.shard,
                                               outcome_name(record.outcome)));
      return {};
    }
    Names names(record, symbolizer_);
    add_notes(leave_out_library_races(result->record, names));
    if (seed.source == FindingSource::kDetector && predicts(seed, record)) return add_driven(seed, replay, names);
    const std::uint64_t hash = canonical_hash_of(record, names);
    for (Finding& finding : describe(seed, names)) {
      if (is_known(finding)) continue;
      finding.hash = hash;
      finding.execution = seed.execution;
      finding.times_seen = seed.times_seen;
      PlanOrigin origin{image_, replay, campaign_.strategy, campaign_.seed, {}};
      if (input_.in_memory()) {
        auto kept = save_input(options_.output, input_.text());
        if (!kept) return tl::make_unexpected(kept.error());
        origin.stdin_path = *kept;
      }
      finding.seed_string = build_seed_string(origin, policy_decides(replay, record));
      auto path = save_plan(options_.output, build_plan(origin, finding, names));
      if (!path) return tl::make_unexpected(path.error());
      finding.plan = *path;
      out_.findings.push_back(std::move(finding));
    }
    return {};
  }

  Confirmed take() { return std::move(out_); }

 private:
  static bool happened_again(const FoundSeed& seed, const ExecutionRecord& record) {
    switch (seed.source) {
      case FindingSource::kRace:
        return std::any_of(record.races.begin(), record.races.end(),
                           [&](const RaceRecord& race) { return race_key(race) == seed.key; });
      case FindingSource::kDetector:
        return detection_of(seed, record) != nullptr;
      case FindingSource::kOutcome:
        break;
    }
    return record.outcome == seed.kind;
  }

  static const DetectionRecord* detection_of(const FoundSeed& seed, const ExecutionRecord& record) {
    for (const DetectionRecord& found : record.detections) {
      if (found.key == seed.key && found.detector < detector_table().size()) return &found;
    }
    return nullptr;
  }
  static bool predicts(const FoundSeed& seed, const ExecutionRecord& record) {
    return detector_table()[detection_of(seed, record)->detector].predicts;
  }

  static std::vector<Finding> describe(const FoundSeed& seed, Names& names) {
    const ExecutionRecord& record = names.record();
    std::vector<Finding> found;
    if (seed.source == FindingSource::kDetector) {
      found.push_back(describe_detection(names, *detection_of(seed, record)));
    } else if (seed.source == FindingSource::kRace) {
      for (const RaceRecord& entry : record.races) {
        if (race_key(entry) == seed.key) add_once(found, describe_race(names, entry));
      }
    } else {
      found.push_back(describe_outcome(names));
      for (const DetectionRecord* cause : likely_causes(record)) {
        add_once(found[0].causes, describe_detection(names, *cause));
      }
      for (const RaceRecord& entry : record.races) add_once(found[0].related, describe_race(names, entry));
    }
    return found;
  }

  // A prediction is told as what it predicts, once that has happened; else only to who asked for the detector.
  Result<void> add_driven(const FoundSeed& seed, const ReplayOptions& replay, Names& names) {
    const DetectionRecord& found = *detection_of(seed, names.record());
    auto driven = drive_into_deadlock(replay, found);
    if (!driven) return tl::make_unexpected(driven.error());
    if (*driven) {
      (*driven)->execution = seed.execution;
      return add(**driven);
    }
    Finding finding = describe_detection(names, found);
    finding.execution = seed.execution;
    finding.times_seen = seed.times_seen;
    if (options_.asks_for(detector_table()[found.detector])) add_once(out_.potential, std::move(finding));
    return {};
  }

  void add_notes(std::vector<std::string> notes) {
    for (std::string& note : notes) {
      if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end())
        out_.notes.push_back(std::move(note));
    }
  }

  // Whether the policy alone, without the recorded choices, leads to the same trace: then a seed string needs no more.
  static bool policy_decides(ReplayOptions replay, const ExecutionRecord& record) {
    if (record.outcome == OutcomeKind::kHang) return false;  // would cost the whole patience again
    replay.prefix.clear();
    const auto again = run_replay(replay);
    return again && again->record.outcome == record.outcome && again->record.fingerprint == record.fingerprint;
  }

  // Two seeds may lead to the same words.
  [[nodiscard]] bool is_known(const Finding& finding) const {
    return std::any_of(out_.findings.begin(), out_.findings.end(),
                       [&](const Finding& known) { return same_finding(known, finding); });
  }

  const RunOptions& options_;
  const CampaignOptions& campaign_;
  const ProgramImage& image_;
  const StandardInput& input_;
  Symbolizer symbolizer_;
  Confirmed out_;
};

}  // namespace

Result<Confirmed> confirm_findings(const RunOptions& options, const CampaignOptions& campaign,
                                   const ProgramImage& image, const StandardInput& input,
                                   const CampaignResult& result) {
  std::vector<FoundSeed> seeds = result.found;
  std::stable_sort(seeds.begin(), seeds.end(),
                   [](const FoundSeed& a, const FoundSeed& b) { return a.source < b.source; });
  Confirmer confirmer(options, campaign, image, input);
  for (const FoundSeed& seed : seeds) {
    if (auto added = confirmer.add(seed); !added) return tl::make_unexpected(added.error());
  }
  return confirmer.take();
}

}  // namespace ravel
