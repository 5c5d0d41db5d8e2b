// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/command.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/exit_codes.h"
#include "cli/near_names.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

constexpr CommandRow kCommands[] = {
    {"c++", "compile and link C++ for Ravel (takes the compiler's own arguments)", cxx_command},
    {"cc", "the same for C", cc_command},
    {"run", "explore schedules of a program until a defect is found or the budget ends", run_command},
    {"replay", "run a saved schedule again, also under gdb", replay_command},
    {"minimize", "the simplest schedule with the defect of a saved one", minimize_command},
    {"explain", "the events whose order decides a saved failure", explain_command},
    {"verify-fix", "whether the defect of a saved schedule is still reachable in a changed program",
     verify_fix_command},
    {"merge", "results of several shards as one", merge_command},
    {"list", "strategies, policies, outcomes and classes of scheduling points", list_command},
    {"doctor", "check this machine, or whether a program can be tested", doctor_command},
};

void print_usage(std::FILE* to) {
  fmt::print(to, "usage: ravel COMMAND [options] ...\n\n");
  for (const CommandRow& row : kCommands) fmt::print(to, "  {:<10} {}\n", row.name, row.description);
  fmt::print(to, "\n`ravel COMMAND --help` explains a command.\n");
}

}  // namespace

std::span<const CommandRow> command_table() {
  return kCommands;
}

int fail(const Error& error) {
  fmt::print(stderr, "ravel: {}\n", printable_line(error.line()));
  return exit_code_of(error);
}

int run_tool(const Arguments& args) {
  if (args.empty()) {
    print_usage(stderr);
    return kExitUsage;
  }
  if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    print_usage(stdout);
    return kExitClean;
  }
  if (args[0] == "--version") {
    fmt::print("ravel {}\n", RAVEL_VERSION);
    return kExitClean;
  }
  std::vector<std::string_view> names;
  for (const CommandRow& row : kCommands) {
    if (row.name == args[0]) return row.run(Arguments(args.begin() + 1, args.end()));
    names.push_back(row.name);
  }
  return fail(Error{ErrorKind::kUsage, "unknown command", args[0], near_hint(args[0], names, "see `ravel --help`")});
}

}  // namespace ravel
