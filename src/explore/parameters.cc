// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/parameters.h"

#include "base/invariant.h"

namespace ravel {
namespace {

// False: not a number, or one that nobody means.
bool number_of(std::string_view text, std::uint64_t* value) {
  if (text.empty() || text.size() > 9) return false;
  std::uint64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  *value = number;
  return true;
}

bool value_of(const Parameter& parameter, std::string_view text, std::uint64_t* value) {
  if (parameter.type == ParameterType::kNumber) {
    return number_of(text, value) && *value >= parameter.least && *value <= parameter.most;
  }
  for (std::size_t i = 0; i < parameter.words.size(); ++i) {
    if (parameter.words[i] != text) continue;
    *value = i;
    return true;
  }
  return false;
}

}  // namespace

ParameterValues::ParameterValues(std::span<const Parameter> table) : table_(table) {
  INVARIANT(table.size() <= kMaxParameters, "kMaxParameters has room for every strategy's parameters");
  for (std::size_t i = 0; i < table.size(); ++i) values_[i] = table[i].initial;
}

std::size_t ParameterValues::row_of(std::string_view name) const {
  std::size_t row = 0;
  while (row < table_.size() && table_[row].name != name) ++row;
  return row;
}

std::uint64_t ParameterValues::operator[](std::string_view name) const {
  const std::size_t row = row_of(name);
  INVARIANT(row < table_.size(), "a strategy asks only for parameters that are in its row");
  return values_[row];
}

bool ParameterValues::is_given(std::string_view name) const {
  const std::size_t row = row_of(name);
  return row < table_.size() && given_[row];
}

struct ParameterParser {
  static ParameterProblem take(ParameterValues& out, std::string_view item) {
    using Kind = ParameterProblem::Kind;
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    const std::size_t row = out.row_of(name);
    if (row == out.table_.size()) return {Kind::kUnknown, name, nullptr};
    const Parameter& parameter = out.table_[row];
    if (equals == std::string_view::npos) return {Kind::kNoValue, name, &parameter};
    if (out.given_[row]) return {Kind::kTwice, name, &parameter};
    if (!value_of(parameter, item.substr(equals + 1), &out.values_[row])) return {Kind::kBadValue, name, &parameter};
    out.given_[row] = true;
    return {};
  }
};

ParameterProblem parse_parameters(std::span<const Parameter> table, std::string_view text, ParameterValues& out) {
  out = ParameterValues(table);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const ParameterProblem problem = ParameterParser::take(out, text.substr(0, comma));
    if (problem.kind != ParameterProblem::Kind::kNone) return problem;
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return {};
}

}  // namespace ravel
