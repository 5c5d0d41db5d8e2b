// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/coverage_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cover/metric_table.h"
#include "report/coverage_stats.h"
#include "report/formats/escape.h"
#include "report/json_text.h"

namespace ravel {
namespace {

std::string_view name_of(MetricId metric) {
  return metric_table()[static_cast<std::size_t>(metric)].name;
}

// At most so many points of a curve: more are not seen.
constexpr std::size_t kMostPoints = 500;
std::vector<std::pair<std::size_t, std::uint64_t>> points_of(const std::vector<std::uint64_t>& curve) {
  std::vector<std::pair<std::size_t, std::uint64_t>> out;
  const std::size_t step = std::max<std::size_t>(1, curve.size() / kMostPoints);
  for (std::size_t i = 0; i < curve.size(); i += step) out.emplace_back(i + 1, curve[i]);
  if (!curve.empty() && out.back().first != curve.size()) out.emplace_back(curve.size(), curve.back());
  return out;
}

// Tasks of a source line: those that begin there.
struct LineTasks {
  std::uint64_t tasks = 0;
  std::set<std::string_view> metrics;
};
std::map<std::string, LineTasks> lines_of(const TaskCoverage& coverage) {
  std::map<std::string, LineTasks> out;
  const TaskCounts counts = count_tasks(coverage);
  for (std::size_t i = 0; i < coverage.tasks.size(); ++i) {
    if (!counts.covered(i)) continue;
    for (const std::uint32_t field : coverage.tasks[i].fields) {
      if (coverage.names[field].function.empty()) continue;  // no place
      LineTasks& line = out[coverage.names[field].text];
      ++line.tasks;
      line.metrics.insert(name_of(coverage.tasks[i].metric));
      break;
    }
  }
  return out;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  std::string cell(text);
  if (!cell.empty() && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos) cell.insert(0, "'");
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string coverage_csv(const TaskCoverage& coverage) {
  const TaskCounts counts = count_tasks(coverage);
  std::string out = "metric,passing,failing,field1,field2,field3,field4,field5,field6\n";
  for (std::size_t i = 0; i < coverage.tasks.size(); ++i) {
    if (!counts.covered(i)) continue;
    const CoverTask& task = coverage.tasks[i];
    out += fmt::format("{},{},{}", name_of(task.metric), counts.passing[i], counts.failing[i]);
    for (std::size_t f = 0; f < kMostFields; ++f) {
      out += "," + (f < task.fields.size() ? csv_cell(coverage.names[task.fields[f]].text) : std::string());
    }
    out += "\n";
  }
  return out;
}

nlohmann::ordered_json coverage_summary(const TaskCoverage& coverage) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["truncated"] = coverage.truncated;
  out["metrics"] = Json::array();
  for (const CoverageStats& stats : stats_of(coverage)) {
    Json one;
    one["name"] = name_of(stats.metric);
    one["tasks"] = stats.tasks;
    one["of"] = stats.of ? Json(*stats.of) : Json();
    one["of_at_most"] = stats.of_at_most ? Json(*stats.of_at_most) : Json();
    one["average"] = stats.average;
    one["smooth"] = stats.smooth;
    one["once"] = stats.once;
    one["twice"] = stats.twice;
    one["last_new"] = stats.last_new;
    one["expected_new"] = stats.next_tasks;
    one["chance"] = stats.chance;
    one["chance_at_most"] = stats.bound;
    one["chao2"] = stats.chao2;
    one["curve"] = Json::array();
    for (const auto& [run, tasks] : points_of(stats.curve)) one["curve"].push_back({run, tasks});
    out["metrics"].push_back(one);
  }
  out["lines"] = Json::array();
  for (const auto& [place, line] : lines_of(coverage)) {
    out["lines"].push_back({{"place", shortened(place, kShownText)}, {"tasks", line.tasks}, {"metrics", line.metrics}});
  }
  out["never_seen"] = never_seen(coverage);
  return out;
}

std::string coverage_json(const TaskCoverage& coverage) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["schema_version"] = 1;
  out["program"] = coverage.program;
  out["build_id"] = coverage.build_id;
  out["strategy"] = coverage.strategy;
  out["independent"] = !coverage.adaptive;
  out["points"] = coverage.points;
  out["identity"] = coverage.identity;
  out["executions"] = coverage.runs.size();
  out.update(coverage_summary(coverage));
  const TaskCounts counts = count_tasks(coverage);
  out["tasks"] = Json::array();
  for (std::size_t i = 0; i < coverage.tasks.size(); ++i) {
    if (!counts.covered(i)) continue;
    Json task = {
        {"metric", name_of(coverage.tasks[i].metric)}, {"passing", counts.passing[i]}, {"failing", counts.failing[i]}};
    task["fields"] = Json::array();
    for (const std::uint32_t field : coverage.tasks[i].fields) task["fields"].push_back(coverage.names[field].text);
    out["tasks"].push_back(task);
  }
  return json_text(out);
}

std::string coverage_svg(const TaskCoverage& coverage) {
  constexpr double kWidth = 720;
  constexpr double kHeight = 360;
  constexpr std::string_view kColours[] = {"#1b6ca8", "#c0392b", "#27803b", "#8e44ad", "#b9770e", "#16808a"};
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-10 -10 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n",
      kWidth + 170, kHeight + 50);
  out += fmt::format("<title>Coverage of {}</title>\n", xml_escaped(shortened(coverage.program, kShownName)));
  out += fmt::format("<path d=\"M0 0V{0}H{1}\" fill=\"none\" stroke=\"#888\"/>\n", kHeight, kWidth);
  out += fmt::format("<text x=\"0\" y=\"{}\">{} executions; each curve ends at its own number of tasks</text>\n",
                     kHeight + 20, coverage.runs.size());
  std::size_t number = 0;
  for (const CoverageStats& stats : stats_of(coverage)) {
    if (stats.curve.empty() || stats.tasks == 0) continue;
    std::string path;
    for (const auto& [run, tasks] : points_of(stats.curve)) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L",
                          kWidth * static_cast<double>(run) / static_cast<double>(stats.runs),
                          kHeight * (1 - static_cast<double>(tasks) / static_cast<double>(stats.tasks)));
    }
    const std::string_view colour = kColours[number % std::size(kColours)];
    out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", path, colour);
    out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{} {}</text>\n", kWidth + 10, 12 + 16 * number, colour,
                       name_of(stats.metric), stats.tasks);
    ++number;
  }
  return out + "</svg>\n";
}

}  // namespace ravel
