// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/build_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, BuildSystem> kMarks[] = {
    {"CMakeLists.txt", BuildSystem::kCMake},   {"meson.build", BuildSystem::kMeson},
    {"MODULE.bazel", BuildSystem::kBazel},     {"WORKSPACE", BuildSystem::kBazel},
    {"BUILD.bazel", BuildSystem::kBazel},      {"configure", BuildSystem::kConfigure},
    {"configure.ac", BuildSystem::kConfigure}, {"GNUmakefile", BuildSystem::kMake},
    {"Makefile", BuildSystem::kMake},          {"makefile", BuildSystem::kMake},
};
constexpr int kDeepest = 6;
constexpr std::size_t kMostFiles = 2000;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// `name(a "b" c)` and `name('a', b)`: the words between the brackets, without quotes.
struct Call {
  std::string name;
  std::vector<std::string> words;
};

// From the character after the opening bracket; leaves `at` behind the closing one.
std::vector<std::string> read_arguments(std::string_view text, std::size_t& at) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  int depth = 1;
  for (; at < text.size() && depth > 0; ++at) {
    const char c = text[at];
    if (c == '#') {
      while (at + 1 < text.size() && text[at + 1] != '\n') ++at;
    } else if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c; ++at) word += text[at];
      end_word();
    } else if (c == '(' || c == ')') {
      depth += c == '(' ? 1 : -1;
      end_word();
    } else if (c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0) {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

std::vector<Call> read_calls(std::string_view text) {
  std::vector<Call> calls;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#') {
      while (at < text.size() && text[at] != '\n') ++at;
      continue;
    }
    if (!is_word(text[at])) continue;
    Call call;
    for (; at < text.size() && is_word(text[at]); ++at) call.name += text[at];
    while (at < text.size() && text[at] == ' ') ++at;
    if (at >= text.size() || text[at] != '(') continue;
    std::size_t inside = at + 1;
    call.words = read_arguments(text, inside);
    calls.push_back(std::move(call));
    // A call within the brackets (Meson) is a call too: go on after the bracket, not after the call.
  }
  return calls;
}

void note_framework(std::string_view word, BuildFiles& files) {
  constexpr std::pair<std::string_view, std::string_view> kFrameworks[] = {
      {"gtest", "GoogleTest"}, {"catch2", "Catch2"}, {"doctest", "doctest"}};
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& [mark, name] : kFrameworks) {
    if (files.framework.empty() && lower.find(mark) != std::string::npos) files.framework = name;
  }
}

void add_test(const std::string& name, const std::string& folder, BuildFiles& files) {
  const bool plain =
      !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '-' || c == '.'; });
  const bool known =
      std::any_of(files.tests.begin(), files.tests.end(), [&](const TestProgram& test) { return test.name == name; });
  if (plain && !known) files.tests.push_back({name, folder});
}

void read_cmake_call(const Call& call, const std::vector<Call>& all, const std::string& folder, BuildFiles& files) {
  if (call.name == "find_package" || call.name == "target_link_libraries" || call.name == "FetchContent_Declare") {
    for (const std::string& word : call.words) note_framework(word, files);
  }
  if (call.name.ends_with("_discover_tests") && !call.words.empty()) {
    note_framework(call.name == "catch_discover_tests" ? "catch2" : call.name, files);
    add_test(call.words[0], folder, files);
  }
  if (call.name != "add_test" || call.words.size() < 2) return;
  const auto command = std::find(call.words.begin(), call.words.end(), "COMMAND");
  const std::string& name = command != call.words.end() && command + 1 != call.words.end() ? command[1] : call.words[1];
  const bool made_here = std::any_of(all.begin(), all.end(), [&](const Call& other) {
    return other.name == "add_executable" && !other.words.empty() && other.words[0] == name;
  });
  if (made_here) add_test(name, folder, files);
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The build files below a folder, without hidden folders and folders of builds.
void collect(const fs::path& folder, std::string_view name, int depth, std::vector<fs::path>& found) {
  std::error_code error;
  if (found.size() >= kMostFiles) return;
  if (fs::exists(folder / name, error)) found.push_back(folder / name);
  if (depth == kDeepest) return;
  std::vector<fs::path> inner;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string base = entry.path().filename().string();
    if (!entry.is_directory(error) || entry.is_symlink(error) || base[0] == '.') continue;
    if (fs::exists(entry.path() / "CMakeCache.txt", error) || fs::exists(entry.path() / "meson-info", error)) continue;
    inner.push_back(entry.path());
  }
  std::sort(inner.begin(), inner.end());
  for (const fs::path& path : inner) collect(path, name, depth + 1, found);
}

}  // namespace

void read_build_text(std::string_view text, const std::string& folder, BuildFiles& files) {
  const std::vector<Call> calls = read_calls(text);
  for (const Call& call : calls) {
    if (files.system == BuildSystem::kCMake) {
      read_cmake_call(call, calls, folder, files);
    } else if (files.system == BuildSystem::kMeson) {
      if (call.name == "dependency" && !call.words.empty()) note_framework(call.words[0], files);
    }
  }
}

Result<BuildFiles> find_build_files(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return usage_error("no such folder", folder, "name the folder of a project");
  for (const auto& [name, system] : kMarks) {
    if (!fs::exists(fs::path(folder) / name, error)) continue;
    BuildFiles files;
    files.system = system;
    files.file = name;
    if (system != BuildSystem::kCMake && system != BuildSystem::kMeson) return files;
    std::vector<fs::path> found;
    collect(folder, name, 0, found);
    for (const fs::path& path : found) {
      std::string relative = fs::relative(path.parent_path(), folder, error).string();
      if (relative == ".") relative.clear();
      read_build_text(text_of(path), relative, files);
    }
    return files;
  }
  return usage_error("no build files found", folder,
                     "one of CMakeLists.txt, meson.build, WORKSPACE, configure, Makefile; else ravel c++ compiles");
}

}  // namespace ravel
