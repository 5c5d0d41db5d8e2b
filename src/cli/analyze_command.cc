// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel analyze`: static facts of a program that `ravel c++` built, from its recorded compile commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "driver/layout.h"
#include "driver/program_image.h"
#include "investigate/use_facts.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "statics/analysis_options.h"
#include "statics/atomicity_warnings.h"
#include "statics/bitcode.h"
#include "statics/facts_file.h"
#include "statics/facts_text.h"
#include "statics/llvm/analyze.h"
#include "statics/llvm/sections.h"
#include "statics/order_warnings.h"
#include "statics/place_match.h"
#include "statics/place_word.h"
#include "statics/warnings.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

struct AnalyzeArguments {
  AnalysisOptions analysis;
  std::vector<std::string> without;
  std::string compile_commands;
  std::string list;
  std::optional<PairKind> kind;
  bool by_line = false;
  std::string distance;  // places
  std::string slice;
  std::string json;
  std::string output = ".ravel";

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
    {"--budget", "T", "time for the points-to analysis; afterwards a coarser one answers (default 20s)",
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

Error cannot(std::string what, std::string where, std::string hint) {
  return Error{ErrorKind::kCannotTest, std::move(what), std::move(where), std::move(hint)};
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

struct Inputs {
  std::vector<std::string> bitcode;
  Facts facts;          // sources, build id, what is missing
  std::string name;     // of the facts file, without its end
  std::string program;  // empty: there is none
};

Result<Inputs> from_files(const Arguments& names) {
  Inputs inputs;
  for (const std::string& name : names) {
    if (!ends_with(name, ".bc") && !ends_with(name, ".ll"))
      return usage_error("not bitcode", name, "give one program, or files that end in .bc or .ll");
    const std::uint64_t hash = hash_of_file(name);
    if (hash == 0) return usage_error("cannot read the bitcode", name);
    inputs.bitcode.push_back(name);
    inputs.facts.sources.push_back({name, hash});
  }
  inputs.name = fs::path(names[0]).stem().string();
  return inputs;
}

Result<Inputs> from_program(const std::string& name, const AnalyzeArguments& arguments) {
  auto path = find_program(name);
  if (!path) return tl::unexpected(path.error());
  auto image = read_program(*path);
  if (!image) return tl::unexpected(image.error());
  std::vector<CompileCommand> commands;
  if (!arguments.compile_commands.empty()) {
    auto read = read_compile_commands(arguments.compile_commands);
    if (!read) return tl::unexpected(read.error());
    commands = std::move(*read);
  } else {
    commands = parse_compile_lines(section_text(image->path, kCompileSection));
    if (commands.empty())
      return tl::unexpected(cannot("no compile commands are recorded in the program", name,
                                   "build it with `ravel c++' and do not strip it, or give --compile-commands FILE"));
  }
  const std::string clang = find_clang14();
  if (clang.empty()) return tl::unexpected(cannot("clang++-14 is not in PATH", "", "install clang-14"));
  BitcodeSetup setup;
  setup.cache = fs::absolute(fs::path(arguments.output) / "bitcode").string();
  if (auto include = include_directory()) setup.include_dir = *include;
  setup.program = image->path;
  const Bitcode made = make_bitcode(clang, commands, setup);
  for (const std::string& option : made.dropped) fmt::print(stderr, "note: clang does not know {}: left out\n", option);
  Inputs inputs;
  inputs.bitcode = made.files;
  inputs.facts.build_id = image->build_id;
  inputs.facts.sources = made.sources;
  inputs.facts.opaque = made.missing;
  inputs.name = fs::path(image->path).filename().string();
  inputs.program = image->path;
  if (inputs.bitcode.empty())
    return tl::unexpected(cannot("no source could be compiled", made.missing.empty() ? name : made.missing[0],
                                 "build the program again, or check that clang++-14 accepts its sources"));
  return inputs;
}

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

struct Known {
  Facts facts;
  std::string path;     // of their file
  std::string program;  // empty: bitcode alone
  double seconds = 0;   // of the analysis; 0: the facts were there
};

Result<Known> from_facts(const std::string& path) {
  auto facts = read_facts(path);
  if (!facts) return tl::unexpected(facts.error());
  return Known{std::move(*facts), path, {}, 0};
}

Result<Known> analyse(const Arguments& words, const AnalyzeArguments& arguments) {
  const bool files = words.size() > 1 || ends_with(words[0], ".bc") || ends_with(words[0], ".ll");
  auto inputs = files ? from_files(words) : from_program(words[0], arguments);
  if (!inputs) return tl::unexpected(inputs.error());
  BitcodeAnalysis analysis = analyze_bitcode(inputs->bitcode, arguments.analysis);
  if (!analysis.error.empty()) {
    const std::string where = analysis.refused.empty() ? words[0] : analysis.refused[0];
    const std::vector<std::string>& left_out = inputs->facts.opaque;
    const std::string hint = left_out.empty() ? "the facts need the whole program" : "not analysed: " + left_out[0];
    return tl::unexpected(cannot("nothing to analyse: " + analysis.error, where, hint));
  }
  Facts& facts = analysis.facts;
  facts.build_id = inputs->facts.build_id;
  facts.sources = inputs->facts.sources;
  facts.without = arguments.without;
  facts.opaque.insert(facts.opaque.begin(), inputs->facts.opaque.begin(), inputs->facts.opaque.end());
  facts.opaque.insert(facts.opaque.begin(), analysis.refused.begin(), analysis.refused.end());
  for (auto* find : {race_warnings, lock_order_warnings, atomicity_warnings, order_warnings}) {
    for (StaticWarning& warning : find(facts)) facts.warnings.push_back(std::move(warning));
  }
  std::error_code error;
  fs::create_directories(arguments.output, error);
  Known known{std::move(facts), facts_path(arguments.output, inputs->name), inputs->program, analysis.seconds};
  if (auto written = write_output(known.path, facts_to_text(known.facts)); !written)
    return tl::unexpected(written.error());
  return known;
}

// What is printed.
Result<std::string> answer(const AnalyzeArguments& arguments, const Known& known) {
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
  if (arguments.list == "places") return places_text(match, text);
  return fmt::format("{}{}facts: {}{}\n", text.summary(known.seconds), text.warnings(), known.path, found_text(match));
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
  auto known = ends_with(words[0], ".facts") && words.size() == 1 ? from_facts(words[0]) : analyse(words, arguments);
  if (!known) return fail(known.error());
  const bool json_on_stdout = arguments.json == "-";
  auto text = answer(arguments, *known);
  if (!text) return fail(text.error());
  fmt::print(json_on_stdout ? stderr : stdout, "{}", *text);
  if (arguments.asks()) {
    for (const std::string& reason : known->facts.opaque) fmt::print(stderr, "partial: {}\n", printable_line(reason));
  }
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, facts_to_text(known->facts)); !written)
      return fail(written.error());
  }
  return kExitClean;
}

}  // namespace ravel
