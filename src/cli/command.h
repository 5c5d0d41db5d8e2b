// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A subcommand: one file each, one row in the table of command.cc. A command gets the words after its name, prints, and
// returns an exit code (model/exit_code.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/result.h"

namespace ravel {

using Arguments = std::vector<std::string>;

struct CommandPage;

struct CommandRow {
  std::string_view name;
  std::string_view description;
  int (*run)(const Arguments& args);
  CommandPage (*page)();  // its options, for help, manual page and completion (options.h)
};

std::span<const CommandRow> command_table();

int cxx_command(const Arguments& args);
int cc_command(const Arguments& args);
int assemble_command(const Arguments& args);
int run_command(const Arguments& args);
int replay_command(const Arguments& args);
int minimize_command(const Arguments& args);
int explain_command(const Arguments& args);
int verify_fix_command(const Arguments& args);
int merge_command(const Arguments& args);
int check_command(const Arguments& args);
int outcomes_command(const Arguments& args);
int pin_command(const Arguments& args);
int flaky_command(const Arguments& args);
int noise_command(const Arguments& args);
int analyze_command(const Arguments& args);
int confirm_command(const Arguments& args);
int list_command(const Arguments& args);
int doctor_command(const Arguments& args);
int init_command(const Arguments& args);
int man_command(const Arguments& args);
int completion_command(const Arguments& args);

CommandPage cxx_page();
CommandPage cc_page();
CommandPage run_page();
CommandPage replay_page();
CommandPage minimize_page();
CommandPage explain_page();
CommandPage verify_fix_page();
CommandPage merge_page();
CommandPage check_page();
CommandPage outcomes_page();
CommandPage pin_page();
CommandPage flaky_page();
CommandPage noise_page();
CommandPage analyze_page();
CommandPage confirm_page();
CommandPage list_page();
CommandPage doctor_page();
CommandPage init_page();
CommandPage man_command_page();
CommandPage completion_page();

std::string_view ravel_version();

// Prints `ravel: ...` on stderr, with control characters made harmless; returns the exit code of the error.
int fail(const Error& error);

// The words after the tool's name. Called `ravel-c++` or `ravel-cc`, for builds that want the compiler as one word, the
// tool has its command in its name.
Arguments words_of(int argc, const char* const* argv);

// main() without the process: `args` are the words after the tool's name.
int run_tool(const Arguments& args);

}  // namespace ravel
