// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/analyse_program.h"

#include <algorithm>
#include <filesystem>

#include "driver/layout.h"
#include "driver/plan_store.h"
#include "driver/program_image.h"
#include "investigate/use_facts.h"
#include "statics/atomicity_warnings.h"
#include "statics/bitcode.h"
#include "statics/facts_file.h"
#include "statics/llvm/analyze.h"
#include "statics/llvm/sections.h"
#include "statics/order_warnings.h"
#include "statics/warnings.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

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

Result<Inputs> from_files(const Words& names) {
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

Result<Inputs> from_program(const std::string& name, const AnalysisRequest& arguments, AnalysisNotes& notes) {
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
  for (const std::string& option : made.dropped) notes.push_back("clang does not know " + option + ": left out");
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

Result<AnalysedProgram> from_facts(const std::string& path) {
  auto facts = read_facts(path);
  if (!facts) return tl::unexpected(facts.error());
  return AnalysedProgram{std::move(*facts), path, {}, 0};
}

Result<AnalysedProgram> analyse(const Words& words, const AnalysisRequest& arguments, AnalysisNotes& notes) {
  const bool files = words.size() > 1 || ends_with(words[0], ".bc") || ends_with(words[0], ".ll");
  auto inputs = files ? from_files(words) : from_program(words[0], arguments, notes);
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
    for (StaticWarning& warning : find(facts)) {
      // That code without sources has threads is only assumed: pairs must not miss them, warnings would be noise.
      const bool assumed = std::any_of(warning.sites.begin(), warning.sites.end(), [&](unsigned site) {
        return facts.classes[facts.sites[site].thread_class].assumed;
      });
      if (!assumed) facts.warnings.push_back(std::move(warning));
    }
  }
  std::error_code error;
  fs::create_directories(arguments.output, error);
  AnalysedProgram known{std::move(facts), facts_path(arguments.output, inputs->name), inputs->program,
                        analysis.seconds};
  if (auto written = write_file(known.path, facts_to_text(known.facts, known.seconds)); !written)
    return tl::unexpected(written.error());
  return known;
}

}  // namespace

Result<AnalysedProgram> analyse_program(const Words& words, const AnalysisRequest& request, AnalysisNotes& notes) {
  if (words.size() == 1 && ends_with(words[0], ".facts")) return from_facts(words[0]);
  return analyse(words, request, notes);
}

Result<AnalysedProgram> facts_of_program(const std::string& program, const AnalysisRequest& request,
                                         AnalysisNotes& notes) {
  auto path = find_program(program);
  if (!path) return tl::unexpected(path.error());
  auto image = read_program(*path);
  if (!image) return tl::unexpected(image.error());
  const std::string known = facts_path(request.output, image->path);
  std::error_code error;
  if (fs::exists(known, error)) {
    auto facts = read_facts(known);
    if (facts && facts->build_id == image->build_id) return AnalysedProgram{std::move(*facts), known, image->path, 0};
  }
  return analyse({program}, request, notes);
}

}  // namespace ravel
