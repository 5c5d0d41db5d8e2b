// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel merge`: the JSON results of the shards of one campaign as one.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/option_setters.h"
#include "cli/options.h"
#include "cli/output.h"
#include "model/exit_code.h"
#include "report/merge.h"

namespace ravel {
namespace {

struct MergeArguments {
  std::string json;
  bool quiet = false;
};

constexpr OptionRow<MergeArguments> kRows[] = {
    {"--json", "FILE", "write the result as JSON (`-': stdout)", set_text<&MergeArguments::json>},
    {"--quiet", "", "print nothing", set_flag<&MergeArguments::quiet>},
};

constexpr CommandSyntax kSyntax = {
    "merge", "[options] FILE...",
    "Combines the results of `ravel run --shard-index I --shard-count N --json FILE': sums, findings by "
    "fingerprint; complete only if all shards are present and complete.",
    ProgramStartsAt::kDoubleDash,
    "those of `ravel run' for the whole; 5 also when shards are missing; 2 files of different campaigns"};

}  // namespace

CommandPage merge_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<MergeArguments>>(kRows)));
}

int merge_command(const Arguments& args) {
  MergeArguments arguments;
  const auto bound = bind_options(std::span<const OptionRow<MergeArguments>>(kRows), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  std::vector<ShardText> shards;
  for (const std::string& name : line.positional) {
    std::ifstream file(name, std::ios::binary);
    if (!file) return fail(Error{ErrorKind::kUsage, "cannot read the result", name, std::strerror(errno)});
    shards.push_back({name, std::string(std::istreambuf_iterator<char>(file), {})});
  }
  auto merged = merge_runs(shards);
  if (!merged) return fail(merged.error());
  if (!arguments.quiet) fmt::print(arguments.json == "-" ? stderr : stdout, "{}", merged->summary);
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, merged->json); !written) return fail(written.error());
  }
  return merged->exit_code;
}

}  // namespace ravel
