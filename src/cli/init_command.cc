// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel init [FOLDER]`: the commands that build and explore a project as it is, and the lines that make Ravel a part
// of it. Nothing is written.
#include <fmt/format.h>

#include "cli/build_files.h"
#include "cli/command.h"
#include "cli/options.h"
#include "driver/layout.h"
#include "model/exit_code.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "init", "[FOLDER]", "Looks at the build files of the project in FOLDER (default: here) and prints what to add.",
    ProgramStartsAt::kFirstWord, "0 printed, 2 no project there"};

constexpr std::size_t kTestsNamed = 5;

std::string joined(const std::vector<TestProgram>& tests, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < tests.size() && i < most; ++i) text += (i == 0 ? "" : " ") + tests[i].name;
  return tests.size() > most ? text + fmt::format(" (and {} more)", tests.size() - most) : text;
}

std::string first_program(const BuildFiles& files, const char* build) {
  if (files.tests.empty()) return fmt::format("{}/PROGRAM", build);
  const TestProgram& test = files.tests[0];
  return fmt::format("{}/{}{}{}", build, test.folder, test.folder.empty() ? "" : "/", test.name);
}

std::string cmake_text(const BuildFiles& files, const std::string& tree) {
  std::string text = fmt::format(
      "without a change to the project:\n"
      "  cmake -S . -B build-ravel --toolchain {0}/lib/cmake/Ravel/RavelToolchain.cmake -DRAVEL_TESTS=ON\n"
      "  cmake --build build-ravel\n"
      "  ctest --test-dir build-ravel        # or: ravel run {1}\n",
      tree, first_program(files, "build-ravel"));
  const std::string tests = files.tests.empty() ? "TEST..." : joined(files.tests, files.tests.size());
  const std::string one = files.tests.empty() ? "TEST" : files.tests[0].name;
  text += fmt::format(
      "as a part of it, three lines:\n"
      "  find_package(Ravel REQUIRED)        # cmake -DCMAKE_PREFIX_PATH={}\n"
      "  ravel_instrument({})\n",
      tree, tests);
  if (files.framework.empty()) return text + fmt::format("  ravel_add_test(NAME {0}_ravel COMMAND {0})\n", one);
  return text + fmt::format("  ravel_discover_tests({})\n", one);
}

std::string text_of(const BuildFiles& files, const std::string& tree) {
  switch (files.system) {
    case BuildSystem::kCMake:
      return cmake_text(files, tree);
    case BuildSystem::kMeson:
      return fmt::format(
          "without a change to the project, with {0}/bin in PATH:\n"
          "  meson setup build-ravel --native-file {0}/share/ravel/meson/ravel.ini\n"
          "  meson compile -C build-ravel\n"
          "  meson test -C build-ravel --wrapper 'ravel run --allow-vacuous --time 5s --'\n",
          tree);
    case BuildSystem::kBazel:
      return fmt::format(
          "without a change to the project:\n"
          "  bazel build --repo_env=CC={0}/bin/ravel-c++ --spawn_strategy=local //...\n"
          "  ravel run bazel-bin/PROGRAM\n",
          tree);
    case BuildSystem::kConfigure:
      return fmt::format(
          "without a change to the project, in a folder of its own:\n{1}"
          "  mkdir build-ravel && cd build-ravel && ../configure CC={0}/bin/ravel-cc CXX={0}/bin/ravel-c++\n"
          "  make\n"
          "  ravel run ./PROGRAM\n",
          tree, files.file == "configure.ac" ? "  autoreconf -fi\n" : "");
    case BuildSystem::kMake:
      return fmt::format(
          "without a change to the project:\n"
          "  make clean\n"
          "  make CC={0}/bin/ravel-cc CXX={0}/bin/ravel-c++\n"
          "  ravel run ./PROGRAM\n",
          tree);
  }
  return {};
}

}  // namespace

CommandPage init_page() {
  return {kSyntax, {}, false};
}

int init_command(const Arguments& args) {
  if (!args.empty() && (args[0] == "--help" || args[0] == "-h")) {
    fmt::print("{}", help_text(kSyntax, {}));
    return kExitClean;
  }
  if (args.size() > 1) return fail(Error{ErrorKind::kUsage, "more than one folder given", args[1], ""});
  if (!args.empty() && args[0].starts_with('-'))
    return fail(Error{ErrorKind::kUsage, "unknown option", args[0], "see `ravel init --help`"});
  auto files = find_build_files(args.empty() ? "." : args[0]);
  if (!files) return fail(files.error());
  auto tree = tree_directory();
  if (!tree) return fail(tree.error());
  std::string about = files->file;
  if (!files->framework.empty()) about += "; tests with " + files->framework;
  if (!files->tests.empty()) about += "; test programs: " + joined(files->tests, kTestsNamed);
  fmt::print("{}\n{}", printable_line(about), text_of(*files, *tree));
  return kExitClean;
}

}  // namespace ravel
