// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Parameters of strategies that work on a plan: "race=HEX,polish=N,detection=HEX".
#pragma once

#include <cstdint>
#include <string_view>

#include "explore/strategy.h"

namespace ravel {

struct PlanParameters {
  std::uint64_t race = 0;           // key of the data race that is meant; 0: how the plan's execution ends
  std::uint64_t detection = 0;      // key of what a detector found, if that is meant
  std::uint64_t polish = 1u << 12;  // executions spent on fewer switches once no fewer preemptions are possible
};

inline bool read_plan_parameters(const StrategyOptions& options, PlanParameters* out, std::string_view& error) {
  error = "works on a plan: use `ravel minimize PLAN' or `ravel explain PLAN'";
  std::string_view text = options.parameters;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = item.substr(0, equals);
    const std::uint32_t base = name == "polish" ? 10 : 16;
    std::uint64_t number = 0;
    for (const char c : item.substr(equals + 1)) {
      std::uint32_t digit = 99;
      if (c >= '0' && c <= '9') digit = static_cast<std::uint32_t>(c - '0');
      if (c >= 'a' && c <= 'f') digit = static_cast<std::uint32_t>(c - 'a' + 10);
      if (digit >= base) return false;
      number = number * base + digit;
    }
    if (name == "race") {
      out->race = number;
    } else if (name == "detection") {
      out->detection = number;
    } else if (name == "polish") {
      out->polish = number;
    } else {
      return false;
    }
  }
  return !options.schedule.empty();
}

}  // namespace ravel
