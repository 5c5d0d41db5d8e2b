// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The compiler wrapper with real compilers, on sources without headers so that it stays fast.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/command.h"
#include "driver/layout.h"
#include "driver/program_image.h"
#include "model/exit_code.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

class WrapperTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the runtime is not part of a sanitized build";
#endif
    ASSERT_TRUE(runtime_directory()) << "libravel_rt.so is not built";
    ASSERT_TRUE(find_program(GetParam())) << GetParam() << " is not installed: see scripts/setup.sh";
    std::string name = (fs::temp_directory_path() / "ravel-test-XXXXXX").string();
    folder = mkdtemp(name.data());
    write("a.cpp", "int shared; int other(); int main() { shared = other(); return shared - 3; }\n");
    write("b.cpp", "int number; int other() { number = 3; return number; }\n");
  }
  void TearDown() override {
    if (!folder.empty()) fs::remove_all(folder);
  }
  std::string path(const std::string& name) const {
    return (folder / name).string();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  int compile(Arguments args) const {
    args.insert(args.begin(), {"c++", "--compiler", GetParam()});
    return run_tool(args);
  }
  static void expect_instrumented(const std::string& program) {
    const auto image = testable_program(program);
    ASSERT_TRUE(image) << image.error().line();
    EXPECT_TRUE(image->needs("libravel_rt.so"));
    EXPECT_FALSE(image->needs("libtsan"));
    EXPECT_TRUE(image->calls_sanitizer);
    EXPECT_TRUE(image->debug_info);
  }

  fs::path folder;
};

TEST_P(WrapperTest, CompilesAndLinksInOneCommand) {
  ASSERT_EQ(compile({path("a.cpp"), path("b.cpp"), "-o", path("p")}), 0);
  expect_instrumented(path("p"));
  EXPECT_EQ(std::system(path("p").c_str()), 0);  // an ordinary program when Ravel is not there
}

TEST_P(WrapperTest, CompilesThenLinks) {
  ASSERT_EQ(compile({"-c", path("a.cpp"), "-o", path("a.o")}), 0);
  ASSERT_EQ(compile({"-c", path("b.cpp"), "-o", path("b.o")}), 0);
  ASSERT_EQ(compile({path("a.o"), path("b.o"), "-o", path("p")}), 0);
  expect_instrumented(path("p"));
}

TEST_P(WrapperTest, ReadsResponseFiles) {
  write("args", path("a.cpp") + "\n" + path("b.cpp") + " -o '" + path("p") + "'\n");
  ASSERT_EQ(compile({"@" + path("args")}), 0);
  expect_instrumented(path("p"));
}

TEST_P(WrapperTest, MakesSharedLibraries) {
  ASSERT_EQ(compile({"-shared", "-fPIC", path("b.cpp"), "-o", path("libb.so")}), 0);
  ASSERT_EQ(compile({path("a.cpp"), path("libb.so"), "-Wl,-rpath," + folder.string(), "-o", path("p")}), 0);
  expect_instrumented(path("p"));
  EXPECT_EQ(std::system(path("p").c_str()), 0);
}

TEST_P(WrapperTest, PassesTheCompilersFailureOn) {
  write("bad.cpp", "int main( {}\n");
  EXPECT_EQ(compile({path("bad.cpp"), "-o", path("p"), "-w"}), 1);
  EXPECT_FALSE(fs::exists(path("p")));
}

TEST_P(WrapperTest, RefusesStatic) {
  EXPECT_EQ(compile({"-static", path("a.cpp")}), kExitUsage);
}

INSTANTIATE_TEST_SUITE_P(Compilers, WrapperTest, testing::Values("g++", "clang++-14"),
                         [](const auto& param_info) { return param_info.param[0] == 'g' ? "gcc" : "clang"; });

}  // namespace
}  // namespace ravel
