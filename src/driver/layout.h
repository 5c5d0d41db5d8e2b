// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where the parts of Ravel lie, relative to the running tool: the same code serves a build tree and an installed one.
#pragma once

#include <string>

#include "model/text/result.h"

namespace ravel {

inline constexpr char kRuntimeName[] = "libravel_rt.so";
inline constexpr char kFreeLibraryName[] = "libravel_free.so";  // beside it

// Absolute path of the folder that holds libravel_rt.so.
Result<std::string> runtime_directory();
// The folder that holds ravel/ravel.h.
Result<std::string> include_directory();
// The script that teaches gdb virtual threads.
Result<std::string> gdb_script();
// The folder that holds the assembler of instrumented builds.
Result<std::string> assembler_directory();
// What is included before the program's sources.
Result<std::string> block_calls_header();
// The root of the tree, with bin, lib and share below it.
Result<std::string> tree_directory();
// Findings that are left out unless somebody wants them.
Result<std::string> shipped_suppressions();

}  // namespace ravel
