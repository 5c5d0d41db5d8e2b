// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tests of a program that is built with GoogleTest, Catch2 or doctest: which framework it is, the question for the
// names, the answer, and the words that run one test alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/program_image.h"

namespace ravel {

enum class TestFramework { kGoogleTest, kCatch2, kOldCatch2, kDoctest };  // old: version 2

struct ListedTest {
  std::string name;
  std::string selection;  // the argument that runs it alone
};

// By what the program's file contains, or the libraries that it needs.
std::optional<TestFramework> framework_of(const ProgramImage& image);
std::vector<std::string> list_question(TestFramework framework);
std::vector<ListedTest> parse_test_list(TestFramework framework, std::string_view answer);

}  // namespace ravel
