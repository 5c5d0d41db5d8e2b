// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/invariant.h"
#include "detect/detector_table.h"
#include "engine/findings.h"
#include "investigate/defects.h"
#include "investigate/drive.h"
#include "investigate/present.h"
#include "investigate/replay_of.h"
#include "report/doubts.h"
#include "report/library_races.h"
#include "report/race_groups.h"

namespace ravel {
namespace {

ReplayOptions with_detectors(ReplayOptions replay, const CampaignOptions& campaign, FindingSource source) {
  replay.detectors = campaign.detectors;
  if (source == FindingSource::kRace) replay.detectors |= detector_bit(DetectorId::kDataRace);
  // Why an execution failed is asked once, so it may cost something.
  if (source == FindingSource::kOutcome && campaign.detectors != 0) replay.detectors |= explaining_detectors();
  return replay;
}

class Confirmer {
 public:
  Confirmer(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
            const StandardInput& input, Suppressions& suppressions, const WorkListener& listener)
      : options_(options),
        campaign_(campaign),
        suppressions_(suppressions),
        listener_(listener),
        presenter_(options, campaign, image, input, suppressions, symbolizer_, listener) {}

  // All are confirmed before time is spent on one.
  Confirmed confirm(const std::vector<FoundSeed>& seeds) {
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      if (listener_) listener_({"confirming", i, seeds.size()});
      if (campaign_.deadline.passed()) {
        ++not_tried_;
      } else {
        add(seeds[i]);
      }
    }
    judge_races_not_repeated();
    group();
    std::string leader;
    for (const ShownFinding& shown : shown_) {
      const bool folded = !shown.finding.folded_into.empty();
      Finding finding = folded ? presenter_.keep(shown) : presenter_.present(shown);
      if (is_known(finding, out_.findings)) continue;
      const std::string fingerprint = fmt::format("{:016x}", defect_fingerprint(finding));
      if (folded) finding.folded_into = leader;
      if (!folded) leader = fingerprint;  // as it is shown
      out_.findings.push_back(std::move(finding));
    }
    if (not_tried_ != 0) {
      ++out_.cut_short;
      out_.not_confirmed.push_back(fmt::format("the time ended before {} {} repeated; raise --time", not_tried_,
                                               not_tried_ == 1 ? "finding was" : "findings were"));
    }
    for (std::string& line : presenter_.take_warnings()) out_.warnings.push_back(std::move(line));
    INVARIANT(out_.cut_short <= out_.not_confirmed.size(), "each is on the list of those not confirmed");
    return std::move(out_);
  }

 private:
  // An execution in a fresh process.
  struct Shown {
    ReplayOptions replay;
    std::shared_ptr<ReplayResult> result;
    Clock::duration cost{};
  };

  void add(const FoundSeed& seed) {
    const Shown shown = repeat(seed);
    if (shown.result == nullptr) return;
    Names names(shown.result->record, symbolizer_);
    if (seed.source == FindingSource::kOutcome && suppressions_.covers_outcome(names)) return;
    if (seed.source == FindingSource::kDetector) return add_detection(seed, shown, names);
    const bool race = seed.source == FindingSource::kRace;
    const std::string doubt = doubt_of(seed, names);
    for (Finding& finding : findings_of(names, race ? seed.key : 0)) {
      if (is_known(finding, known_)) continue;
      known_.push_back(finding);
      if (!doubt.empty()) {
        if (is_undecided_hang(names.record())) out_.undecided = finding.message;
        finding.details.push_back(doubt);
        out_.doubtful.push_back(std::move(finding));
        continue;
      }
      keep(seed, shown, std::move(finding), {race ? seed.key : 0, 0, 0});
    }
  }

  // Why what was found may be due to what Ravel does not see; empty: it is not.
  std::string doubt_of(const FoundSeed& seed, Names& names) {
    if (seed.source == FindingSource::kOutcome) return doubts_.about_outcome(names);
    for (const RaceRecord& race : names.record().races) {
      if (race_key(race) == seed.key) return doubts_.about_race(names, race);
    }
    return {};
  }

  // Code that Ravel does not see takes turns of its own: where that is why races are doubtful, it is also why others
  // were not seen again.
  void judge_races_not_repeated() {
    if (out_.doubtful.empty()) {
      for (std::string& line : races_not_repeated_) out_.not_confirmed.push_back(std::move(line));
    } else if (!races_not_repeated_.empty()) {
      add_notes({fmt::format("{} more {} not seen again; as doubtful as those listed", races_not_repeated_.size(),
                             races_not_repeated_.size() == 1 ? "data race was" : "data races were")});
    }
  }

  // Time is spent on one race of each cause.
  void group() {
    std::vector<Finding> findings;
    for (ShownFinding& shown : shown_) findings.push_back(std::move(shown.finding));
    std::vector<ShownFinding> sorted;
    for (const std::size_t before : group_races(findings)) {
      shown_[before].finding = std::move(findings[sorted.size()]);
      sorted.push_back(std::move(shown_[before]));
    }
    shown_ = std::move(sorted);
  }

  void keep(const FoundSeed& seed, const Shown& shown, Finding finding, Meant meant) {
    finding.execution = seed.execution;
    finding.times_seen = seed.times_seen;
    shown_.push_back({std::move(finding), shown.replay, shown.result, meant, seed.from_saved_plan, shown.cost});
  }

  // What a fresh process does with the plan; null if that is not what was found. An execution that was repeated for
  // another race and shows this one too is enough.
  Shown repeat(const FoundSeed& seed) {
    const ReplayOptions replay = with_detectors(replay_of(campaign_, seed), campaign_, seed.source);
    for (const Shown& other : repeated_) {
      const bool alike = seed.source == FindingSource::kRace && other.replay.detectors == replay.detectors &&
                         other.replay.plan.explore_call == replay.plan.explore_call;
      if (alike && happened_again(seed, other.result->record)) return other;
    }
    const Clock::time_point start = Clock::now();
    auto result = repeat(replay);
    if (!result || result->record.outcome == OutcomeKind::kKilled) {
      add_cut_short(seed, result ? "it was killed from outside" : result.error().line());
      return Shown();
    }
    if (!happened_again(seed, result->record)) {
      std::vector<std::string>& list = seed.source == FindingSource::kRace ? races_not_repeated_ : out_.not_confirmed;
      list.push_back(fmt::format("{} of execution {} (shard {}): a fresh process ended with {}",
                                 outcome_name(seed.kind), seed.execution, seed.shard,
                                 outcome_name(result->record.outcome)));
      return Shown();
    }
    Shown shown{replay, std::make_shared<ReplayResult>(std::move(*result)), Clock::now() - start};
    ExecutionRecord& record = shown.result->record;
    Names names(record, symbolizer_);
    add_notes(leave_out_library_races(record, names));
    suppressions_.leave_out(record, names);
    if (seed.source == FindingSource::kRace) repeated_.push_back(shown);
    return shown;
  }

  static bool happened_again(const FoundSeed& seed, const ExecutionRecord& record) {
    switch (seed.source) {
      case FindingSource::kRace:
        return std::any_of(record.races.begin(), record.races.end(),
                           [&](const RaceRecord& race) { return race_key(race) == seed.key; });
      case FindingSource::kDetector:
        return detection_of(seed, record) != nullptr;
      case FindingSource::kOutcome:
      case FindingSource::kGoal:
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
  void add_detection(const FoundSeed& seed, const Shown& shown, Names& names) {
    const DetectionRecord* kept = detection_of(seed, names.record());
    if (kept == nullptr) return;  // suppressed
    const DetectionRecord& record = *kept;
    const DetectorRow& row = detector_table()[record.detector];
    Finding finding = describe_detection(names, record);
    if (row.predicts) {
      if (record.kind == OutcomeKind::kDataRace && races_already(record, names.record())) return;
      auto driven = drive_into(shown.replay, record);
      if (!driven) presenter_.warn(driven.error());
      if (driven && *driven) {
        (*driven)->execution = seed.execution;
        return add(**driven);
      }
      finding.execution = seed.execution;
      finding.times_seen = seed.times_seen;
      if (options_.asks_for(row)) add_once(out_.potential, std::move(finding));
      return;
    }
    if (is_known(finding, known_)) return;
    known_.push_back(finding);
    keep(seed, shown, std::move(finding), {0, record.key, detector_bit(row.id)});
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
    ReplayOptions replay = with_detectors(replay_of(campaign_, seed), campaign_, seed.source);
    out_.not_confirmed.push_back(
        fmt::format("{} of execution {} (shard {}): the process that repeated it gave no result: "
                    "{}; try `ravel replay {} -- PROGRAM'",
                    outcome_name(seed.kind), seed.execution, seed.shard, why,
                    build_seed_string(presenter_.origin_of(replay), false)));
  }

  void add_notes(std::vector<std::string> notes) {
    for (std::string& note : notes) {
      if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end())
        out_.notes.push_back(std::move(note));
    }
  }

  // Two seeds may lead to the same words.
  [[nodiscard]] static bool is_known(const Finding& finding, const std::vector<Finding>& list) {
    return std::any_of(list.begin(), list.end(), [&](const Finding& known) { return same_finding(known, finding); });
  }

  const CampaignRequest& options_;
  const CampaignOptions& campaign_;
  Suppressions& suppressions_;
  Doubts doubts_;
  const WorkListener& listener_;
  Symbolizer symbolizer_;
  Presenter presenter_;
  std::vector<Shown> repeated_;      // that show races
  std::vector<ShownFinding> shown_;  // in the order of their seeds
  std::vector<Finding> known_;       // the same, as they were found
  std::vector<std::string> races_not_repeated_;
  std::size_t not_tried_ = 0;
  Confirmed out_;
};

}  // namespace

Confirmed confirm_findings(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
                           const StandardInput& input, const CampaignResult& result, Suppressions& suppressions,
                           const WorkListener& listener) {
  std::vector<FoundSeed> seeds = result.found;
  std::erase_if(seeds, [](const FoundSeed& seed) { return seed.source == FindingSource::kGoal; });
  std::stable_sort(seeds.begin(), seeds.end(),
                   [](const FoundSeed& a, const FoundSeed& b) { return a.source < b.source; });
  Confirmer confirmer(options, campaign, image, input, suppressions, listener);
  return confirmer.confirm(seeds);
}

}  // namespace ravel
