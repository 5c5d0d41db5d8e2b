// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/keep_outcomes.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/plan_store.h"
#include "driver/replay.h"
#include "investigate/replay_of.h"
#include "investigate/verdict.h"
#include "report/plan_builder.h"

namespace ravel {
namespace {

OutcomeRow row_of(const FoundOutcome& found) {
  return {std::string(outcome_name(found.kind)), found.observations, found.count, {}};
}

class Keeper {
 public:
  Keeper(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
         const StandardInput& input)
      : options_(options), campaign_(campaign), image_(image), input_(input) {}

  Result<void> add(const FoundOutcome& found, OutcomesReport& report) {
    OutcomeRow row = row_of(found);
    const ReplayOptions replay = replay_of(campaign_, found);
    auto again = run_replay(replay);
    if (!again && campaign_.deadline.passed()) {  // listed without a plan
      if (warning_.empty()) warning_ = again.error().line();
      report.rows.push_back(std::move(row));
      return {};
    }
    if (!again) return tl::make_unexpected(again.error());
    std::vector<Observation> seen = again->record.observations;
    std::sort(seen.begin(), seen.end());
    if (again->record.outcome != found.kind || seen != found.observations) {
      report.not_confirmed.push_back(fmt::format("{} {}: a fresh process ended with {}", row.kind, row.text(),
                                                 outcome_name(again->record.outcome)));
    } else {
      Names names(again->record, symbolizer_);
      Finding finding = describe_outcome(names);
      finding.message = row.text();
      finding.hash = canonical_hash_of(again->record, names);
      PlanOrigin origin{image_, replay, campaign_.strategy, campaign_.seed, {}};
      auto path = save(std::move(origin), finding, names);
      if (path) row.plan = *path;
      if (!path && warning_.empty()) warning_ = path.error().line();  // the outcome is listed without a plan
    }
    report.rows.push_back(std::move(row));
    return {};
  }

  // Why plans are missing; empty: none is.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  Result<std::string> save(PlanOrigin origin, const Finding& finding, Names& names) {
    if (input_.in_memory()) {
      auto kept = save_input(options_.output, input_.text());
      if (!kept) return kept;
      origin.stdin_path = *kept;
    }
    return save_plan(options_.output, build_plan(origin, finding, names));
  }

  std::string warning_;
  const CampaignRequest& options_;
  const CampaignOptions& campaign_;
  const ProgramImage& image_;
  const StandardInput& input_;
  Symbolizer symbolizer_;
};

void settle_exit_code(OutcomesReport& report, const CampaignResult& result, const CampaignRequest& options) {
  const bool defect = std::any_of(result.outcomes.begin(), result.outcomes.end(),
                                  [](const FoundOutcome& outcome) { return is_defect(outcome.kind); });
  const VerdictInput facts{result, defect ? std::size_t{1} : 0, report.not_confirmed.size(), true,
                           true,   options.allow_vacuous};
  const Verdict verdict = judge(facts);
  report.exit_code = verdict.exit_code;
  report.reason = verdict.reason;
}

}  // namespace

Result<std::string> keep_outcomes(const CampaignRequest& request, const CampaignOptions& campaign,
                                  const ProgramImage& image, const StandardInput& input, const CampaignResult& result,
                                  OutcomePlans plans, OutcomesReport& report) {
  Keeper keeper(request, campaign, image, input);
  for (const FoundOutcome& found : result.outcomes) {
    if (plans == OutcomePlans::kNone) {
      report.rows.push_back(row_of(found));
      continue;
    }
    if (auto added = keeper.add(found, report); !added) return tl::make_unexpected(added.error());
  }
  settle_exit_code(report, result, request);
  return keeper.warning();
}

}  // namespace ravel
