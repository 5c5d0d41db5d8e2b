// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Programs and plans on disk: what is refused, and how.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "driver/plan_store.h"
#include "driver/program_image.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  FilesTest() {
    std::string name = (fs::temp_directory_path() / "ravel-test-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~FilesTest() override { fs::remove_all(folder); }

  std::string file(const std::string& name, const std::string& text, mode_t mode = 0755) {
    const std::string path = (folder / name).string();
    std::ofstream(path, std::ios::binary) << text;
    chmod(path.c_str(), mode);
    return path;
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  static std::string self() { return fs::read_symlink("/proc/self/exe").string(); }

  fs::path folder;
};

std::string error_line(const Result<ProgramImage>& result) {
  return result ? "accepted" : result.error().line();
}

TEST_F(FilesTest, ReadsThisProgram) {
  const auto image = read_program(self());
  ASSERT_TRUE(image) << image.error().line();
  EXPECT_TRUE(image->dynamic);
  EXPECT_TRUE(image->needs("libc.so"));
  EXPECT_TRUE(image->debug_info);
  EXPECT_FALSE(image->setuid);
  EXPECT_FALSE(image->calls_sanitizer);
  EXPECT_FALSE(image->build_id.empty());
  EXPECT_NE(image->interpreter.find("ld-linux"), std::string::npos);
}

TEST_F(FilesTest, BadProgramsAreOneLineEach) {
  EXPECT_NE(error_line(testable_program((folder / "none").string())).find("no such program"), std::string::npos);
  EXPECT_NE(error_line(testable_program("no-such-program-in-path")).find("not in PATH"), std::string::npos);
  EXPECT_NE(error_line(testable_program(file("script", "#!/bin/sh\necho\n"))).find("not an ELF program"),
            std::string::npos);
  EXPECT_NE(error_line(testable_program(folder.string())).find("not a regular file"), std::string::npos);
  EXPECT_NE(error_line(testable_program(file("empty", ""))).find("not an ELF program"), std::string::npos);
  EXPECT_NE(error_line(testable_program(file("plain", bytes_of(self()), 0644))).find("not executable"),
            std::string::npos);
  const auto uninstrumented = testable_program(self());
  ASSERT_FALSE(uninstrumented);
  EXPECT_EQ(uninstrumented.error().kind, ErrorKind::kCannotTest);
  EXPECT_NE(error_line(uninstrumented).find("not linked with libravel_rt.so"), std::string::npos);
  EXPECT_NE(error_line(testable_program(file("suid", bytes_of(self()), 04755))).find("set-uid"), std::string::npos);
}

// Header and tables damaged at random: an error or some answer, never a crash.
TEST_F(FilesTest, DamagedProgramsAreSurvived) {
  const std::string good = bytes_of("/bin/true");
  ASSERT_FALSE(good.empty());
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 20; ++i) bytes[random() % (round % 2 == 0 ? 1024 : bytes.size())] = static_cast<char>(random());
    if (round % 5 == 0) bytes.resize(random() % bytes.size());
    (void)read_program(file("damaged", bytes));
  }
}

PlanFile plan_of(const std::string& program, const std::string& message) {
  PlanFile plan;
  plan.program = program;
  plan.cwd = "/";
  plan.build_id = "b";
  plan.strategy = "random";
  plan.outcome = OutcomeKind::kAssertion;
  plan.message = message;
  plan.threads = {{"main", ""}};
  return plan;
}

TEST_F(FilesTest, TheSameDefectKeepsItsFileAnotherOneGetsTheNext) {
  const std::string store = (folder / ".ravel").string();
  EXPECT_EQ(*save_plan(store, plan_of("/x/bank", "a")), store + "/bank-1.plan");
  EXPECT_EQ(*save_plan(store, plan_of("/x/bank", "b")), store + "/bank-2.plan");
  PlanFile again = plan_of("/x/bank", "a");
  again.seed = 77;
  EXPECT_EQ(*save_plan(store, again), store + "/bank-1.plan");
  EXPECT_EQ(load_plan(store + "/bank-1.plan")->seed, 77u);
  EXPECT_EQ(load_plan(store + "/bank-2.plan")->message, "b");
  struct stat about {};
  ASSERT_EQ(stat(store.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0700u);
}

TEST_F(FilesTest, ProcessesThatSaveSideBySideLoseNothing) {
  constexpr int kProcesses = 4;
  constexpr int kPlans = 12;
  const std::string store = (folder / ".ravel").string();
  for (int process = 0; process < kProcesses; ++process) {
    if (fork() != 0) continue;
    bool good = true;
    for (int i = 0; i < kPlans; ++i) {
      good =
          save_plan(store, plan_of("/x/bank", std::to_string(process) + "." + std::to_string(i))).has_value() && good;
      good = save_plan(store, plan_of("/x/bank", "everybody's")).has_value() && good;
    }
    _exit(good ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    ASSERT_GT(wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  std::multiset<std::string> messages;
  for (const auto& [path, plan] : load_plans_of(store, "/y/bank")) messages.insert(plan.message);
  EXPECT_EQ(messages.size(), kProcesses * kPlans + 1u);
  EXPECT_EQ(std::set<std::string>(messages.begin(), messages.end()).size(), messages.size());
  for (const auto& entry : fs::directory_iterator(store)) {
    EXPECT_EQ(entry.path().filename().string()[0], 'b') << entry.path();
  }
}

TEST_F(FilesTest, PlansOfAProgramAreFoundByTheirNumbers) {
  const std::string store = (folder / ".ravel").string();
  EXPECT_TRUE(load_plans_of(store, "/x/bank").empty());
  for (const char* message : {"a", "b", "c", "d"}) (void)save_plan(store, plan_of("/x/bank", message));
  (void)save_plan(store, plan_of("/x/shop", "e"));
  fs::remove(store + "/bank-2.plan");
  std::ofstream(store + "/bank-3.plan") << "no plan";
  (void)save_original(store + "/bank-1.plan", plan_of("/x/bank", "f"));
  const auto plans = load_plans_of(store, "/x/bank");
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0].first, store + "/bank-1.plan");
  EXPECT_EQ(plans[1].second.message, "d");
  const std::string linked = (folder / "linked").string();
  ASSERT_EQ(symlink(store.c_str(), linked.c_str()), 0);
  EXPECT_TRUE(load_plans_of(linked, "/x/bank").empty());
}

TEST_F(FilesTest, LinksAreNotFollowed) {
  const std::string store = (folder / ".ravel").string();
  ASSERT_EQ(mkdir(store.c_str(), 0700), 0);
  const std::string victim = file("victim", "precious", 0644);
  ASSERT_EQ(symlink(victim.c_str(), (store + "/bank-1.plan").c_str()), 0);
  EXPECT_EQ(*save_plan(store, plan_of("/x/bank", "a")), store + "/bank-2.plan");
  EXPECT_EQ(bytes_of(victim), "precious");
  const std::string linked = (folder / "linked").string();
  ASSERT_EQ(symlink(store.c_str(), linked.c_str()), 0);
  EXPECT_FALSE(save_plan(linked, plan_of("/x/bank", "a")));
}

TEST_F(FilesTest, ADamagedPlanIsNotOverwritten) {
  const std::string store = (folder / ".ravel").string();
  ASSERT_EQ(mkdir(store.c_str(), 0700), 0);
  file(".ravel/bank-1.plan", "ravel-plan 9\n", 0600);
  EXPECT_EQ(*save_plan(store, plan_of("/x/bank", "a")), store + "/bank-2.plan");
}

TEST_F(FilesTest, NamesOfProgramsAreTamed) {
  const std::string store = (folder / ".ravel").string();
  EXPECT_EQ(*save_plan(store, plan_of("/x/a b\n", "a")), store + "/a_b_-1.plan");
  EXPECT_FALSE(load_plan(store + "/none.plan"));
}

}  // namespace
}  // namespace ravel
