// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/strategy_check.h"

#include <memory_resource>
#include <string_view>
#include <vector>

#include "explore/parameters.h"
#include "explore/strategy_table.h"
#include "investigate/parameter_text.h"
#include "model/text/near_names.h"
#include "wire/campaign.h"

namespace ravel {

std::string check_strategy(const std::string& text) {
  if (text.size() >= sizeof(Campaign::strategy)) return "too long";
  const std::string_view name = std::string_view(text).substr(0, text.find(','));
  const StrategyRow* row = find_strategy(name);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const StrategyRow& known : strategy_table()) names.push_back(known.name);
    return "unknown strategy; " + near_hint(name, names, "`ravel list' shows all");
  }
  std::pmr::monotonic_buffer_resource memory;
  StrategyProblem problem;
  if (open_strategy(text, memory, {}, problem).strategy != nullptr) return {};
  return problem.error.empty() ? problem_text(problem.parameter, row->parameters, text) : std::string(problem.error);
}

std::optional<Heuristic> best_first_by(const std::string& strategy) {
  const StrategyRow* row = find_strategy(strategy);
  if (row == nullptr || row->name != "best-first") return std::nullopt;
  const std::size_t comma = strategy.find(',');
  ParameterValues values;
  (void)parse_parameters(row->parameters,
                         comma == std::string::npos ? std::string_view{} : std::string_view(strategy).substr(comma + 1),
                         values);
  return static_cast<Heuristic>(values["by"]);
}

bool searches_property(const std::string& strategy) {
  return best_first_by(strategy) == Heuristic::kProperty;
}

}  // namespace ravel
