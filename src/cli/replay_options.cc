// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/replay_options.h"

#include "cli/coverage_options.h"
#include "cli/option_setters.h"
#include "cli/option_words.h"
#include "model/text/near_names.h"
#include "model/text/policy_text.h"
#include "model/text/words.h"

namespace ravel {
namespace {

using R = ReplayArguments;
using S = const std::string&;

template <bool ReplayArguments::*Flag>
std::string set_flag(ReplayArguments& options, const std::string&) {
  options.*Flag = true;
  return {};
}

template <std::string ReplayArguments::*Field>
std::string set_path(ReplayArguments& options, const std::string& value) {
  options.*Field = value;
  return value.empty() ? "empty" : "";
}

std::string set_policy(ReplayArguments& options, const std::string& value) {
  options.then = parse_policy(value);
  if (options.then) return {};
  const std::string_view name = std::string_view(value).substr(0, value.find(','));
  if (index_of(kPolicyNames, name)) return "bad parameters";
  return "unknown policy; " + near_hint(name, kPolicyNames, "`ravel list' shows all");
}

template <class T>
std::string set_number(T& field, const std::string& value) {
  const auto number = number_of<T>(value);
  if (!number || *number == 0) return "not a number in range";
  field = *number;
  return {};
}

constexpr OptionRow<ReplayArguments> kRows[] = {
    {"--gdb", "", "run under gdb and stop at the failure", set_flag<&R::gdb>},
    {"--gdb-args", "WORDS", "arguments for gdb, such as --gdb-args=--interpreter=mi: the editor starts the program",
     set_path<&R::gdb_arguments>},
    {"--until", "N", "stop before event number N (with --gdb: in the debugger)",
     [](R& o, S v) { return set_number(o.until, v); }},
    {"--then", "POLICY", "where the plan no longer fits, continue with this policy (see `ravel list')", set_policy,
     policy_words},
    {"--times", "N", "replay N times and compare the traces (default 1)",
     [](R& o, S v) { return set_number(o.times, v); }},
    {"--detect", "NAME,...", "which defects to look for (default: the usual ones and what the plan is about)",
     [](R& o, S v) {
       std::uint64_t detectors = 0;
       std::string problem = set_detectors(detectors, v);
       if (problem.empty()) o.detectors = detectors;
       return problem;
     },
     detector_words},
    kMetricsRow<R>,
    kIdentityRow<R>,
    kCoverageJobsRow<R>,
    {"--coverage-file", "FILE", "where coverage is saved (default: .ravel/PROGRAM.replay.cov)",
     set_path<&R::coverage_file>},
    {"--trace", "FILE", "write the trace as text (`-': stdout)", set_path<&R::trace>},
    {"--format", "FORMAT,...", "output formats: console,html=FILE,sarif=FILE,junit=FILE,json=FILE,perfetto=FILE,github",
     [](R& o, S v) { return o.formats.set(v); }, format_words},
    {"--json", "FILE", "write the result as JSON (`-': stdout)", set_path<&R::json>},
    {"--quiet", "", "print only the verdict", set_flag<&R::quiet>},
    {"--color", "WHEN", "auto, always or never (default auto)", [](R& o, S v) { return set_color(o.color, v); },
     color_words},
    {"--show-output", "", "show the program's own output", set_flag<&R::show_output>},
};

}  // namespace

std::span<const OptionRow<ReplayArguments>> replay_option_table() {
  return kRows;
}

}  // namespace ravel
