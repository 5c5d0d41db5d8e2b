// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/value_search.h"

#include <algorithm>

#include "driver/interrupt.h"
#include "driver/plan_store.h"
#include "driver/supervise.h"
#include "investigate/campaign_setup.h"
#include "investigate/replay_of.h"
#include "report/finding.h"
#include "report/plan_builder.h"
#include "wire/findings.h"

namespace ravel {

Result<void> ValueSearch::prepare() {
  if (image_) return {};
  CampaignRequest request;
  request.strategy = request_.strategy;
  request.iterations = request_.iterations;
  request.time = request_.time;
  request.keep_going = true;
  request.saved_first = false;
  request.output = request_.output;
  auto setup = check_options(request);
  if (!setup) return tl::make_unexpected(setup.error());
  if (!setup->strategy->promises()) {
    return usage_error("--strategy needs one that can be complete", request_.strategy, "dpor or dfs");
  }
  auto image = testable_program(request_.program[0]);
  if (!image) return tl::make_unexpected(image.error());
  if (image->calls_explore) {
    return cannot_test("value schedules are of whole programs", request_.program[0], "it calls ravel::explore()");
  }
  image_ = std::move(*image);
  auto input = StandardInput::open(request_.stdin_path);
  if (!input) return tl::make_unexpected(input.error());
  input_.emplace(std::move(*input));
  campaign_ = campaign_options(request, request_.program, *image_, *input_);
  campaign_.outcomes = kListTraces;
  return {};
}

Result<ValueSearchEnd> ValueSearch::run(const Visit& visit) {
  if (auto ready = prepare(); !ready) return tl::make_unexpected(ready.error());
  auto campaign = supervise_campaign(campaign_, [](const CampaignResult&) {});
  if (!campaign) return tl::make_unexpected(campaign.error());
  if (campaign->outcomes.empty() && !campaign->interrupted) {
    return cannot_test("no execution came to its end", request_.program[0], campaign->trouble);
  }
  ValueSearchEnd end;
  end.executions = campaign->executions;
  end.complete = campaign->complete;
  end.interrupted = campaign->interrupted;
  if (!end.complete) end.note = campaign->strategy_note.empty() ? "the budget ended" : campaign->strategy_note;
  if (end.complete && campaign->outcomes.size() == kMaxOutcomes) {
    end.complete = false;
    end.note = "more executions than can be kept";
  }
  if (auto visited = visit_all(*campaign, visit, end); !visited) return tl::make_unexpected(visited.error());
  return end;
}

Result<void> ValueSearch::visit_all(const CampaignResult& campaign, const Visit& visit, ValueSearchEnd& end) {
  Symbolizer symbolizer;
  const Deadline deadline(Clock::now() + request_.time);  // the campaign may have used up its own
  const auto cut = [&](const char* why) {
    end.complete = false;
    end.interrupted = InterruptGuard::interrupted();
    end.note = end.interrupted ? "interrupted" : why;
    return Result<void>{};
  };
  std::vector<const FoundOutcome*> order;
  for (const FoundOutcome& found : campaign.outcomes) order.push_back(&found);
  std::stable_partition(order.begin(), order.end(),
                        [&](const FoundOutcome* found) { return found->kind == request_.first; });
  for (const FoundOutcome* const at : order) {
    const FoundOutcome& found = *at;
    if (InterruptGuard::interrupted()) return cut("interrupted");
    ReplayOptions replay = replay_of(campaign_, found);
    replay.deadline = deadline;
    auto result = run_replay(replay);
    const bool again = result && result->record.outcome == found.kind;
    if (!again && (deadline.passed() || InterruptGuard::interrupted())) return cut("the time ended");
    if (!result) return tl::make_unexpected(result.error());
    if (!again) {
      return cannot_test("an execution did not happen again", request_.program[0], "see `ravel run --verify'");
    }
    if (result->record.total_events != result->record.events.size()) return cut("an execution is too long to be kept");
    ++end.schedules;
    Names names(result->record, symbolizer);
    if (!visit(found, names)) return cut("what was looked for was found");
  }
  return {};
}

Result<std::string> ValueSearch::save(const FoundOutcome& found, Names& names, const std::string& about) const {
  Finding finding = describe_outcome(names);
  finding.hash = canonical_hash_of(names.record(), names);
  finding.message = about;  // each has a plan of its own
  const ReplayOptions replay = replay_of(campaign_, found);
  const PlanOrigin origin{*image_, replay, campaign_.strategy, campaign_.seed, request_.stdin_path};
  return save_plan(request_.output, build_plan(origin, finding, names));
}

}  // namespace ravel
