// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/build_files.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "cli/command.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

BuildFiles read_cmake(std::string_view text) {
  BuildFiles files;
  files.system = BuildSystem::kCMake;
  read_build_text(text, "sub", files);
  return files;
}

std::string names(const BuildFiles& files) {
  std::string text;
  for (const TestProgram& test : files.tests) text += test.folder + "/" + test.name + " ";
  return text;
}

TEST(BuildFiles, ProgramsOfDiscoveredTests) {
  const BuildFiles files =
      read_cmake("find_package(GTest REQUIRED)\nadd_executable(a a.cpp)\ngtest_discover_tests(a)\n");
  EXPECT_EQ(files.framework, "GoogleTest");
  EXPECT_EQ(names(files), "sub/a ");
}

TEST(BuildFiles, ProgramsOfAddTest) {
  const BuildFiles files = read_cmake(R"(
add_executable( one one.cpp )  # comment (with brackets
add_executable(two two.cpp)
add_test(NAME first COMMAND one --fast)
add_test(second two)
add_test(NAME third COMMAND ${PYTHON} script.py)
add_test(NAME fourth COMMAND missing)
)");
  EXPECT_EQ(files.framework, "");
  EXPECT_EQ(names(files), "sub/one sub/two ");
}

TEST(BuildFiles, WhatIsComputedOrCommentedOutIsLeftOut) {
  const BuildFiles files =
      read_cmake("# gtest_discover_tests(no)\ngtest_discover_tests(${name})\ncatch_discover_tests(yes)\n");
  EXPECT_EQ(files.framework, "GoogleTest");  // what was named first
  EXPECT_EQ(names(files), "sub/yes ");
}

TEST(BuildFiles, UnfinishedTextEnds) {
  for (const char* text : {"add_test(", "add_test(NAME x COMMAND", "add_executable(\"a", "a ( b (c", "#", "x"}) {
    EXPECT_TRUE(read_cmake(text).tests.empty()) << text;
  }
}

class BuildFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ravel-build-files-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  fs::path folder_;
};

TEST_F(BuildFolder, FoldersBelowAreReadButNoBuilds) {
  write("CMakeLists.txt", "add_subdirectory(tests)\n");
  write("tests/CMakeLists.txt", "doctest_discover_tests(inner)\n");
  write("out/CMakeCache.txt", "");
  write("out/_deps/CMakeLists.txt", "gtest_discover_tests(foreign)\n");
  const auto files = find_build_files(folder_.string());
  ASSERT_TRUE(files);
  EXPECT_EQ(files->framework, "doctest");
  EXPECT_EQ(names(*files), "tests/inner ");
}

TEST_F(BuildFolder, TheFirstBuildSystemCounts) {
  EXPECT_FALSE(find_build_files(folder_.string()));
  EXPECT_FALSE(find_build_files((folder_ / "none").string()));
  for (const auto& [name, system] : {std::pair("Makefile", BuildSystem::kMake),
                                     {"configure.ac", BuildSystem::kConfigure},
                                     {"WORKSPACE", BuildSystem::kBazel},
                                     {"meson.build", BuildSystem::kMeson}}) {
    write(name, "project('x')\n");
    const auto files = find_build_files(folder_.string());
    ASSERT_TRUE(files);
    EXPECT_EQ(files->system, system) << name;
  }
}

TEST(ToolName, TheWrappersHaveTheirCommandInTheirName) {
  const auto words = [](const char* name) {
    const char* const argv[] = {name, "-c", nullptr};
    return words_of(2, argv);
  };
  EXPECT_EQ(words("/opt/ravel/bin/ravel-c++"), (Arguments{"c++", "-c"}));
  EXPECT_EQ(words("ravel-cc"), (Arguments{"cc", "-c"}));
  EXPECT_EQ(words("./ravel"), (Arguments{"-c"}));
  EXPECT_EQ(words_of(0, nullptr), Arguments{});
}

}  // namespace
}  // namespace ravel
