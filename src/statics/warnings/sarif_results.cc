// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SARIF 2.1.0 of any tool: the locations of a result and its related locations are what threads do; a code flow is an
// order in which places are passed, one thread flow per thread.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <tuple>

#include "statics/warnings/foreign_warning.h"

namespace ravel {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostFlow = 64;

// The member, or null; of a value that is no object too.
const Json& member(const Json& json, const char* name) {
  static const Json kNull;
  if (!json.is_object()) return kNull;
  const auto found = json.find(name);
  return found == json.end() ? kNull : *found;
}

std::string text_of(const Json& json) {
  return json.is_string() ? json.get<std::string>() : std::string();
}
unsigned number_in(const Json& json) {
  if (!json.is_number_unsigned()) return 0;
  const auto number = json.get<std::uint64_t>();
  return number > 0x7fffffff ? 0 : static_cast<unsigned>(number);
}

std::string path_of(std::string uri) {
  if (uri.rfind("file://", 0) == 0) uri = uri.substr(7);
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      const char c = at < uri.size() ? uri[at] : ' ';
      return c >= '0' && c <= '9'   ? c - '0'
             : c >= 'A' && c <= 'F' ? c - 'A' + 10
             : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                    : -1;
    };
    if (uri[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0) {
      path += static_cast<char>(16 * digit(i + 1) + digit(i + 2));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

CodePlace place_of(const Json& location) {
  const Json& physical = member(location, "physicalLocation");
  const Json& region = member(physical, "region");
  return {path_of(text_of(member(member(physical, "artifactLocation"), "uri"))), number_in(member(region, "startLine")),
          0};
}

void add_flow(const Json& result, ForeignWarning& warning) {
  const Json& flows = member(result, "codeFlows");
  if (!flows.is_array() || flows.empty()) return;
  const Json& threads = member(flows[0], "threadFlows");
  if (!threads.is_array()) return;
  std::vector<std::tuple<unsigned, CodePlace, unsigned>> steps;  // order, place, thread
  unsigned thread = 0;
  for (const Json& one : threads) {
    ++thread;
    const Json& locations = member(one, "locations");
    if (!locations.is_array()) continue;
    for (const Json& step : locations) {
      CodePlace place = place_of(member(step, "location"));
      if (place.line == 0) continue;
      const unsigned order = number_in(member(step, "executionOrder"));
      steps.emplace_back(order == 0 ? static_cast<unsigned>(steps.size()) + 1 : order, std::move(place), thread);
    }
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
  if (threads.size() < 2 || steps.size() > kMostFlow) return;
  for (auto& [order, place, by] : steps) {
    const bool again = !warning.flow.empty() && warning.flow.back().first == place && warning.flow.back().second == by;
    if (!again) warning.flow.emplace_back(std::move(place), by);
  }
}

std::string kind_of(const std::string& rule, const std::string& text) {
  std::string words = rule + " " + text;
  std::transform(words.begin(), words.end(), words.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (words.find("race") != std::string::npos) return "race";
  if (words.find("deadlock") != std::string::npos || words.find("lock-order") != std::string::npos) return "lock order";
  return rule.empty() ? "warning" : rule;
}

ForeignWarning warning_of(const Json& result) {
  ForeignWarning warning;
  warning.text = text_of(member(member(result, "message"), "text"));
  warning.kind = kind_of(text_of(member(result, "ruleId")), warning.text);
  for (const char* list : {"locations", "relatedLocations"}) {
    const Json& locations = member(result, list);
    if (!locations.is_array()) continue;
    for (const Json& location : locations) {
      const CodePlace place = place_of(location);
      if (place.line != 0 && warning.stacks.size() < 8) warning.stacks.push_back({place});
    }
  }
  add_flow(result, warning);
  return warning;
}

}  // namespace

ForeignWarnings read_sarif(std::string_view text) {
  ForeignWarnings out;
  out.format = "SARIF";
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    out.notes.emplace_back("not valid JSON");
    return out;
  }
  out.text = std::string(text);
  const Json& runs = member(json, "runs");
  std::size_t left_out = 0;
  for (std::size_t run = 0; runs.is_array() && run < runs.size(); ++run) {
    const Json& results = member(runs[run], "results");
    for (std::size_t i = 0; results.is_array() && i < results.size(); ++i) {
      ForeignWarning warning = warning_of(results[i]);
      warning.run = run;
      warning.result = i;
      if (out.warnings.size() == kMostForeignWarnings || (warning.stacks.empty() && warning.flow.empty())) {
        ++left_out;
      } else {
        out.warnings.push_back(std::move(warning));
      }
    }
  }
  if (left_out != 0)
    out.notes.push_back(fmt::format("{} results were left out: no place in a file, or too many", left_out));
  return out;
}

}  // namespace ravel
