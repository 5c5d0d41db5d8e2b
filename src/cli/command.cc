// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/coverage_command.h"
#include "cli/options.h"
#include "cli/syn_command.h"
#include "cli/values_command.h"
#include "model/exit_code.h"
#include "model/text/near_names.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

constexpr CommandRow kCommands[] = {
    {"c++", "compile and link C++ for Ravel (takes the compiler's own arguments)", cxx_command, cxx_page},
    {"cc", "the same for C", cc_command, cc_page},
    {"init", "look at a project's build files and print what to add", init_command, init_page},
    {"run", "explore schedules of a program until a defect is found or the budget ends", run_command, run_page},
    {"replay", "run a saved schedule again, also under gdb", replay_command, replay_page},
    {"minimize", "the simplest schedule with the defect of a saved one", minimize_command, minimize_page},
    {"explain", "the events whose order decides a saved failure", explain_command, explain_page},
    {"verify-fix", "whether the defect of a saved schedule is still reachable in a changed program", verify_fix_command,
     verify_fix_page},
    {"merge", "results of several shards as one", merge_command, merge_page},
    {"pin", "turn a failure of a free run into a plan that replays", pin_command, pin_page},
    {"flaky", "run each test on real threads under noise, ranked by how often it fails", flaky_command, flaky_page},
    {"noise", "compare configurations of noise, and find out which of it a failure needs", noise_command, noise_page},
    {"check", "run the detectors over a recorded trace", check_command, check_page},
    {"coverage", "concurrency coverage: show, compare, merge and export what `run --coverage' measured",
     coverage_command, coverage_page},
    {"outcomes", "every combination of observed values a program can end with; compare two such lists",
     outcomes_command, outcomes_page},
    {"syn", "orders of synchronisation as files: show, convert, test whether they can happen, record", syn_command,
     syn_page},
    {"values", "orders of conflicting accesses: show, test whether they can happen, which of them do harm",
     values_command, values_page},
    {"analyze", "which operations can conflict at all, from the sources, without running the program", analyze_command,
     analyze_page},
    {"confirm", "drive executions into what warnings claim: which of them are real", confirm_command, confirm_page},
    {"list", "strategies, policies, outcomes and classes of scheduling points", list_command, list_page},
    {"doctor", "check this machine, or whether a program can be tested", doctor_command, doctor_page},
    {"man", "the manual page of a command", man_command, man_command_page},
    {"completion", "completion of commands and options for bash, zsh or fish", completion_command, completion_page},
};

void print_usage(std::FILE* to) {
  fmt::print(to, "usage: ravel COMMAND [options] ...\n\n");
  for (const CommandRow& row : kCommands) fmt::print(to, "  {:<11} {}\n", row.name, row.description);
  fmt::print(to, "\n`ravel COMMAND --help` explains a command.\n");
}

}  // namespace

std::span<const CommandRow> command_table() {
  return kCommands;
}

std::string_view ravel_version() {
  return RAVEL_VERSION;
}

int fail(const Error& error) {
  fmt::print(stderr, "ravel: {}\n", printable_line(error.line()));
  return exit_code_of(error);
}

Arguments words_of(int argc, const char* const* argv) {
  Arguments words(argv + (argc > 0 ? 1 : 0), argv + argc);
  std::string_view name = argc > 0 ? argv[0] : "";
  name = name.substr(name.rfind('/') + 1);
  if (name == "ravel-c++") words.insert(words.begin(), "c++");
  if (name == "ravel-cc") words.insert(words.begin(), "cc");
  return words;
}

int run_tool(const Arguments& args) {
  if (args.empty()) {
    print_usage(stderr);
    return kExitUsage;
  }
  if (args.size() == 2 && args[0] == "help") return run_tool({args[1], "--help"});
  if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    print_usage(stdout);
    return kExitClean;
  }
  if (args[0] == "assemble") return assemble_command(Arguments(args.begin() + 1, args.end()));
  if (args[0] == "--version") {
    fmt::print("ravel {}\n", RAVEL_VERSION);
    return kExitClean;
  }
  std::vector<std::string_view> names;
  for (const CommandRow& row : kCommands) {
    if (row.name == args[0]) return row.run(Arguments(args.begin() + 1, args.end()));
    names.push_back(row.name);
  }
  // The program itself where `run' is meant.
  const std::string hint =
      access(args[0].c_str(), X_OK) == 0 ? "ravel run ./PROGRAM tests a program" : "see `ravel --help`";
  return fail(Error{ErrorKind::kUsage, "unknown command", args[0], near_hint(args[0], names, hint)});
}

}  // namespace ravel
