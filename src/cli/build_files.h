// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the build files of a project say about it: the build system, the framework of its tests, and their programs.
// Read as text, not run: what a build computes (names in variables, loops) is not seen, and is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/text/result.h"

namespace ravel {

enum class BuildSystem { kCMake, kMeson, kBazel, kConfigure, kMake };

struct TestProgram {
  std::string name;    // of its target
  std::string folder;  // of its build file, relative to the project; empty: the project's own
};

struct BuildFiles {
  BuildSystem system = BuildSystem::kMake;
  std::string file;       // "CMakeLists.txt"
  std::string framework;  // "GoogleTest", "Catch2", "doctest"; empty: none recognised
  std::vector<TestProgram> tests;
};

// One build file's text: `tests` and `framework` are added to. For CMake and Meson; the others are not read.
void read_build_text(std::string_view text, const std::string& folder, BuildFiles& files);

// The project in `folder`. With several build systems the first of the list above counts.
Result<BuildFiles> find_build_files(const std::string& folder);

}  // namespace ravel
