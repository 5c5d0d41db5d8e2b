// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Orders are brought about without a search: an execution is run again with its events in an order that keeps to them,
// as far as the orders and the events go, and again with what came behind that. So each run keeps to the orders for
// longer than the one before it; nothing is proved when one does not.
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
constexpr std::uint64_t kMostTails = 8;         // runs with the same turns, and with other threads first behind them
constexpr std::uint32_t kUntilItsEnd = 0xffffffffu;
constexpr std::uint64_t kMostRuns = 64;  // and as many as there are orders

// Empty: all orders hold.
std::vector<WantedOrder> wanted_orders(ValueAccesses& accesses, const std::vector<ValueOrder>& orders) {
  const ExecutionRecord& record = accesses.names().record();
  if (std::all_of(orders.begin(), orders.end(),
                  [&](const ValueOrder& order) { return accesses.violation(order).empty(); })) {
    return {};
  }
  std::vector<WantedOrder> wanted;
  for (const ValueOrder& order : orders) {
    WantedOrder one{accesses.find(order.first), accesses.find(order.second), order.relation};
    for (std::size_t t = 0; t < record.threads.size(); ++t) {
      const std::string lineage = lineage_of(record.threads, static_cast<ThreadIndex>(t));
      if (lineage == order.first.thread) one.opener = static_cast<ThreadIndex>(t);
      if (lineage == order.second.thread) one.woken = static_cast<ThreadIndex>(t);
    }
    wanted.push_back(one);
  }
  return wanted;
}

// An access can only be held back where it is a scheduling point. True: some were none.
bool make_points(const ExecutionRecord& record, const std::vector<WantedOrder>& orders, std::vector<LocationId>& racy) {
  const std::size_t before = racy.size();
  for (const WantedOrder& order : orders) {
    for (const std::optional<std::size_t>& i : {order.first, order.second}) {
      if (!i || op_class(record.events[*i].kind) != OpClass::kPlain) continue;
      const LocationId location = record.events[*i].location;
      const auto at = std::lower_bound(racy.begin(), racy.end(), location);  // the list is sorted
      if (at == racy.end() || *at != location) racy.insert(at, location);
    }
  }
  return racy.size() != before;
}

std::vector<Segment> data_choices(const std::vector<Segment>& schedule) {
  std::vector<Segment> data;
  for (const Segment& segment : schedule) {
    if ((segment.thread & kDataChoice) == 0) continue;
    for (std::uint32_t i = 0; i < segment.count; ++i) data.push_back({segment.thread, 1});
  }
  return data;
}
std::vector<Segment> choices_of(const std::vector<std::uint32_t>& alternatives) {
  std::vector<Segment> data;
  for (const std::uint32_t alternative : alternatives) data.push_back({kDataChoice | alternative, 1});
  return data;
}

std::vector<std::uint32_t> key_of(const std::vector<Segment>& prefix) {
  std::vector<std::uint32_t> key;
  for (const Segment& segment : prefix) key.insert(key.end(), {segment.thread, segment.count});
  return key;
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
  std::set<std::vector<std::uint32_t>> seen;
  std::uint64_t runs = 0;
  std::uint64_t tails = 0;
  ReplayOptions replay = replay_of(campaign_, found);
  replay.deadline = deadline;
  const std::uint64_t most = kMostRuns + orders.size();
  for (; runs < most && !deadline.passed() && !InterruptGuard::interrupted(); ++runs) {
    auto result = run_replay(replay);
    if (!result || result->interrupted || result->record.total_events != result->record.events.size()) break;
    Names names(result->record, symbolizer);
    ValueAccesses accesses(names);
    const std::vector<WantedOrder> wanted = wanted_orders(accesses, orders);
    if (wanted.empty()) {
      found.kind = result->record.outcome;
      found.schedule = result->record.schedule;
      found.racy = replay.racy;
      if (!visit_again(found, deadline, symbolizer, visit)) break;
      return campaign->executions + runs + 2;
    }
    const OrderTurns turns = turns_for(result->record.events, wanted);
    std::vector<Segment> prefix = data_choices(result->record.schedule);
    // Where there are other choices than of waiters and of the program, all stay as they are.
    if (prefix.size() == turns.alternatives_before) prefix = choices_of(turns.alternatives);
    prefix.insert(prefix.end(), turns.turns.begin(), turns.turns.end());
    const bool finer = make_points(result->record, wanted, replay.racy);
    if (!seen.insert(key_of(prefix)).second && !finer && ++tails > kMostTails) break;
    for (std::size_t i = 0; i < turns.free.size(); ++i) {
      prefix.push_back({turns.free[(tails + i) % turns.free.size()], kUntilItsEnd});
    }
    replay.plan.policy = PolicySpec{};
    replay.plan.prefix_kind = PrefixKind::kTurns;
    replay.plan.on_divergence = OnDivergence::kContinue;
    replay.prefix = std::move(prefix);
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
