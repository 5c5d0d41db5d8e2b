// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/invariant.h"
#include "detect/detector_table.h"
#include "driver/plan_store.h"
#include "driver/replay.h"
#include "engine/findings.h"
#include "investigate/defects.h"
#include "investigate/drive.h"
#include "investigate/explain_plan.h"
#include "investigate/minimise_plan.h"
#include "report/library_races.h"
#include "report/plan_builder.h"
#include "report/timeline.h"

namespace ravel {
namespace {

ReplayOptions replay_of(const CampaignRequest& options, const CampaignOptions& campaign, const FoundSeed& seed) {
  ReplayOptions replay;
  replay.program = campaign.program;
  replay.program.pass_output = false;
  replay.plan = seed.plan;
  replay.prefix = seed.schedule;
  replay.racy = seed.racy;
  replay.expect_exit = options.expect_exit;
  replay.hang_ms = campaign.hang_ms;
  replay.detectors = campaign.detectors;
  if (seed.source == FindingSource::kRace) replay.detectors |= detector_bit(DetectorId::kDataRace);
  // Why an execution failed is asked once, so it may cost something.
  if (seed.source == FindingSource::kOutcome && campaign.detectors != 0) replay.detectors |= explaining_detectors();
  return replay;
}

// Left for the explanation when the minimiser has used everything up.
constexpr std::chrono::milliseconds kLeastTime{200};

class Confirmer {
 public:
  Confirmer(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
            const StandardInput& input, Suppressions& suppressions)
      : options_(options), campaign_(campaign), image_(image), input_(input), suppressions_(suppressions) {}

  void add(const FoundSeed& seed) {
    const ReplayOptions replay = replay_of(options_, campaign_, seed);
    from_saved_plan_ = seed.from_saved_plan;
    auto result = repeat(replay);
    if (!result || result->record.outcome == OutcomeKind::kKilled) {
      add_cut_short(seed, result ? "it was killed from outside" : result.error().line());
      return;
    }
    const ExecutionRecord& record = result->record;
    if (!happened_again(seed, record)) {
      out_.not_confirmed.push_back(fmt::format("{} of execution {} (shard {}): a fresh process ended with {}",
                                               outcome_name(seed.kind), seed.execution, seed.shard,
                                               outcome_name(record.outcome)));
      return;
    }
    Names names(record, symbolizer_);
    add_notes(leave_out_library_races(result->record, names));
    suppressions_.leave_out(result->record, names);
    if (seed.source == FindingSource::kOutcome && suppressions_.covers_outcome(names)) return;
    if (seed.source == FindingSource::kDetector) return add_detection(seed, replay, names);
    const bool race = seed.source == FindingSource::kRace;
    for (Finding& finding : findings_of(names, race ? seed.key : 0)) {
      if (is_known(finding, known_)) continue;
      known_.push_back(finding);
      finding.execution = seed.execution;
      finding.times_seen = seed.times_seen;
      Finding shown = simpler(finding, replay, names, {race ? seed.key : 0, 0, 0});
      if (!is_known(shown, out_.findings)) out_.findings.push_back(std::move(shown));
    }
  }

  Confirmed take() {
    INVARIANT(out_.cut_short <= out_.not_confirmed.size(), "each is on the list of those not confirmed");
    return std::move(out_);
  }

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

  // Then it is found without a prediction, or left out as the library's.
  static bool races_already(const DetectionRecord& found, const ExecutionRecord& record) {
    return std::any_of(record.races.begin(), record.races.end(), [&](const RaceRecord& race) {
      const LocationId a = found.role[0].event.location;
      const LocationId b = found.role[1].event.location;
      return (race.first.location == a && race.second.location == b) ||
             (race.first.location == b && race.second.location == a);
    });
  }

  // A prediction is reported as what it predicts, once that has happened; else only to who asked for the detector.
  void add_detection(const FoundSeed& seed, const ReplayOptions& replay, Names& names) {
    const DetectionRecord* kept = detection_of(seed, names.record());
    if (kept == nullptr) return;  // suppressed
    const DetectionRecord& record = *kept;
    const DetectorRow& row = detector_table()[record.detector];
    Finding finding = describe_detection(names, record);
    finding.execution = seed.execution;
    finding.times_seen = seed.times_seen;
    if (row.predicts) {
      if (record.kind == OutcomeKind::kDataRace && races_already(record, names.record())) return;
      auto driven = drive_into(replay, record);
      if (!driven) warn(driven.error());
      if (driven && *driven) {
        (*driven)->execution = seed.execution;
        return add(**driven);
      }
      if (options_.asks_for(row)) add_once(out_.potential, std::move(finding));
      return;
    }
    if (is_known(finding, out_.findings)) return;
    out_.findings.push_back(simpler(finding, replay, names, {0, record.key, detector_bit(row.id)}));
  }

  // A process may be killed for reasons that are not the program's (the machine is out of memory): a second one is
  // given a chance.
  static Result<ReplayResult> repeat(const ReplayOptions& replay) {
    auto result = run_replay(replay);
    const bool killed = result ? result->record.outcome == OutcomeKind::kKilled && !result->interrupted
                               : result.error().kind == ErrorKind::kInternal;
    return killed ? run_replay(replay) : result;
  }

  void add_cut_short(const FoundSeed& seed, const std::string& why) {
    ++out_.cut_short;
    ReplayOptions replay = replay_of(options_, campaign_, seed);
    out_.not_confirmed.push_back(fmt::format(
        "{} of execution {} (shard {}): the process that repeated it gave no result: "
        "{}; try `ravel replay {} -- PROGRAM'",
        outcome_name(seed.kind), seed.execution, seed.shard, why, build_seed_string(origin_of(replay), false)));
  }

  void warn(const Error& error) {
    std::string line = error.line();
    std::vector<std::string>& list = out_.warnings;
    if (std::find(list.begin(), list.end(), line) == list.end()) list.push_back(std::move(line));
  }

  void add_notes(std::vector<std::string> notes) {
    for (std::string& note : notes) {
      if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end())
        out_.notes.push_back(std::move(note));
    }
  }

  // What of an execution is meant: a data race, a detection with its detector's bit, or how it ends.
  struct Meant {
    std::uint64_t race = 0;
    std::uint64_t detection = 0;
    std::uint64_t detectors = 0;
  };

  std::vector<Finding> meant_of(Names& names, const Meant& meant) const {
    if (meant.detection == 0) return findings_of(names, meant.race);
    std::vector<Finding> found;
    for (const DetectionRecord& record : names.record().detections) {
      if (record.key == meant.detection) found.push_back(describe_detection(names, record));
    }
    return found;
  }

  // The finding in the simplest schedule that the time allows, with its plan saved, and that of the original beside it.
  Finding simpler(const Finding& found, const ReplayOptions& replay, Names& names, const Meant& meant) {
    Simplification& told = simplification_;
    told = Simplification{};
    std::optional<MinimiseResult> minimised;
    // What is unusual depends on the training: another execution would not be judged alike.
    const bool trained = (meant.detectors & untrained_detectors()) != 0;
    if (left_.count() > 0 && found.kind != OutcomeKind::kHang && !trained) {
      MinimiseOptions how;
      const bool ends_so = meant.race == 0 && meant.detection == 0;
      how.time = ends_so ? left_ : std::max(left_ / 2, std::chrono::milliseconds(1));
      how.isolation = options_.isolation;
      how.race = meant.race;
      how.detection = meant.detection;
      how.detectors = meant.detectors;
      const Clock::time_point start = Clock::now();
      auto result = minimise(replay, how);
      left_ -= std::min(left_, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start));
      if (result) {
        told.tried = result->hit;
        told.fewest_preemptions = result->hit && result->fewest_preemptions;
        told.executions = result->executions;
        told.seconds = result->seconds;
        minimised = std::move(*result);
      } else {
        warn(result.error());  // it stays as it was found
      }
    }
    if (minimised && minimised->confirmed) {
      Names other(minimised->confirmed->record, symbolizer_);
      leave_out_library_races(minimised->confirmed->record, other);
      suppressions_.leave_out(minimised->confirmed->record, other);
      for (Finding& finding : meant_of(other, meant)) {
        if (meant.detection == 0 && !same_defect(finding, found)) continue;
        finding.execution = found.execution;
        finding.times_seen = found.times_seen;
        for (const Finding& related : found.related) add_once(finding.related, related);
        told.original_preemptions = found.preemptions;
        told.original_switches = found.switches;
        told.original_events = found.events;
        return save(std::move(finding), minimised->replay, other, plan_of(found, replay, names));
      }
    }
    return save(found, replay, names, std::nullopt);
  }

  [[nodiscard]] PlanOrigin origin_of(const ReplayOptions& replay) const {
    return {image_, replay, campaign_.strategy, campaign_.seed, stdin_path_};
  }
  PlanFile plan_of(Finding finding, const ReplayOptions& replay, Names& names) const {
    finding.hash = canonical_hash_of(names.record(), names);
    return build_plan(origin_of(replay), finding, names);
  }

  // The plan, with that of the original and what the program reads beside it.
  Result<std::string> save_files(const Finding& finding, const ReplayOptions& replay, Names& names,
                                 std::optional<PlanFile>& original) {
    if (input_.in_memory() && stdin_path_.empty()) {
      auto kept = save_input(options_.output, input_.text());
      if (!kept) return kept;
      stdin_path_ = *kept;
      if (original) original->stdin_path = stdin_path_;
    }
    auto path = save_plan(options_.output, build_plan(origin_of(replay), finding, names));
    if (!path) return path;
    if (!from_saved_plan_) {  // else it is beside the plan already
      auto beside = save_original(*path, original);
      if (beside) simplification_.original_plan = *beside;
      if (!beside) warn(beside.error());
    }
    return path;
  }

  // A plan that cannot be saved does not lose the finding: its seed string is printed with it.
  Finding save(Finding finding, const ReplayOptions& replay, Names& names, std::optional<PlanFile> original) {
    finding.hash = canonical_hash_of(names.record(), names);
    finding.seed_string = build_seed_string(origin_of(replay), policy_decides(replay, names.record()));
    auto path = save_files(finding, replay, names, original);
    if (path) finding.plan = *path;
    if (!path) warn(path.error());
    finding.simplified = simplification_;
    if (options_.minimise.count() > 0) {
      MinimiseOptions how;
      how.time = std::max(left_, kLeastTime);
      how.isolation = options_.isolation;
      if (auto explained = explain(replay, how, names, finding); !explained) warn(explained.error());
    }
    if (options_.timelines) finding.timeline = timeline_of(names);
    return finding;
  }

  // Findings of one execution share it.
  std::shared_ptr<const Timeline> timeline_of(Names& names) {
    std::shared_ptr<const Timeline>& known = timelines_[{names.record().fingerprint, names.record().total_events}];
    if (known == nullptr) known = make_timeline(names);
    return known;
  }

  // Whether the policy alone, without the recorded choices, leads to the same trace: then a seed string needs no more.
  static bool policy_decides(ReplayOptions replay, const ExecutionRecord& record) {
    if (record.outcome == OutcomeKind::kHang) return false;  // would cost the whole patience again
    if (replay.plan.policy.kind == PolicyKind::kRunOn && record.preemptions != 0) return false;
    replay.prefix.clear();
    const auto again = run_replay(replay);
    return again && again->record.outcome == record.outcome && again->record.fingerprint == record.fingerprint;
  }

  // Two seeds may lead to the same words.
  [[nodiscard]] static bool is_known(const Finding& finding, const std::vector<Finding>& list) {
    return std::any_of(list.begin(), list.end(), [&](const Finding& known) { return same_finding(known, finding); });
  }

  const CampaignRequest& options_;
  const CampaignOptions& campaign_;
  const ProgramImage& image_;
  const StandardInput& input_;
  Suppressions& suppressions_;
  Symbolizer symbolizer_;
  std::chrono::milliseconds left_ = options_.minimise;
  Simplification simplification_;  // of the finding at hand
  bool from_saved_plan_ = false;   // ... and its seed
  std::string stdin_path_;         // where the input was kept
  std::vector<Finding> known_;     // as they were found
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const Timeline>> timelines_;
  Confirmed out_;
};

}  // namespace

Confirmed confirm_findings(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
                           const StandardInput& input, const CampaignResult& result, Suppressions& suppressions) {
  std::vector<FoundSeed> seeds = result.found;
  std::stable_sort(seeds.begin(), seeds.end(),
                   [](const FoundSeed& a, const FoundSeed& b) { return a.source < b.source; });
  Confirmer confirmer(options, campaign, image, input, suppressions);
  for (const FoundSeed& seed : seeds) confirmer.add(seed);
  return confirmer.take();
}

}  // namespace ravel
