// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/coverage_options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "cover/metric_table.h"
#include "model/text/near_names.h"
#include "model/text/words.h"
#include "report/region_patterns.h"

namespace ravel {
namespace {

template <class Enum>
std::string set_mode(Enum& mode, std::string_view value) {
  const auto index = index_of(kIdentityNames, value);
  if (!index) return "one of abstract, type, real";
  mode = static_cast<Enum>(*index);
  return {};
}

}  // namespace

std::string set_metrics(std::uint32_t& metrics, const std::string& list) {
  std::string_view wrong;
  const auto bits = parse_metrics(list, wrong);
  if (bits) {
    metrics = *bits;
    return {};
  }
  std::vector<std::string_view> names = {"default", "all"};
  for (const MetricRow& row : metric_table()) names.push_back(row.name);
  return fmt::format("no metric `{}'; {}", wrong, near_hint(wrong, names, "`ravel list' shows all"));
}

std::string set_identity(CoverageRequest& request, const std::string& list) {
  for (std::string_view rest = list; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view one = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    const std::string_view key = one.substr(0, equals);
    const std::string_view value = one.substr(std::min(equals + 1, one.size()));
    std::string problem;
    if (key == "threads") {
      problem = set_mode(request.threads, value);
    } else if (key == "objects") {
      problem = set_mode(request.objects, value);
    } else if (key == "n") {
      const auto n = number_of<std::uint32_t>(value, kMostFirstFunctions);
      if (!n || *n == 0) return fmt::format("n is a number from 1 to {}", kMostFirstFunctions);
      request.functions = static_cast<std::uint8_t>(*n);
    } else {
      problem = "threads=MODE, n=N or objects=MODE is expected";
    }
    if (!problem.empty()) return fmt::format("`{}': {}", one, problem);
  }
  return {};
}

std::string set_saturation(double& chance, const std::string& value) {
  constexpr double kDefault = 0.01;
  if (value == "default") {
    chance = kDefault;
    return {};
  }
  char* end = nullptr;
  double number = std::strtod(value.c_str(), &end);
  std::string_view rest(end);
  if (rest == "%") {
    number /= 100;
    rest = {};
  }
  if (value.empty() || !rest.empty() || !(number > 0 && number < 1)) return "not a chance such as 1% or 0.005";
  chance = number;
  return {};
}

std::string set_coverage_jobs(std::vector<std::string>& jobs, const std::string& value) {
  auto patterns = read_region_patterns(value, "--coverage-jobs");
  if (!patterns) return patterns.error().line();
  jobs = std::move(*patterns);
  return {};
}

std::vector<std::string> metric_words() {
  std::vector<std::string> words = {"default", "all"};
  for (const MetricRow& row : metric_table()) words.emplace_back(row.name);
  return words;
}

}  // namespace ravel
