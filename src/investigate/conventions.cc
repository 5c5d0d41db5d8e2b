// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/conventions.h"

#include <fmt/format.h>

namespace ravel {

std::vector<std::pair<std::string, std::string>> conventions_of(const StrategyRow& strategy,
                                                                const CampaignRequest& request) {
  const PlanSpec& plan = request.base;
  std::string excluded;
  for (const OperationRow& row : kOperationTable) {
    // Classes have names of their own in `ravel list'; here their operations are clearer.
    if ((plan.excluded_classes >> static_cast<unsigned>(row.cls) & 1) == 0) continue;
    if (row.cls == OpClass::kInternal || row.cls == OpClass::kHeap) continue;
    excluded += (excluded.empty() ? " without " : ", ") + std::string(row.name);
  }
  const bool fair = plan.timeouts == TimeoutMode::kFair;
  std::vector<std::pair<std::string, std::string>> list;
  if (strategy.name == "reachability") {
    list.emplace_back(
        "counted",
        "sequences: the order of completions on each synchronisation object and each atomic that decides, and choices");
    list.emplace_back(
        "dependent",
        "all operations on one object, also posts, shared locks, reads of an atomic and signals that wake nobody");
  } else if (strategy.reduces()) {
    list.emplace_back("counted", strategy.reduction == Reduction::kExactlyOnce
                                     ? "Mazurkiewicz traces: orders of dependent events"
                                     : "schedules, at least one of each order of dependent events");
    list.emplace_back("dependent",
                      "accesses of which one writes (a failed compare-exchange is a read, "
                      "read-modify-writes do not commute), operations on one synchronisation object");
  } else {
    list.emplace_back("counted", "schedules");
  }
  list.emplace_back("events", fmt::format("scheduling points of `{}'{}; blocked attempts do not count",
                                          request.points_name(), excluded));
  list.emplace_back("choices", "which waiter a signal wakes, data choices");
  list.emplace_back("ends", "deadlocks and failures count; cut executions make the result incomplete");
  list.emplace_back("time", fair ? "fair: a time-out fires when no thread can run; clock reads order nothing"
                                 : "adversarial: a time-out may fire whenever the operation has to wait");
  list.emplace_back("memory", "sequentially consistent");
  return list;
}

}  // namespace ravel
