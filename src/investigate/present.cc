// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/present.h"

#include <algorithm>

#include "detect/detector_table.h"
#include "investigate/defects.h"
#include "investigate/draw_timeline.h"
#include "investigate/explain_plan.h"
#include "report/library_races.h"
#include "report/race_groups.h"

namespace ravel {
namespace {

// For an explanation when the minimiser has used everything up.
constexpr std::chrono::milliseconds kLeastTime{200};

constexpr int kLeastExecutions = 50;  // for the minimiser to get somewhere

std::chrono::milliseconds in_ms(Clock::duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

}  // namespace

Presenter::Presenter(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
                     const StandardInput& input, Suppressions& suppressions, Symbolizer& symbolizer,
                     WorkListener listener)
    : options_(options),
      campaign_(campaign),
      image_(image),
      input_(input),
      suppressions_(suppressions),
      symbolizer_(symbolizer),
      listener_(std::move(listener)),
      left_(options.minimise),
      grows_(options.minimise == kDefaultMinimise) {}

void Presenter::warn(const Error& error) {
  std::string line = error.line();
  if (std::find(warnings_.begin(), warnings_.end(), line) == warnings_.end()) warnings_.push_back(std::move(line));
}

void Presenter::tell(std::string_view what, const CampaignResult* so_far) {
  if (listener_) listener_({what, so_far != nullptr ? so_far->executions : 0, 0});
}

// Each in a process of its own, and some to spare.
bool Presenter::has_time_for(int executions) const {
  return campaign_.deadline.left() > in_ms(executions * cost_) + kLeastTime;
}

std::vector<Finding> Presenter::meant_of(Names& names, const Meant& meant) const {
  if (meant.detection == 0) return findings_of(names, meant.race);
  std::vector<Finding> found;
  for (const DetectionRecord& record : names.record().detections) {
    if (record.key == meant.detection) found.push_back(describe_detection(names, record));
  }
  return found;
}

std::optional<MinimiseResult> Presenter::simplest(const ShownFinding& shown) {
  const Meant& meant = shown.meant;
  // What is unusual depends on the training: another execution would not be judged alike.
  const bool trained = (meant.detectors & untrained_detectors()) != 0;
  if (left_.count() <= 0 || shown.finding.kind == OutcomeKind::kHang || trained || !has_time_for(3)) return {};
  // Executions that take long are given more, unless somebody said how much.
  if (grows_) left_ = std::max(left_, std::min(in_ms(kLeastExecutions * cost_), campaign_.deadline.left() / 2));
  grows_ = false;
  MinimiseOptions how;
  const bool ends_so = meant.race == 0 && meant.detection == 0;
  how.time = ends_so ? left_ : std::max(left_ / 2, std::chrono::milliseconds(1));
  // The result is repeated once, and explained.
  how.time = std::min(how.time, campaign_.deadline.left() - in_ms(2 * cost_) - kLeastTime);
  how.isolation = options_.isolation;
  how.race = meant.race;
  how.detection = meant.detection;
  how.detectors = meant.detectors;
  how.listener = [this](const CampaignResult& so_far) { tell("minimising", &so_far); };
  const Clock::time_point start = Clock::now();
  auto result = minimise(shown.replay, how);
  left_ -= std::min(left_, in_ms(Clock::now() - start));
  if (!result) {
    warn(result.error());  // it stays as it was found
    return {};
  }
  simplification_.tried = result->hit;
  simplification_.fewest_preemptions = result->hit && result->fewest_preemptions;
  simplification_.executions = result->executions;
  simplification_.seconds = result->seconds;
  return std::move(*result);
}

Finding Presenter::present(const ShownFinding& shown) {
  simplification_ = Simplification{};
  from_saved_plan_ = shown.from_saved_plan;
  cost_ = shown.cost;
  const Finding& found = shown.finding;
  std::optional<MinimiseResult> minimised = simplest(shown);
  Names names(shown.result->record, symbolizer_);
  if (minimised && minimised->confirmed) {
    ExecutionRecord& record = minimised->confirmed->record;
    Names other(record, symbolizer_);
    leave_out_library_races(record, other);
    suppressions_.leave_out(record, other);
    for (Finding& finding : meant_of(other, shown.meant)) {
      if (shown.meant.detection == 0 && !same_defect(finding, found)) continue;
      finding.execution = found.execution;
      finding.times_seen = found.times_seen;
      finding.folds = found.folds;
      for (const Finding& related : found.related) add_once(finding.related, related);
      group_races(finding.related);
      simplification_.original_preemptions = found.preemptions;
      simplification_.original_switches = found.switches;
      simplification_.original_events = found.events;
      save(finding, minimised->replay, other, plan_of(found, shown.replay, names));
      explain_order_of(finding, minimised->replay, other);
      return std::move(finding);
    }
  }
  if (minimised && minimised->confirmed) simplification_.fewest_preemptions = false;  // of another defect
  Finding finding = found;
  save(finding, shown.replay, names, std::nullopt);
  explain_order_of(finding, shown.replay, names);
  return finding;
}

Finding Presenter::keep(const ShownFinding& shown) {
  simplification_ = Simplification{};
  from_saved_plan_ = shown.from_saved_plan;
  cost_ = shown.cost;
  tries_policy_ = false;
  Names names(shown.result->record, symbolizer_);
  Finding finding = shown.finding;
  save(finding, shown.replay, names, std::nullopt);
  tries_policy_ = true;
  return finding;
}

PlanOrigin Presenter::origin_of(const ReplayOptions& replay) const {
  return {image_, replay, campaign_.strategy, campaign_.seed, stdin_path_};
}

PlanFile Presenter::plan_of(Finding finding, const ReplayOptions& replay, Names& names) const {
  finding.hash = canonical_hash_of(names.record(), names);
  return build_plan(origin_of(replay), finding, names);
}

// The plan, with that of the original and what the program reads beside it.
Result<std::string> Presenter::save_files(const Finding& finding, const ReplayOptions& replay, Names& names,
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
void Presenter::save(Finding& finding, const ReplayOptions& replay, Names& names, std::optional<PlanFile> original) {
  finding.hash = canonical_hash_of(names.record(), names);
  finding.seed_string = build_seed_string(origin_of(replay), policy_decides(replay, names.record()));
  auto path = save_files(finding, replay, names, original);
  if (path) finding.plan = *path;
  if (!path) warn(path.error());
  finding.simplified = simplification_;
  if (options_.timelines) finding.timeline = timeline_of(names, replay);
}

void Presenter::explain_order_of(Finding& finding, const ReplayOptions& replay, Names& names) {
  if (options_.minimise.count() <= 0 || !has_time_for(1)) return;
  MinimiseOptions how;
  // Executions that take long get more here, too.
  const auto usual = options_.minimise == kDefaultMinimise ? in_ms(kLeastExecutions * cost_) : kLeastTime;
  how.time = std::min(std::max({left_, kLeastTime, usual}), campaign_.deadline.left());
  how.isolation = options_.isolation;
  how.listener = [this](const CampaignResult& so_far) { tell("explaining", &so_far); };
  if (auto explained = explain(replay, how, names, finding); !explained) warn(explained.error());
}

// Findings of one execution share it.
std::shared_ptr<const Timeline> Presenter::timeline_of(Names& names, const ReplayOptions& replay) {
  std::shared_ptr<const Timeline>& known = timelines_[{names.record().fingerprint, names.record().total_events}];
  if (known == nullptr) known = draw_timeline(names, replay);
  return known;
}

// Whether the policy alone, without the recorded choices, leads to the same trace: then a seed string needs no more.
bool Presenter::policy_decides(ReplayOptions replay, const ExecutionRecord& record) const {
  if (record.outcome == OutcomeKind::kHang) return false;  // would cost the whole patience again
  if (replay.plan.policy.kind == PolicyKind::kRunOn && record.preemptions != 0) return false;
  if (!tries_policy_ || !has_time_for(2)) return false;
  replay.prefix.clear();
  const auto again = run_replay(replay);
  return again && again->record.outcome == record.outcome && again->record.fingerprint == record.fingerprint;
}

}  // namespace ravel
