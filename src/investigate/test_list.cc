// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/test_list.h"

#include <fstream>
#include <sstream>

namespace ravel {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::string trimmed(std::string text) {
  const std::size_t comment = text.find("  # ");  // GoogleTest: values of parameters
  if (comment != std::string::npos) text.resize(comment);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first);
}

// Suites are lines that end in a dot, their tests are indented.
std::vector<ListedTest> google_tests(std::string_view answer) {
  std::vector<ListedTest> tests;
  std::string suite;
  for (const std::string& line : lines_of(answer)) {
    const std::string word = trimmed(line);
    if (word.empty()) continue;
    if (line[0] != ' ') {
      suite = word.back() == '.' ? word : std::string();
    } else if (!suite.empty() && word.find("DISABLED_") == std::string::npos) {
      tests.push_back({suite + word, "--gtest_filter=" + suite + word});
    }
  }
  return tests;
}

std::string escaped(const std::string& name, std::string_view special) {
  std::string out;
  for (const char c : name) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::vector<ListedTest> catch_tests(std::string_view answer) {
  std::vector<ListedTest> tests;
  for (const std::string& line : lines_of(answer)) {
    const std::string name = trimmed(line);
    if (!name.empty()) tests.push_back({name, escaped(name, ",[]\\")});
  }
  return tests;
}

// Between lines of equal signs; what the program says about itself is in brackets.
std::vector<ListedTest> doctest_tests(std::string_view answer) {
  std::vector<ListedTest> tests;
  for (const std::string& line : lines_of(answer)) {
    const std::string name = trimmed(line);
    if (name.empty() || name.starts_with("===") || name.starts_with("[doctest]")) continue;
    tests.push_back({name, "--test-case=" + escaped(name, ",\\")});
  }
  return tests;
}

}  // namespace

std::optional<TestFramework> framework_of(const ProgramImage& image) {
  if (image.needs("libgtest")) return TestFramework::kGoogleTest;
  if (image.needs("libCatch2")) return TestFramework::kCatch2;
  std::ostringstream text;
  text << std::ifstream(image.path, std::ios::binary).rdbuf();
  const std::string bytes = text.str();
  if (bytes.find("gtest_list_tests") != std::string::npos) return TestFramework::kGoogleTest;
  if (bytes.find("doctest.com") != std::string::npos || bytes.find("dt-list-test-cases") != std::string::npos ||
      bytes.find("[doctest]") != std::string::npos) {
    return TestFramework::kDoctest;
  }
  if (bytes.find("list-test-names-only") != std::string::npos) return TestFramework::kOldCatch2;
  if (bytes.find("Catch") != std::string::npos && bytes.find("list-tests") != std::string::npos) {
    return TestFramework::kCatch2;
  }
  return std::nullopt;
}

std::vector<std::string> list_question(TestFramework framework) {
  switch (framework) {
    case TestFramework::kGoogleTest:
      return {"--gtest_list_tests"};
    case TestFramework::kCatch2:
      return {"--list-tests", "--verbosity", "quiet"};
    case TestFramework::kOldCatch2:
      return {"--list-test-names-only"};
    case TestFramework::kDoctest:
      return {"--list-test-cases", "--no-colors=true"};
  }
  return {};
}

std::vector<ListedTest> parse_test_list(TestFramework framework, std::string_view answer) {
  switch (framework) {
    case TestFramework::kGoogleTest:
      return google_tests(answer);
    case TestFramework::kCatch2:
    case TestFramework::kOldCatch2:
      return catch_tests(answer);
    case TestFramework::kDoctest:
      return doctest_tests(answer);
  }
  return {};
}

}  // namespace ravel
