// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/parameter_text.h"

#include <fmt/format.h>

#include <vector>

#include "model/text/near_names.h"

namespace ravel {
namespace {

std::string forms_of(const Parameter& parameter) {
  if (parameter.type == ParameterType::kNumber) return fmt::format("{}=N", parameter.name);
  std::string text;
  for (const std::string_view word : parameter.words) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " or ", parameter.name, word);
  }
  return text;
}

std::string range_of(const Parameter& parameter) {
  if (parameter.type != ParameterType::kNumber) return {};
  if (parameter.most == kLargestNumber) {
    return parameter.least == 0 ? std::string() : fmt::format(", at least {}", parameter.least);
  }
  return fmt::format(", {} to {}", parameter.least, parameter.most);
}

std::string default_of(const Parameter& parameter) {
  if (parameter.type == ParameterType::kWord) return std::string(parameter.words[parameter.initial]);
  if (parameter.initial == kDrawn) return "drawn";
  return parameter.initial == kNoLimit ? "no limit" : fmt::format("{}", parameter.initial);
}

// "surf" of "portfolio,without=surf".
std::string_view given_value(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(fmt::format("{}=", name));
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + name.size() + 1);
  return rest.substr(0, rest.find(','));
}

}  // namespace

std::string parameter_values(const Parameter& parameter) {
  return fmt::format("{}{}, default {}", forms_of(parameter), range_of(parameter), default_of(parameter));
}

std::string problem_text(const ParameterProblem& problem, std::span<const Parameter> table, std::string_view text) {
  if (problem.kind == ParameterProblem::Kind::kTwice) return fmt::format("{} is given twice", problem.name);
  if (problem.parameter != nullptr) {
    const std::string expected =
        fmt::format("expected {}{}", forms_of(*problem.parameter), range_of(*problem.parameter));
    return near_hint(given_value(text, problem.name), problem.parameter->words, expected);
  }
  if (table.empty()) return "this strategy takes no parameters";
  std::string known;
  std::vector<std::string_view> names;
  for (const Parameter& parameter : table) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", forms_of(parameter));
    names.push_back(parameter.name);
  }
  return fmt::format("no parameter `{}'; {}", problem.name, near_hint(problem.name, names, "expected " + known));
}

}  // namespace ravel
