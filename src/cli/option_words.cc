// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/option_words.h"

#include "detect/detector_table.h"
#include "explore/strategy_table.h"
#include "model/plan.h"
#include "model/text/policy_text.h"
#include "report/formats/format.h"
#include "wire/isolation.h"

namespace ravel {
namespace {

template <class Rows>
std::vector<std::string> names_of(const Rows& rows, std::vector<std::string> words = {}) {
  for (const auto& row : rows) words.emplace_back(row.name);
  return words;
}

template <std::size_t N>
std::vector<std::string> all_of(const std::string_view (&names)[N]) {
  return {std::begin(names), std::end(names)};
}

}  // namespace

std::vector<std::string> strategy_words() {
  return names_of(strategy_table());
}
std::vector<std::string> policy_words() {
  return all_of(kPolicyNames);
}
std::vector<std::string> points_words() {
  std::vector<std::string> words = all_of(kPointsNames);
  words.emplace_back(kPairPointsName);
  return words;
}
std::vector<std::string> class_words() {
  return names_of(class_table());
}
std::vector<std::string> timeout_words() {
  return {kTimeoutNames, kTimeoutNames + kTimeoutChoices};
}
std::vector<std::string> waiter_words() {
  return all_of(kWaiterNames);
}
std::vector<std::string> volatile_words() {
  return all_of(kVolatileNames);
}
std::vector<std::string> fault_words() {
  return names_of(fault_table());
}
std::vector<std::string> detector_words() {
  return names_of(detector_table(),
                  {"all", "precise", "default", "none", "deadlock", "atomicity-violation", "order-violation"});
}
std::vector<std::string> isolation_words() {
  return all_of(kIsolationNames);
}
std::vector<std::string> format_words() {
  std::vector<std::string> words;
  for (const FormatRow& row : format_table()) {
    words.push_back(std::string(row.name) + (row.target == FormatTarget::kFile ? "=" : ""));
  }
  return words;
}
std::vector<std::string> color_words() {
  return {"auto", "always", "never"};
}

}  // namespace ravel
