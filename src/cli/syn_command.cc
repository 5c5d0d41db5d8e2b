// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel syn`: orders of synchronisation that people read, write, force and keep.
#include "cli/syn_command.h"

#include <fmt/format.h>

#include "cli/configuration.h"
#include "cli/option_setters.h"
#include "cli/option_words.h"
#include "model/text/near_names.h"
#include "model/text/words.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "syn", "show|convert|races|test|record [options] [PLAN|FILE...] [-- PROGRAM [ARGUMENTS...]]",
    "Sequences of synchronisation events. show PLAN: the sequence of a saved plan. convert FILE: the same order in "
    "another form (--order). races PLAN: which calls could have been completed instead of others, and the ways to "
    "change "
    "the sequence. test FILE...: can these orders happen, and do they end as the files expect? record -- "
    "PROGRAM: every sequence that a search meets, one file each (--output).",
    ProgramStartsAt::kDoubleDash,
    "0 done, or as expected; 1 not as expected, 2 usage, 3 could not test, 4 internal error, 5 undecided, 130 "
    "interrupted"};

using A = SynArguments;
using S = const std::string&;

std::vector<std::string> form_words() {
  return {kSynFormNames, kSynFormNames + 3};
}

std::vector<std::string> stamp_words() {
  return {std::begin(kStampNames), std::end(kStampNames)};
}

constexpr OptionRow<SynArguments> kRows[] = {
    {"--order", "FORM", "show, convert: total, thread or object (default total)",
     [](A& o, S v) {
       const auto form = index_of(kSynFormNames, v);
       if (form) o.form = static_cast<SynForm>(*form);
       return std::string(form ? "" : "one of total, thread, object");
     },
     form_words},
    {"--simple", "", "show, convert: only which thread comes next", set_flag<&A::simple>},
    {"--needed", "", "show: only objects that two threads use or wait for", set_flag<&A::needed>},
    {"--stamps", "SCHEME", "show: vector timestamps behind the events, by thread or by object",
     [](A& o, S v) {
       const auto scheme = index_of(kStampNames, v);
       if (scheme) o.stamps = static_cast<StampScheme>(*scheme);
       return std::string(scheme ? "" : "one of thread, object");
     },
     stamp_words},
    {"--svg", "FILE", "show: write a space-time diagram, too", set_text<&A::svg>},
    {"--output", "PATH", "show, convert: the file to write (default: standard output); test, record: the folder",
     set_text<&A::output>},
    {"--strategy", "NAME[,K=V]", "test, record: how what is left open is searched (default dpor)",
     set_text<&A::strategy>, strategy_words},
    {"--iterations", "N", "test, record: at most so many executions for each file", set_number<&A::iterations>},
    {"--until-steady", "N", "record: with a strategy that samples, go on until N executions in a row show nothing new",
     [](A& o, S v) {
       const auto number = number_of<std::uint64_t>(v);
       o.until_steady = number.value_or(0);
       return std::string(o.until_steady != 0 ? "" : "not a number above 0");
     }},
    {"--time", "T", "test, record: at most this time for each file: 500ms, 10s, 2m (default 10s)",
     set_duration<&A::time>},
    {"--valid", "FILE",
     "test, record: judge each sequence by a specification; record: list valid orders that never came",
     set_text<&A::valid>},
    {"--json", "FILE", "races, test, record: write the result as JSON (`-': stdout)", set_text<&A::json>},
    {"--quiet", "", "print nothing but errors", set_flag<&A::quiet>},
    {"--color", "WHEN", "auto, always or never (default auto)", [](A& o, S v) { return set_color(o.color, v); },
     color_words},
};

struct Verb {
  std::string_view name;
  int (*run)(const SynArguments& arguments, const Arguments& words, const Arguments& program);
};
constexpr Verb kVerbs[] = {
    {"show", syn_show}, {"convert", syn_convert}, {"races", syn_races}, {"test", syn_test}, {"record", syn_record}};

}  // namespace

CommandPage syn_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<SynArguments>>(kRows)));
}

int syn_command(const Arguments& args) {
  SynArguments arguments;
  const auto bound = bind_options(std::span<const OptionRow<SynArguments>>(kRows), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (line.positional.empty()) {
    return fail(
        Error{ErrorKind::kUsage, "what is to be done is missing", "", fmt::format("ravel syn {}", kSyntax.usage)});
  }
  std::vector<std::string_view> names;
  for (const Verb& verb : kVerbs) {
    names.push_back(verb.name);
    if (verb.name != line.positional[0]) continue;
    return verb.run(arguments, Arguments(line.positional.begin() + 1, line.positional.end()), line.program);
  }
  return fail(Error{ErrorKind::kUsage, "unknown action", line.positional[0],
                    near_hint(line.positional[0], names, "see `ravel syn --help'")});
}

}  // namespace ravel
