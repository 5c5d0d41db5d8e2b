// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel analyze`: static facts of a program that `ravel c++` built, from its recorded compile commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "investigate/analyse_program.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "statics/facts_file.h"
#include "statics/facts_text.h"
#include "statics/instances.h"
#include "statics/place_match.h"
#include "statics/place_word.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

struct AnalyzeArguments : AnalysisRequest {
  std::string list;
  std::optional<PairKind> kind;
  bool by_line = false;
  std::string distance;  // places
  std::string slice;
  std::string json;
  std::vector<ClassInstances> instances;

  // Something else than the summary.
  [[nodiscard]] bool asks() const { return !list.empty() || !distance.empty() || !slice.empty(); }
};

constexpr std::string_view kLists[] = {"threads", "pairs", "locks", "warnings", "targets", "places"};

std::vector<std::string> list_words() {
  return {std::begin(kLists), std::end(kLists)};
}
std::vector<std::string> kind_words() {
  return {std::begin(kPairKindNames), std::end(kPairKindNames)};
}
std::vector<std::string> filter_words() {
  return {"alias", "escape", "disjoint", "locks", "join"};
}
std::vector<std::string> mhp_words() {
  return {"precise", "unsync"};
}
std::vector<std::string> by_words() {
  return {"line"};
}

constexpr std::size_t kMostShown = 10;  // warnings of each kind in the summary
constexpr char kNoPlace[] = "a place is needed: file.cpp:12 or file.cpp:12:5";

std::string set_without(AnalyzeArguments& o, const std::string& value) {
  std::size_t start = 0;
  while (start <= value.size()) {
    const std::size_t comma = std::min(value.find(',', start), value.size());
    const std::string word = value.substr(start, comma - start);
    bool* filter = word == "alias"      ? &o.analysis.alias
                   : word == "escape"   ? &o.analysis.escape
                   : word == "disjoint" ? &o.analysis.disjoint
                   : word == "locks"    ? &o.analysis.locks
                   : word == "join"     ? &o.analysis.join
                                        : nullptr;
    if (filter == nullptr) return fmt::format("'{}' is no filter: alias, escape, disjoint, locks, join", word);
    *filter = false;
    o.without.push_back(word);
    start = comma + 1;
  }
  return {};
}

std::string set_kind(AnalyzeArguments& o, const std::string& value) {
  for (std::size_t i = 0; i < std::size(kPairKindNames); ++i) {
    if (value == kPairKindNames[i]) o.kind = static_cast<PairKind>(i);
  }
  return o.kind ? "" : "one of RW, MM, WM, WN is needed";
}

constexpr OptionRow<AnalyzeArguments> kRows[] = {
    {"--list", "WHAT", "print threads, pairs, locks, warnings, targets or places instead of the summary",
     [](AnalyzeArguments& o, const std::string& v) {
       o.list = v;
       return std::find(std::begin(kLists), std::end(kLists), v) != std::end(kLists)
                  ? std::string()
                  : std::string("one of threads, pairs, locks, warnings, targets, places is needed");
     },
     list_words},
    {"--kind", "KIND", "of --list pairs: RW (memory), MM (locks), WM (wait and lock) or WN (wait and notify)", set_kind,
     kind_words},
    {"--by", "WHAT",
     "of --list pairs: `line' prints each line of the sources once, with the lines it can conflict with",
     [](AnalyzeArguments& o, const std::string& v) {
       o.by_line = v == "line";
       return o.by_line ? std::string() : std::string("`line' is needed");
     },
     by_words},
    {"--instances", "CLASS=N,...",
     "count pairs by threads too, where class CLASS of --list threads has N of them: T1=5,T2=4",
     [](AnalyzeArguments& o, const std::string& v) {
       auto known = parse_instances(v);
       if (known) o.instances = std::move(*known);
       return known ? std::string() : known.error().what;
     },
     nullptr},
    {"--distance", "FILE:LINE", "print how many lines each class of threads is away from a place, at least",
     [](AnalyzeArguments& o, const std::string& v) {
       o.distance = v;
       return parse_place(v) ? std::string() : std::string(kNoPlace);
     },
     nullptr},
    {"--slice", "FILE:LINE", "print what a place depends on: lines, conditions, and writes of other threads",
     [](AnalyzeArguments& o, const std::string& v) {
       o.slice = v;
       return parse_place(v) ? std::string() : std::string(kNoPlace);
     },
     nullptr},
    {"--without", "FILTER,...",
     "switch filters of pairs off: alias, escape, disjoint, locks, join; each can only add pairs", set_without,
     filter_words},
    {"--mhp", "MODE", "unsync: ignore locks and joins, as --without locks,disjoint,join (default precise)",
     [](AnalyzeArguments& o, const std::string& v) {
       if (v == "unsync") return set_without(o, "locks,disjoint,join");
       return v == "precise" ? std::string() : std::string("precise or unsync is needed");
     },
     mhp_words},
    {"--budget", "T", "processor time for the analysis; afterwards a coarser one answers (default 20s)",
     [](AnalyzeArguments& o, const std::string& v) {
       const auto time = parse_duration(v);
       if (time) o.analysis.budget = *time;
       return time ? std::string() : std::string("a time is needed: 500ms, 10s, 2m");
     },
     nullptr},
    {"--compile-commands", "FILE", "take the compile commands from a compilation database",
     [](AnalyzeArguments& o, const std::string& v) {
       o.compile_commands = v;
       return std::string();
     },
     nullptr},
    {"--output", "DIR", "where facts and bitcode are kept (default .ravel)",
     [](AnalyzeArguments& o, const std::string& v) {
       o.output = v;
       return std::string();
     },
     nullptr},
    {"--json", "FILE", "write the facts to FILE too (`-': stdout)",
     [](AnalyzeArguments& o, const std::string& v) {
       o.json = v;
       return std::string();
     },
     nullptr},
};

constexpr CommandSyntax kSyntax = {
    "analyze", "[options] PROGRAM  |  analyze [options] FILE.bc...  |  analyze [options] FILE.facts",
    "Finds which threads PROGRAM has and which of its operations can conflict, without running it, and keeps these "
    "facts for `ravel "
    "run'. PROGRAM must be built by `ravel c++'; its sources are compiled once more, with clang 14.",
    ProgramStartsAt::kDoubleDash, "0 analysed (also when partial), 2 usage, 3 could not analyse, 4 internal error"};

// How much of what the facts speak of is in the program.
std::string found_text(const PlaceMatch& match) {
  if (match.known == 0) return {};
  return fmt::format(", {} of {} places of your code found in the program", match.found, match.known);
}

// Each call-out of the program and the operation of the sources it is.
std::string places_text(const PlaceMatch& match, const FactsText& text) {
  std::string lines;
  for (const MatchedPlace& place : match.places) {
    std::string kinds;
    for (const SiteKind kind : place.kinds)
      kinds += std::string(kinds.empty() ? "" : "/") + kSiteKindNames[static_cast<int>(kind)];
    lines += fmt::format("{:#x}  {} {}  {}\n", place.location, kinds, text.place(place.place, true),
                         place.sites.empty() ? "no site" : fmt::format("{}", fmt::join(place.sites, " ")));
  }
  return lines;
}

std::string listing(const AnalyzeArguments& arguments, const FactsText& text) {
  if (arguments.list == "threads") return text.threads();
  if (arguments.list == "locks") return text.locks();
  if (arguments.list == "warnings") return text.warnings();
  if (arguments.list == "targets") return text.targets();
  return arguments.by_line ? text.pairs_by_line(arguments.kind) : text.pairs(arguments.kind);
}

// Empty: they were not asked for.
Result<std::string> instances_text(const AnalyzeArguments& arguments, const Facts& facts) {
  if (arguments.instances.empty()) return std::string();
  auto counts = pairs_of_threads(facts, arguments.instances);
  if (!counts) return tl::unexpected(counts.error());
  std::string classes;
  for (const ClassInstances& one : arguments.instances)
    classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", one.threads, one.name);
  return fmt::format("by threads, of {}: {} RW, {} MM, {} WM, {} WN\n", classes, (*counts)[0], (*counts)[1],
                     (*counts)[2], (*counts)[3]);
}

// What is printed.
Result<std::string> answer(const AnalyzeArguments& arguments, const AnalysedProgram& known) {
  std::error_code error;
  const FactsText text(known.facts, fs::current_path(error).string());
  for (const std::string* place : {&arguments.distance, &arguments.slice}) {
    if (place->empty()) continue;
    auto nodes = find_nodes(known.facts.graph, *place);
    if (!nodes) return tl::unexpected(nodes.error());
    return place == &arguments.distance ? text.distance(*nodes) : text.slice(*nodes);
  }
  if (!arguments.list.empty() && arguments.list != "places") return listing(arguments, text);
  const PlaceMatch match = known.program.empty() ? PlaceMatch{} : match_places(known.facts, known.program);
  if (match.found == 0 && match.known != 0) {
    const std::string why = "it has no line information: build it with `ravel c++' and do not strip it";
    if (arguments.list == "places")
      return cannot_test("no place of your code was found in the program", known.program, why);
    fmt::print(stderr, "note: runs cannot use these facts: no place of your code was found in the program; {}\n", why);
  }
  if (arguments.list == "places") return places_text(match, text);
  auto threads = instances_text(arguments, known.facts);
  if (!threads) return tl::unexpected(threads.error());
  return fmt::format("{}{}{}facts: {}{}\n", text.summary(known.seconds), *threads, text.warnings(kMostShown),
                     known.path, found_text(match));
}

}  // namespace

CommandPage analyze_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<AnalyzeArguments>>(kRows)));
}

int analyze_command(const Arguments& args) {
  AnalyzeArguments arguments;
  const auto bound = bind_options(std::span<const OptionRow<AnalyzeArguments>>(kRows), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  Arguments words = line.positional;
  words.insert(words.end(), line.program.begin(), line.program.end());
  if (words.empty()) return fail(Error{ErrorKind::kUsage, "a program is needed", "", "ravel analyze ./PROGRAM"});
  if (!arguments.instances.empty() && arguments.asks())
    return fail(
        Error{ErrorKind::kUsage, "--instances goes with the summary", "", "leave --list, --distance and --slice out"});
  if ((arguments.kind || arguments.by_line) && arguments.list != "pairs")
    return fail(Error{ErrorKind::kUsage, "--kind and --by go with --list pairs", "", "add --list pairs"});
  AnalysisNotes notes;
  auto known = analyse_program(words, arguments, notes);
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", printable_line(note));
  if (!known) return fail(known.error());
  const bool json_on_stdout = arguments.json == "-";
  auto text = answer(arguments, *known);
  if (!text) return fail(text.error());
  fmt::print(json_on_stdout ? stderr : stdout, "{}", *text);
  if (arguments.asks()) {
    for (const std::string& reason : known->facts.opaque) fmt::print(stderr, "partial: {}\n", printable_line(reason));
  }
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, facts_to_text(known->facts, known->seconds)); !written)
      return fail(written.error());
  }
  return kExitClean;
}

}  // namespace ravel
