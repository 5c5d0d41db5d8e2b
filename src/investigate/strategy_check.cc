// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/strategy_check.h"

#include <memory_resource>
#include <string_view>
#include <vector>

#include "explore/strategy.h"
#include "model/text/near_names.h"
#include "wire/shared_block.h"

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
  StrategyOptions options;
  if (name.size() < text.size()) options.parameters = std::string_view(text).substr(name.size() + 1);
  std::string_view error;
  if (row->create(memory, options, error) == nullptr) return error.empty() ? "bad parameters" : std::string(error);
  return {};
}

}  // namespace ravel
