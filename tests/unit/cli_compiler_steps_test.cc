// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/compiler_steps.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ravel {
namespace {

using Words = std::vector<std::string>;

WrapperSetup setup(const std::string& compiler = "g++") {
  WrapperSetup s;
  s.compiler = compiler;
  s.library_dir = "/ravel/lib";
  s.temporary_dir = "/tmp/x";
  return s;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Words lines(const Words& args, const WrapperSetup& s = setup()) {
  const auto steps = compiler_steps(args, s);
  EXPECT_TRUE(steps) << steps.error().line();
  Words out;
  if (steps) {
    for (const Words& command : steps->commands) out.push_back(joined(command));
  }
  return out;
}

const std::string kCompile = "g++ -g -O2 -fsanitize=thread -fno-plt -Wno-tsan --param=tsan-distinguish-volatile=1 ";
const std::string kLink =
    "g++ -Wl,--push-state,--no-as-needed -L/ravel/lib -lravel_rt -Wl,--pop-state -Wl,-rpath,/ravel/lib -rdynamic "
    "-pthread ";

TEST(CompilerSteps, OneSourceBecomesCompileAndLink) {
  EXPECT_EQ(
      lines({"-std=c++20", "bank.cpp", "-o", "bank"}),
      (Words{kCompile + "-std=c++20 -c bank.cpp -o /tmp/x/1-bank.o", kLink + "-std=c++20 /tmp/x/1-bank.o -o bank"}));
}

TEST(CompilerSteps, SeveralSourcesKeepTheirPlaceInTheLink) {
  EXPECT_EQ(lines({"a.cpp", "old.o", "dir/b.cc", "-lm"}),
            (Words{kCompile + "-c a.cpp -o /tmp/x/1-a.o", kCompile + "-c dir/b.cc -o /tmp/x/2-b.o",
                   kLink + "/tmp/x/1-a.o old.o /tmp/x/2-b.o -lm"}));
}

TEST(CompilerSteps, APrecompiledHeaderOfTheUserComesFirst) {
  WrapperSetup with = setup("clang++");
  with.block_calls = "calls.h";
  const auto ends_with = [&](const Words& args, const std::string& end) {
    const Words made = lines(args, with);
    return !made.empty() && made[0].size() > end.size() && made[0].substr(made[0].size() - end.size()) == end;
  };
  EXPECT_TRUE(ends_with({"-include", "all.h", "-c", "a.cpp"}, " -include all.h -c a.cpp -include calls.h"));
  EXPECT_TRUE(ends_with({"-include", "all.h", "a.cpp"}, " -include all.h -include calls.h -c a.cpp -o /tmp/x/1-a.o"));
  EXPECT_TRUE(ends_with({"-x", "c++-header", "all.h", "-o", "all.h.gch"}, " -x c++-header all.h -o all.h.gch"));
}

TEST(CompilerSteps, CompileOnlyIsOneStepWithoutLinkerOptions) {
  EXPECT_EQ(lines({"-c", "-Wl,-z,now", "a.cpp", "b.cpp"}), (Words{kCompile + "-c a.cpp b.cpp"}));
  EXPECT_EQ(lines({"-S", "a.cpp", "-o", "a.s"}), (Words{kCompile + "-S a.cpp -o a.s"}));
  EXPECT_EQ(lines({"-E", "a.cpp"}), (Words{kCompile + "-E a.cpp"}));
  EXPECT_EQ(lines({"-MM", "a.cpp"}), (Words{kCompile + "-MM a.cpp"}));
}

TEST(CompilerSteps, ObjectsAreOnlyLinked) {
  EXPECT_EQ(lines({"a.o", "libx.a", "-o", "p"}), (Words{kLink + "a.o libx.a -o p"}));
}

TEST(CompilerSteps, TheUsersLevelOfOptimisationStays) {
  EXPECT_EQ(lines({"-O0", "-c", "a.cpp"}),
            (Words{"g++ -g -fsanitize=thread -fno-plt -Wno-tsan --param=tsan-distinguish-volatile=1 -O0 -c a.cpp"}));
}

TEST(CompilerSteps, ClangHasItsOwnOptions) {
  EXPECT_EQ(lines({"-c", "a.cpp"}, setup("/usr/bin/clang++-14")),
            (Words{"/usr/bin/clang++-14 -g -O2 -fsanitize=thread -fno-plt -mllvm -tsan-instrument-read-before-write=1 "
                   "-mllvm -tsan-distinguish-volatile=1 "
                   "-c a.cpp"}));
}

TEST(CompilerSteps, TheLinkNeverSeesTheThreadSanitizer) {
  EXPECT_EQ(lines({"-fsanitize=thread,undefined", "a.o"}), (Words{kLink + "-fsanitize=undefined a.o"}));
  EXPECT_EQ(lines({"-fsanitize=thread", "a.o"}), (Words{kLink + "a.o"}));
}

TEST(CompilerSteps, SharedLibrariesAreLinkedWithTheRuntime) {
  const auto steps = lines({"-shared", "-fPIC", "a.cpp", "-o", "liba.so"});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0], kCompile + "-fPIC -c a.cpp -o /tmp/x/1-a.o");
  EXPECT_EQ(steps[1], kLink + "-shared -fPIC /tmp/x/1-a.o -o liba.so");
}

TEST(CompilerSteps, APartialLinkIsLeftAlone) {
  EXPECT_EQ(lines({"-r", "a.o", "b.o", "-o", "c.o"}), (Words{"g++ -r a.o b.o -o c.o"}));
}

TEST(CompilerSteps, TheLanguageGoesWithItsSources) {
  EXPECT_EQ(lines({"-x", "c++", "a.txt", "-x", "none", "b.o"}),
            (Words{kCompile + "-x c++ -c a.txt -o /tmp/x/1-a.o", kLink + "/tmp/x/1-a.o b.o"}));
  EXPECT_EQ(lines({"-xc++", "-"}), (Words{kCompile + "-x c++ -c - -o /tmp/x/1--.o", kLink + "/tmp/x/1--.o"}));
}

TEST(CompilerSteps, DependencyFilesGetTheNameTheCompilerWouldUse) {
  EXPECT_EQ(lines({"-MMD", "a.cpp", "-o", "p"}),
            (Words{kCompile + "-MMD -MF p-a.d -MT p -c a.cpp -o /tmp/x/1-a.o", kLink + "/tmp/x/1-a.o -o p"}));
  EXPECT_EQ(lines({"-MD", "-MF", "x.d", "-MT", "y", "a.cpp"}),
            (Words{kCompile + "-MD -MF x.d -MT y -c a.cpp -o /tmp/x/1-a.o", kLink + "/tmp/x/1-a.o"}));
}

TEST(CompilerSteps, ValuesAreNotTakenForInputs) {
  EXPECT_EQ(lines({"-I", "a.cpp", "-D", "b.cpp", "-include", "c.h", "-c", "d.cpp"}),
            (Words{kCompile + "-I a.cpp -D b.cpp -include c.h -c d.cpp"}));
}

TEST(CompilerSteps, LinkTimeOptimisationIsLeftOut) {
  EXPECT_EQ(lines({"-flto=auto", "-c", "a.cpp"}), (Words{kCompile + "-c a.cpp"}));
}

TEST(CompilerSteps, QuestionsArePassedOn) {
  EXPECT_EQ(lines({"--version"}), (Words{"g++ --version"}));
  EXPECT_EQ(lines({"-print-search-dirs"}), (Words{"g++ -print-search-dirs"}));
}

TEST(CompilerSteps, HeadersAreCompiledNotLinked) {
  EXPECT_EQ(lines({"all.hpp"}), (Words{kCompile + "all.hpp"}));
}

TEST(CompilerSteps, StaticIsRefusedInOneLine) {
  for (const char* word : {"-static", "-static-pie", "--static"}) {
    const auto steps = compiler_steps({"a.cpp", word}, setup());
    ASSERT_FALSE(steps);
    EXPECT_EQ(steps.error().kind, ErrorKind::kUsage);
    EXPECT_NE(steps.error().line().find("static linking is not supported"), std::string::npos);
  }
  EXPECT_TRUE(compiler_steps({"a.cpp", "-static-libstdc++"}, setup()));
}

TEST(CompilerSteps, AMissingValueIsAnError) {
  EXPECT_FALSE(compiler_steps({"a.cpp", "-o"}, setup()));
}

TEST(CompilerSteps, HidesTheMacroOnRequest) {
  WrapperSetup s = setup();
  const auto kept = take_wrapper_options({"--hide-tsan-macro", "--compiler", "g++-12", "-c", "a.cpp"}, s);
  ASSERT_TRUE(kept);
  EXPECT_EQ(*kept, (Words{"-c", "a.cpp"}));
  EXPECT_EQ(lines(*kept, s), (Words{"g++-12 -g -O2 -fsanitize=thread -fno-plt -Wno-tsan "
                                    "--param=tsan-distinguish-volatile=1 -U__SANITIZE_THREAD__ -c a.cpp"}));
  EXPECT_FALSE(take_wrapper_options({"--compiler"}, s));
}

TEST(ResponseFile, SplitsAsTheCompilersDo) {
  EXPECT_EQ(split_response_file("-c a.cpp\n  'two words' \"q\\\"q\" back\\ slash ''"),
            (Words{"-c", "a.cpp", "two words", "q\"q", "back slash", ""}));
  EXPECT_TRUE(split_response_file(" \n").empty());
}

}  // namespace
}  // namespace ravel
