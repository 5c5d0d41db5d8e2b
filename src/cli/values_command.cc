// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel values`: orders of conflicting accesses that people read, write and ask for.
#include "cli/values_command.h"

#include <fmt/format.h>

#include "cli/configuration.h"
#include "cli/option_setters.h"
#include "cli/option_words.h"
#include "model/text/near_names.h"
#include "model/text/words.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "values", "show|run|pairs|list [options] [PLAN|TRACE|FILE] [-- PROGRAM [ARGUMENTS...]]",
    "Orders of conflicting accesses. show PLAN|TRACE: those of an execution. run FILE: can these orders happen "
    "together, "
    "and if not, which one cannot, and why? pairs --variable NAME -- PROGRAM: every pair of conflicting accesses to a "
    "variable, the orders in which they happen, and which of them fail. list -- PROGRAM: the value schedules that the "
    "code allows, from the facts of `ravel analyze', without running it; --check: which of them happen.",
    ProgramStartsAt::kDoubleDash,
    "0 done, feasible or as expected; 1 infeasible, harmful or not as expected; 2 usage, 3 could not test, 4 internal "
    "error, 5 undecided, 130 interrupted"};

using A = ValuesArguments;
using S = const std::string&;

constexpr OptionRow<ValuesArguments> kRows[] = {
    {"--contexts", "", "show: accesses with the call around them", set_flag<&A::contexts>},
    {"--variable", "NAME", "pairs: the variable, as `ravel values show' prints it; X means X.val too",
     set_text<&A::variable>},
    {"--check", "", "list: run the program, and say which schedules happen", set_flag<&A::check>},
    {"--most", "N", "list: at most so many schedules (default 10000)",
     [](A& o, S v) {
       const auto most = number_of<std::uint64_t>(v, 1'000'000);
       if (most) o.most = *most;
       return std::string(most && *most != 0 ? "" : "not a number from 1 to 1000000");
     }},
    {"--instances", "N", "list: of accesses in loops, at most so many executions each (default: loops are refused)",
     [](A& o, S v) {
       const auto instances = number_of<unsigned>(v, 1000);
       if (instances) o.instances = *instances;
       return std::string(instances && *instances != 0 ? "" : "not a number from 1 to 1000");
     }},
    {"--output", "PATH", "show: the file to write (default: standard output); run, pairs: the folder of plans",
     set_text<&A::output>},
    {"--strategy", "NAME[,K=V]", "run, pairs: how executions are searched (default dpor)", set_text<&A::strategy>,
     strategy_words},
    {"--iterations", "N", "run, pairs: at most so many executions", set_number<&A::iterations>},
    {"--time", "T", "run, pairs: at most this time for the search, and again for naming what it met (default 10s)",
     set_duration<&A::time>},
    {"--json", "FILE", "run, pairs: write the result as JSON (`-': stdout)", set_text<&A::json>},
    {"--quiet", "", "print nothing but errors", set_flag<&A::quiet>},
    {"--color", "WHEN", "auto, always or never (default auto)", [](A& o, S v) { return set_color(o.color, v); },
     color_words},
};

struct Verb {
  std::string_view name;
  int (*run)(const ValuesArguments& arguments, const Arguments& words, const Arguments& program);
  bool program_only = false;  // takes no file, so `--' may be left out
};
constexpr Verb kVerbs[] = {
    {"show", values_show}, {"run", values_run}, {"pairs", values_pairs, true}, {"list", values_list, true}};

}  // namespace

CommandPage values_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<ValuesArguments>>(kRows)));
}

ValueSearchRequest search_request(const ValuesArguments& arguments, const Arguments& program) {
  ValueSearchRequest request;
  request.program = program;
  request.strategy = arguments.strategy;
  request.iterations = arguments.iterations;
  request.time = arguments.time;
  if (!arguments.output.empty()) request.output = arguments.output;
  return request;
}

int values_command(const Arguments& args) {
  ValuesArguments arguments;
  const auto bound = bind_options(std::span<const OptionRow<ValuesArguments>>(kRows), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (line.positional.empty()) {
    return fail(
        Error{ErrorKind::kUsage, "what is to be done is missing", "", fmt::format("ravel values {}", kSyntax.usage)});
  }
  std::vector<std::string_view> names;
  for (const Verb& verb : kVerbs) {
    names.push_back(verb.name);
    if (verb.name != line.positional[0]) continue;
    const Arguments words(line.positional.begin() + 1, line.positional.end());
    if (verb.program_only && line.program.empty()) return verb.run(arguments, {}, words);
    return verb.run(arguments, words, line.program);
  }
  return fail(Error{ErrorKind::kUsage, "unknown action", line.positional[0],
                    near_hint(line.positional[0], names, "see `ravel values --help'")});
}

}  // namespace ravel
