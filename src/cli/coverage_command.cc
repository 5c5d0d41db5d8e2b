// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel coverage`: what files of coverage say.
#include "cli/coverage_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/configuration.h"
#include "cli/option_setters.h"
#include "cli/output.h"
#include "cover/metric_table.h"
#include "model/exit_code.h"
#include "model/text/near_names.h"
#include "model/text/words.h"
#include "report/coverage_diff.h"
#include "report/coverage_export.h"
#include "report/coverage_file.h"
#include "report/coverage_stats.h"
#include "report/coverage_text.h"
#include "report/suspects.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "coverage", "show|tasks|diff|merge|export|stats|suspects|ids [options] [METRIC] FILE...",
    "Reads files that `ravel run --coverage' wrote. show: the table of a campaign. tasks METRIC FILE: one task per "
    "line. "
    "diff OLD NEW: what is new, gone with its code, and lost in unchanged code. merge FILE...: executions of several "
    "campaigns as one (--output). export FILE: CSV, JSON or SVG (--as). stats FILE: numbers about growth. suspects "
    "FILE: "
    "tasks that separate failing from passing executions. ids FILE: how many threads and objects each identity tells "
    "apart.",
    ProgramStartsAt::kDoubleDash, "0 done, 1 something was lost in unchanged code (--fail-on-lost), 2 usage"};

struct CoverageArguments {
  std::string output = "-";
  std::string as = "csv";
  std::uint64_t series = 0;
  std::uint64_t length = 0;
  std::vector<std::uint32_t> functions = {10, 20};
  bool fail_on_lost = false;
};

using A = CoverageArguments;
using S = const std::string&;

std::string set_count(std::uint64_t& field, const std::string& value) {
  const auto number = number_of<std::uint64_t>(value, 1'000'000);
  if (!number || *number == 0) return "not a number in range";
  field = *number;
  return {};
}

std::string set_functions(std::vector<std::uint32_t>& list, const std::string& value) {
  list.clear();
  for (std::string_view rest = value; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto n = number_of<std::uint32_t>(rest.substr(0, comma), kMostFirstFunctions);
    if (!n || *n == 0) return fmt::format("numbers from 1 to {}", kMostFirstFunctions);
    list.push_back(*n);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return list.empty() ? "empty" : "";
}

constexpr OptionRow<CoverageArguments> kRows[] = {
    {"--output", "FILE", "merge, export: where the result goes (`-': standard output, the default)",
     set_text<&A::output>},
    {"--as", "FORMAT", "export: csv, json or svg (default csv)",
     [](A& o, S v) {
       o.as = v;
       return std::string(v == "csv" || v == "json" || v == "svg" ? "" : "one of csv, json, svg");
     },
     [] {
       return std::vector<std::string>{"csv", "json", "svg"};
     }},
    {"--n", "N,...", "ids: how many first functions tell threads apart (default 10,20)",
     [](A& o, S v) { return set_functions(o.functions, v); }},
    {"--fail-on-lost", "", "diff: exit 1 when a task was lost in unchanged code", set_flag<&A::fail_on_lost>},
    {"--series", "N", "stats: means over N random series of executions instead of the order they were made in",
     [](A& o, S v) { return set_count(o.series, v); }},
    {"--length", "N", "stats: executions in each series (default: all)",
     [](A& o, S v) { return set_count(o.length, v); }},
};

using Files = std::vector<TaskCoverage>;

Result<Files> read_all(std::span<const std::string> paths) {
  Files files;
  for (const std::string& path : paths) {
    auto one = read_coverage(path);
    if (!one) return tl::make_unexpected(one.error());
    if (!files.empty() && files[0].program != one->program) {
      return usage_error("not coverage of the same program", path,
                         fmt::format("{} is of `{}', this one of `{}'", paths[0], files[0].program, one->program));
    }
    files.push_back(std::move(*one));
  }
  return files;
}

int show(const A&, const Files& files) {
  const TaskCoverage& one = files[0];
  fmt::print("{} executions, strategy {}, points {}, {}\n", one.runs.size(), one.strategy.empty() ? "-" : one.strategy,
             one.points.empty() ? "-" : one.points, one.identity.empty() ? "-" : one.identity);
  fmt::print("{}", coverage_table(one));
  return kExitClean;
}

int diff(const A& arguments, const Files& files) {
  const auto difference = difference_of(files[0], files[1]);
  fmt::print("{}", difference_text(difference));
  const bool lost =
      std::any_of(difference.begin(), difference.end(), [](const MetricDifference& one) { return !one.lost.empty(); });
  return lost && arguments.fail_on_lost ? kExitDefect : kExitClean;
}

int write(const A& arguments, const std::string& text) {
  if (auto written = write_output(arguments.output, text); !written) return fail(written.error());
  return kExitClean;
}

int merge(const A& arguments, const Files& files) {
  TaskCoverage sum = files[0];
  CoverageBuilder builder(sum);
  for (std::size_t i = 1; i < files.size(); ++i) builder.add(files[i]);
  // Several campaigns together have not covered everything because each has covered a part.
  if (files.size() > 1) sum.complete = CoverComplete::kNo;
  return write(arguments, coverage_text(sum));
}

int export_file(const A& arguments, const Files& files) {
  const TaskCoverage& one = files[0];
  return write(arguments, arguments.as == "csv"    ? coverage_csv(one)
                          : arguments.as == "json" ? coverage_json(one)
                                                   : coverage_svg(one));
}

int stats(const A& arguments, const Files& files) {
  const TaskCoverage& one = files[0];
  const std::uint64_t length = arguments.length == 0 ? one.runs.size() : arguments.length;
  const auto all = arguments.series == 0 ? stats_of(one) : stats_of_series(one, arguments.series, length, 1);
  fmt::print("{:<12} {:>9} {:>9} {:>8} {:>6} {:>6} {:>9} {:>8} {:>8} {:>9}\n", "metric", "total", "average", "smooth",
             "once", "twice", "next new", "chance", "at most", "chao2");
  for (const CoverageStats& m : all) {
    fmt::print("{:<12} {:>9.1f} {:>7.1f} % {:>6.1f} % {:>6} {:>6} {:>9.3f} {:>6.1f} % {:>6.1f} % {:>9.2f}\n",
               metric_table()[static_cast<std::size_t>(m.metric)].name, m.total, 100 * m.average, 100 * m.smooth,
               m.once, m.twice, m.next_tasks, 100 * m.chance, 100 * m.bound, m.chao2);
  }
  if (one.adaptive) fmt::print("executions depend on earlier ones: chances and chao2 are a rough guide\n");
  return kExitClean;
}

int suspects(const A&, const Files& files) {
  constexpr std::size_t kMost = 20;
  const auto found = suspects_of(files[0], kMost);
  if (found.empty()) fmt::print("no task is more frequent in failing executions\n");
  for (const SuspectLine& one : found) {
    fmt::print("{:<12} {}  in {} of {} failing, {} of {} passing (p = {:.2g})\n", one.metric, one.task,
               one.failing_with, one.failing, one.passing_with, one.passing, one.p);
  }
  return kExitClean;
}

int ids(const A& arguments, const Files& files) {
  const TaskCoverage& one = files[0];
  if (one.threads.empty()) {
    return fail(Error{ErrorKind::kUsage, "the file does not say which threads and objects were seen", "",
                      "measure again with `ravel run --coverage'"});
  }
  for (const std::uint32_t n : arguments.functions) {
    if (n <= one.functions_known) continue;
    return fail(Error{ErrorKind::kUsage, fmt::format("only the first {} functions are known", one.functions_known),
                      fmt::format("--n {}", n), fmt::format("measure with --coverage-identity n={}", n)});
  }
  fmt::print("{:<8} {:>8} {:>8} {:>9}\n", "objects", "real", "type", "abstract");
  fmt::print("{:<8} {:>8} {:>8} {:>9}\n", "", objects_seen(one, SeenBy::kReal), objects_seen(one, SeenBy::kType),
             objects_seen(one, SeenBy::kAbstract));
  fmt::print("{:<8} {:>8} {:>8}", "threads", "real", "type");
  for (const std::uint32_t n : arguments.functions) fmt::print(" {:>9}", fmt::format("n={}", n));
  fmt::print("\n{:<8} {:>8} {:>8}", "", threads_seen(one, SeenBy::kReal), threads_seen(one, SeenBy::kType));
  for (const std::uint32_t n : arguments.functions) fmt::print(" {:>9}", threads_seen(one, SeenBy::kAbstract, n));
  fmt::print("\n{}", one.seen_truncated ? "there are more: a table was full\n" : "");
  return kExitClean;
}

int tasks(const CommandLine& line) {
  if (line.positional.size() != 3) {
    return fail(Error{ErrorKind::kUsage, "a metric and a file are needed", "", "ravel coverage tasks METRIC FILE"});
  }
  const std::string& name = line.positional[1];
  std::vector<std::string_view> names;
  for (const MetricRow& row : metric_table()) names.push_back(row.name);
  const auto index = index_of(names, name);
  if (!index)
    return fail(Error{ErrorKind::kUsage, "no such metric", name, near_hint(name, names, "`ravel list' shows all")});
  auto file = read_coverage(line.positional[2]);
  if (!file) return fail(file.error());
  for (const std::string& task : task_lines(*file, static_cast<MetricId>(*index))) fmt::print("{}\n", task);
  return kExitClean;
}

struct Action {
  std::string_view name;
  std::size_t least;
  std::size_t most;
  int (*run)(const A& arguments, const Files& files);
};
constexpr Action kActions[] = {
    {"show", 1, 1, show},   {"diff", 2, 2, diff},         {"merge", 1, 4096, merge}, {"export", 1, 1, export_file},
    {"stats", 1, 1, stats}, {"suspects", 1, 1, suspects}, {"ids", 1, 1, ids},
};

}  // namespace

CommandPage coverage_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<CoverageArguments>>(kRows)));
}

int coverage_command(const Arguments& args) {
  CoverageArguments arguments;
  const auto bound = bind_options(std::span<const OptionRow<CoverageArguments>>(kRows), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (line.positional.empty()) {
    return fail(
        Error{ErrorKind::kUsage, "what is to be done is missing", "", fmt::format("ravel coverage {}", kSyntax.usage)});
  }
  const std::string& what = line.positional[0];
  if (what == "tasks") return tasks(line);
  std::vector<std::string_view> names = {"tasks"};
  for (const Action& action : kActions) {
    names.push_back(action.name);
    if (action.name != what) continue;
    const std::span<const std::string> paths = std::span(line.positional).subspan(1);
    if (paths.size() < action.least || paths.size() > action.most) {
      return fail(Error{ErrorKind::kUsage, action.least == 2 ? "two files are needed" : "a file is needed", "",
                        fmt::format("ravel coverage {} FILE", what)});
    }
    auto files = read_all(paths);
    return files ? action.run(arguments, *files) : fail(files.error());
  }
  return fail(Error{ErrorKind::kUsage, "unknown action", what, near_hint(what, names, "see `ravel coverage --help'")});
}

}  // namespace ravel
