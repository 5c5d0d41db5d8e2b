// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Bitcode of what is tested: each recorded command once more through clang 14, with the user's options, the features of
// an instrumented build and no optimisation. Kept in a cache by contents of the sources.
#pragma once

#include <string>
#include <vector>

#include "statics/compile_record.h"
#include "statics/facts.h"

namespace ravel {

struct BitcodeSetup {
  std::string cache;        // a folder
  std::string include_dir;  // of ravel/ravel.h
  std::string program;      // headers newer than it are named; empty: not asked
};

struct Bitcode {
  std::vector<std::string> files;
  std::vector<SourceFile> sources;
  std::vector<std::string> missing;  // "bank.cpp: changed since the program was built"
  std::vector<std::string> dropped;  // options that clang does not know
  unsigned compiled = 0;             // not found in the cache
};

// The clang that makes LLVM 14 bitcode; empty: none.
std::string find_clang14();
Bitcode make_bitcode(const std::string& clang, const std::vector<CompileCommand>& commands, const BitcodeSetup& setup);

}  // namespace ravel
