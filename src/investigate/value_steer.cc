// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Orders are brought about without a search: an execution is run again with its accesses in an order that keeps to
// them, and again with those that only showed then. Each run repairs at least the first order that does not hold, if it
// can be had at all; nothing is proved when it cannot.
#include <algorithm>
#include <set>

#include "driver/interrupt.h"
#include "driver/supervise.h"
#include "investigate/order_turns.h"
#include "investigate/replay_of.h"
#include "investigate/value_search.h"
#include "report/value_orders.h"

namespace ravel {
namespace {

constexpr std::uint64_t kFirstExecutions = 32;  // that show where scheduling points are
constexpr std::uint32_t kMostRuns = 200;

// The last event of a thread that has not come to what it is to do.
std::optional<std::size_t> last_of(const ExecutionRecord& record, const std::string& lineage) {
  for (std::size_t i = record.events.size(); i-- > 0;) {
    if (lineage_of(record.threads, record.events[i].thread) == lineage) return i;
  }
  return std::nullopt;
}

// Empty: all orders hold.
std::vector<EventEdge> edges_of(ValueAccesses& accesses, const std::vector<ValueOrder>& orders) {
  const ExecutionRecord& record = accesses.names().record();
  std::vector<EventEdge> edges;
  bool hold = true;
  for (const ValueOrder& order : orders) {
    hold = accesses.violation(order).empty() && hold;
    const auto second = accesses.find(order.second);
    auto first = accesses.find(order.first);
    if (!first) first = last_of(record, order.first.thread);
    if (!second || !first || record.events[*first].thread == record.events[*second].thread) continue;
    edges.push_back({*first, *second});
    if (const auto other = accesses.between(*first, *second, order.relation)) edges.push_back({*second, *other});
  }
  return hold ? std::vector<EventEdge>{} : edges;
}

std::vector<Segment> data_choices(const std::vector<Segment>& schedule) {
  std::vector<Segment> data;
  for (const Segment& segment : schedule) {
    if ((segment.thread & kDataChoice) == 0) continue;
    for (std::uint32_t i = 0; i < segment.count; ++i) data.push_back({segment.thread, 1});
  }
  return data;
}

}  // namespace

Result<std::uint64_t> ValueSearch::steer(const std::vector<ValueOrder>& orders, const Visit& visit) {
  if (auto ready = prepare(); !ready) return tl::make_unexpected(ready.error());
  CampaignOptions few = campaign_;
  if (few.budget.iterations == 0 || few.budget.iterations > kFirstExecutions) few.budget.iterations = kFirstExecutions;
  auto campaign = supervise_campaign(few, [](const CampaignResult&) {});
  if (!campaign) return tl::make_unexpected(campaign.error());
  if (campaign->outcomes.empty() || campaign->complete) return campaign->executions;
  FoundOutcome found = *std::max_element(campaign->outcomes.begin(), campaign->outcomes.end(),
                                         [](const auto& a, const auto& b) { return a.racy.size() < b.racy.size(); });
  const Deadline deadline(Clock::now() + request_.time);  // the campaign may have used up its own
  Symbolizer symbolizer;
  std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> seen;
  std::uint32_t runs = 0;
  ReplayOptions replay = replay_of(campaign_, found);
  replay.deadline = deadline;
  for (; runs < kMostRuns && !deadline.passed(); ++runs) {
    auto result = run_replay(replay);
    if (!result || result->interrupted || result->record.total_events != result->record.events.size()) break;
    Names names(result->record, symbolizer);
    ValueAccesses accesses(names);
    const std::vector<EventEdge> edges = edges_of(accesses, orders);
    if (edges.empty()) {
      found.kind = result->record.outcome;
      found.schedule = result->record.schedule;
      if (!visit_again(found, deadline, symbolizer, visit)) break;
      return campaign->executions + runs + 2;
    }
    const std::vector<Segment> turns = turns_for(result->record.events, edges);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> key;
    for (const Segment& turn : turns) key.emplace_back(turn.thread, turn.count);
    if (!seen.insert(std::move(key)).second) break;
    replay.plan.policy = PolicySpec{};
    replay.plan.prefix_kind = PrefixKind::kTurns;
    replay.plan.on_divergence = OnDivergence::kContinue;
    replay.prefix = data_choices(result->record.schedule);
    replay.prefix.insert(replay.prefix.end(), turns.begin(), turns.end());
  }
  return campaign->executions + runs;
}

// By its decisions, as it will be saved.
bool ValueSearch::visit_again(const FoundOutcome& found, const Deadline& deadline, Symbolizer& symbolizer,
                              const Visit& visit) const {
  ReplayOptions replay = replay_of(campaign_, found);
  replay.deadline = deadline;
  auto result = run_replay(replay);
  if (!result || result->record.outcome != found.kind) return false;
  Names names(result->record, symbolizer);
  visit(found, names);
  return true;
}

}  // namespace ravel
