// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns the arguments of `ravel c++` into the compiler commands that are run. Pure: no file is touched, so all rules
// are unit-tested on argument lists.
//
// The rule behind everything: objects are compiled WITH -fsanitize=thread and linked WITHOUT it, since our runtime
// takes the place of the sanitizer's. One command that compiles and links therefore becomes several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/text/result.h"

namespace ravel {

struct WrapperSetup {
  std::string compiler = "g++";
  std::string library_dir;       // holds libravel_rt.so
  std::string include_dir;       // holds ravel/ravel.h; searched last
  std::string temporary_dir;     // exists when the steps are run; only used if `needs_temporary`
  std::string block_calls;       // included before the sources, behind what the user includes; empty: none
  std::string assembler_dir;     // holds the assembler `as' that looks for inline assembly; empty: the compiler's own
  std::string whole_dir;         // holds headers whose operations are single events
  bool hide_tsan_macro = false;  // undefine __SANITIZE_THREAD__
  bool whole_sync = false;       // use them
};

// An object that a command makes, and how: recorded in the object (compile_recording.h).
struct CompiledObject {
  std::size_t command = 0;  // of CompilerSteps::commands
  std::string source;
  std::string object;
  std::vector<std::string> arguments;  // the user's options
  std::string language;                // -x; empty: by the file name
};

struct CompilerSteps {
  std::vector<std::vector<std::string>> commands;  // run in order; stop at the first that fails
  std::vector<CompiledObject> objects;
  bool needs_temporary = false;
};

// Removes the wrapper's own options (--compiler X, --hide-tsan-macro, --whole-sync) from `args` and stores them in
// `setup`.
Result<std::vector<std::string>> take_wrapper_options(std::vector<std::string> args, WrapperSetup& setup);

// `args`: what the user wrote after `ravel c++`, response files expanded.
Result<CompilerSteps> compiler_steps(const std::vector<std::string>& args, const WrapperSetup& setup);

// Splits the text of a response file as the compilers do: blanks separate, quotes and backslash protect.
std::vector<std::string> split_response_file(std::string_view text);

[[nodiscard]] bool is_clang(std::string_view compiler);

}  // namespace ravel
