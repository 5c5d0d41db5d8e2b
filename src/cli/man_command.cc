// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel man` and `ravel completion`: what the tables of commands and options say, for man and for shells. The build
// calls both.
#include <fmt/format.h>

#include <filesystem>

#include "cli/completion.h"
#include "cli/configuration.h"
#include "cli/man_page.h"
#include "cli/option_setters.h"
#include "cli/output.h"
#include "model/exit_code.h"
#include "model/text/near_names.h"

namespace ravel {
namespace {

struct ManArguments {
  std::string directory;
};
struct CompletionArguments {};

constexpr CommandSyntax kMan = {"man", "[COMMAND] [options]",
                                "Prints the manual page of ravel, or of one of its commands, as roff: "
                                "`ravel man run | man -l -'.",
                                ProgramStartsAt::kDoubleDash, "0 done, 2 usage, 4 internal error"};
constexpr CommandSyntax kCompletion = {"completion", "bash|zsh|fish",
                                       "Prints the completion of ravel for a shell: `source <(ravel completion bash)'.",
                                       ProgramStartsAt::kDoubleDash, "0 done, 2 usage"};

constexpr OptionRow<ManArguments> kManRows[] = {
    {"--directory", "DIR", "write all manual pages into DIR instead", set_text<&ManArguments::directory>},
};

std::span<const OptionRow<ManArguments>> man_rows() {
  return kManRows;
}
std::span<const OptionRow<CompletionArguments>> completion_rows() {
  return {};
}

Result<void> write_all(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return usage_error("cannot make the folder", folder.string(), error.message());
  if (auto done = write_output((folder / "ravel.1").string(), man_overview(command_table())); !done) return done;
  for (const CommandRow& row : command_table()) {
    const std::string path = (folder / (man_name(row.name) + ".1")).string();
    if (auto done = write_output(path, man_page(row.page(), row.description)); !done) return done;
  }
  return {};
}

}  // namespace

CommandPage man_command_page() {
  return page_of(kMan, man_rows());
}

CommandPage completion_page() {
  return page_of(kCompletion, completion_rows());
}

int man_command(const Arguments& args) {
  ManArguments arguments;
  const auto bound = bind_options(man_rows(), arguments);
  auto line = parse_command_line(kMan, bound, args);
  if (!line) return fail(line.error());
  if (line->help) {
    fmt::print("{}", help_text(kMan, bound));
    return kExitClean;
  }
  if (!arguments.directory.empty()) {
    auto written = write_all(arguments.directory);
    return written ? static_cast<int>(kExitClean) : fail(written.error());
  }
  if (line->positional.size() > 1) return fail(Error{ErrorKind::kUsage, "more than one command given", "", ""});
  if (line->positional.empty()) {
    fmt::print("{}", man_overview(command_table()));
    return kExitClean;
  }
  std::vector<std::string_view> names;
  for (const CommandRow& row : command_table()) {
    names.push_back(row.name);
    if (row.name != line->positional[0]) continue;
    fmt::print("{}", man_page(row.page(), row.description));
    return kExitClean;
  }
  return fail(Error{ErrorKind::kUsage, "unknown command", line->positional[0],
                    near_hint(line->positional[0], names, "see `ravel --help'")});
}

int completion_command(const Arguments& args) {
  auto line = parse_command_line(kCompletion, {}, args);
  if (!line) return fail(line.error());
  if (line->help) {
    fmt::print("{}", help_text(kCompletion, {}));
    return kExitClean;
  }
  const std::string shell = line->positional.size() == 1 ? line->positional[0] : "";
  const std::vector<CommandPage> pages = all_pages();
  if (shell == "bash") {
    fmt::print("{}", bash_completion(command_table(), pages));
  } else if (shell == "zsh") {
    fmt::print("{}", zsh_completion(command_table(), pages));
  } else if (shell == "fish") {
    fmt::print("{}", fish_completion(command_table(), pages));
  } else {
    return fail(Error{ErrorKind::kUsage, shell.empty() ? "no shell given" : "unknown shell", shell,
                      "ravel completion bash|zsh|fish"});
  }
  return kExitClean;
}

}  // namespace ravel
