// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/plan_store.h"
#include "driver/replay.h"
#include "engine/findings.h"
#include "report/library_races.h"
#include "report/plan_builder.h"
#include "report/timeline.h"

namespace ravel {
namespace {

bool same_finding(const Finding& a, const Finding& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == OutcomeKind::kDataRace) return a.identity == b.identity;
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
    const bool race = seed.kind == OutcomeKind::kDataRace;
    const bool raced = std::any_of(record.races.begin(), record.races.end(),
                                   [&](const RaceRecord& entry) { return race_key(entry) == seed.key; });
    if (race ? !raced : record.outcome != seed.kind) {
      out_.not_confirmed.push_back(fmt::format("{} of execution {} (shard {}): a fresh process ended with {}",
                                               outcome_name(seed.kind), seed.execution, seed.shard,
                                               outcome_name(record.outcome)));
      return {};
    }
    Names names(record, symbolizer_);
    add_notes(leave_out_library_races(result->record, names));
    const std::uint64_t hash = canonical_hash_of(record, names);
    std::vector<Finding> found;
    if (race) {
      for (const RaceRecord& entry : record.races) {
        if (race_key(entry) == seed.key) add_once(found, describe_race(names, entry));
      }
    } else {
      found.push_back(describe_outcome(names));
      for (const RaceRecord& entry : record.races) add_once(found[0].related, describe_race(names, entry));
    }
    std::shared_ptr<const Timeline> timeline;
    for (Finding& finding : found) {
      if (is_known(finding)) continue;
      if (options_.formats.draws()) {
        if (timeline == nullptr) timeline = make_timeline(names);
        finding.timeline = timeline;
      }
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
  std::stable_partition(seeds.begin(), seeds.end(),
                        [](const FoundSeed& s) { return s.kind != OutcomeKind::kDataRace; });
  Confirmer confirmer(options, campaign, image, input);
  for (const FoundSeed& seed : seeds) {
    if (auto added = confirmer.add(seed); !added) return tl::make_unexpected(added.error());
  }
  return confirmer.take();
}

}  // namespace ravel
