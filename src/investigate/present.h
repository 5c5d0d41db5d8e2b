// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What is done for a finding once a fresh process has shown it: the simplest schedule, a plan on disk, the orders that
// decide. All of it within the deadline of the command; what there is no time for is left out, never the finding.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "driver/plan_store.h"
#include "investigate/confirm.h"
#include "investigate/minimise_plan.h"
#include "report/plan_builder.h"
#include "report/timeline.h"

namespace ravel {

// What of an execution is meant: a data race, a detection with its detector's bit, or how it ends.
struct Meant {
  std::uint64_t race = 0;
  std::uint64_t detection = 0;
  std::uint64_t detectors = 0;
};

// A finding that a fresh process has shown, with what showed it. Executions are shared by their findings.
struct ShownFinding {
  Finding finding;
  ReplayOptions replay;
  std::shared_ptr<ReplayResult> result;
  Meant meant;
  bool from_saved_plan = false;
  Clock::duration cost{};  // of one execution in a fresh process
};

class Presenter {
 public:
  Presenter(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
            const StandardInput& input, Suppressions& suppressions, Symbolizer& symbolizer, WorkListener listener);

  // In the simplest schedule that the time allows, explained and saved.
  Finding present(const ShownFinding& shown);
  // As it was found, saved.
  Finding keep(const ShownFinding& shown);

  void warn(const Error& error);
  [[nodiscard]] PlanOrigin origin_of(const ReplayOptions& replay) const;
  std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  std::optional<MinimiseResult> simplest(const ShownFinding& shown);
  [[nodiscard]] std::vector<Finding> meant_of(Names& names, const Meant& meant) const;
  PlanFile plan_of(Finding finding, const ReplayOptions& replay, Names& names) const;
  Result<std::string> save_files(const Finding& finding, const ReplayOptions& replay, Names& names,
                                 std::optional<PlanFile>& original);
  void save(Finding& finding, const ReplayOptions& replay, Names& names, std::optional<PlanFile> original);
  void explain_order_of(Finding& finding, const ReplayOptions& replay, Names& names);
  [[nodiscard]] bool policy_decides(ReplayOptions replay, const ExecutionRecord& record) const;
  [[nodiscard]] bool has_time_for(int executions) const;
  void tell(std::string_view what, const CampaignResult* so_far);
  std::shared_ptr<const Timeline> timeline_of(Names& names, const ReplayOptions& replay);

  const CampaignRequest& options_;
  const CampaignOptions& campaign_;
  const ProgramImage& image_;
  const StandardInput& input_;
  Suppressions& suppressions_;
  Symbolizer& symbolizer_;
  WorkListener listener_;
  std::chrono::milliseconds left_;  // for simplifying, of all findings together
  bool grows_;                      // ... which was not given, and depends on how long an execution takes
  Clock::duration cost_{};          // of one execution of the finding at hand
  Simplification simplification_;   // ... and how it was made simpler
  bool from_saved_plan_ = false;    // ... and whether its plan is on disk already
  bool tries_policy_ = true;        // ... and whether its seed string may be worth an execution
  std::string stdin_path_;          // where the input was kept
  std::vector<std::string> warnings_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const Timeline>> timelines_;
};

}  // namespace ravel
