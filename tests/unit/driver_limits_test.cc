// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the tested process says of its limits, and plans out of shared memory: checked before anybody uses them.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "driver/limits_seen.h"
#include "driver/shared_memory.h"
#include "runtime/intercept/path_rules.h"

namespace ravel {
namespace {

TEST(Limits, WhatIsWrittenDownIsRead) {
  auto memory = SharedMemory::create();
  ASSERT_TRUE(memory);
  SharedBlock& block = memory->block();
  EXPECT_TRUE(read_limits(block).uncontrolled.empty());
  EXPECT_FALSE(read_limits(block).difference);
  std::strcpy(block.uncontrolled[0].call, "open");
  std::strcpy(block.uncontrolled[0].detail, "/proc/self/stat");
  block.uncontrolled[0].times = 3;
  block.uncontrolled_count = 1;
  LimitsSeen seen = read_limits(block);
  ASSERT_EQ(seen.uncontrolled.size(), 1u);
  EXPECT_EQ(seen.uncontrolled[0].detail, "/proc/self/stat");
  seen.merge(read_limits(block));
  ASSERT_EQ(seen.uncontrolled.size(), 1u);
  EXPECT_EQ(seen.uncontrolled[0].times, 6u);
}

TEST(Limits, RubbishIsSafe) {
  auto memory = SharedMemory::create();
  ASSERT_TRUE(memory);
  SharedBlock& block = memory->block();
  std::mt19937_64 random(11);
  for (int round = 0; round < 50; ++round) {
    auto scribble = [&](void* place, std::size_t bytes) {
      for (std::size_t i = 0; i < bytes; ++i)
        static_cast<unsigned char*>(place)[i] = static_cast<unsigned char>(random());
    };
    scribble(static_cast<void*>(&block.uncontrolled_count), sizeof block.uncontrolled_count);
    scribble(static_cast<void*>(block.uncontrolled), sizeof block.uncontrolled);
    scribble(static_cast<void*>(&block.difference), sizeof block.difference);
    const LimitsSeen seen = read_limits(block);
    EXPECT_LE(seen.uncontrolled.size(), kMaxUncontrolled);
    for (const Uncontrolled& call : seen.uncontrolled) ASSERT_LT(module_slot(call.location), seen.modules.size());
    if (!seen.difference) continue;
    EXPECT_LT(seen.difference->first_outcome, OutcomeKind::kCount);
    EXPECT_LT(seen.difference->second_outcome, OutcomeKind::kCount);
    for (const auto& event : {seen.difference->first, seen.difference->second}) {
      if (!event) continue;
      ASSERT_LT(event->kind, OpKind::kCount);
      ASSERT_LT(module_slot(event->location), seen.modules.size());
    }
  }
}

TEST(Limits, PlansOutOfSharedMemoryAreMadeValid) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    PlanSpec plan;
    for (std::size_t i = 0; i < sizeof plan; ++i) {
      reinterpret_cast<unsigned char*>(&plan)[i] = static_cast<unsigned char>(random());
    }
    tame_plan(plan);
    EXPECT_LE(plan.policy.kind, PolicyKind::kReadsFrom);
    EXPECT_LE(plan.policy.switches, kMaxForcedSwitches);
    EXPECT_LE(plan.points, PointsMode::kAll);
    EXPECT_LE(plan.timeouts, TimeoutMode::kShortSleeps);
    EXPECT_EQ(plan.sequence.count, 0u);
    EXPECT_EQ(plan.stop_at, 0u);
  }
}

TEST(Limits, ALineageIsBounded) {
  std::vector<ThreadRecord> threads(100'000);
  for (ThreadIndex i = 1; i < threads.size(); ++i) threads[i].parent = i - 1;
  EXPECT_LT(lineage_of(threads, 99'999).size(), 5000u);
}

TEST(Paths, NumbersThatOnlyTheProgramKnowsAreTranslated) {
  char room[64];
  const auto path = [&](const char* given) {
    return std::string(rt::kernel_proc_path(given, 5'000'000, room, sizeof(room)));
  };
  EXPECT_EQ(path("/proc/self/task/5000001/comm"), "/proc/thread-self/comm");
  EXPECT_EQ(path("/proc/5000000/task/5000000/stat"), "/proc/thread-self/stat");
  EXPECT_EQ(path("/proc/5000000/maps"), "/proc/self/maps");
  EXPECT_EQ(path("/proc/self/task"), "/proc/self/task");
  EXPECT_EQ(path("/proc/self/maps"), "/proc/self/maps");
  for (const char* as_it_is : {"/proc/12/maps", "/proc/5000000x/maps", "/proc/self/task/77/comm", "/proc", "/proc/",
                               "5000000", "/etc/5000000"}) {
    EXPECT_EQ(path(as_it_is), as_it_is);
  }
  const std::string longer = "/proc/5000000/" + std::string(64, 'x');
  EXPECT_EQ(path(longer.c_str()), longer);
  EXPECT_EQ(rt::kernel_proc_path(nullptr, 5'000'000, room, sizeof(room)), nullptr);
}

TEST(PathRules, WhatIsNotControlledIsNamed) {
  using rt::is_uncontrolled_path;
  EXPECT_TRUE(is_uncontrolled_path("/proc/self/maps", false, true));
  EXPECT_TRUE(is_uncontrolled_path("/sys/devices", false, false));
  EXPECT_FALSE(is_uncontrolled_path("data.txt", false, false));
  EXPECT_TRUE(is_uncontrolled_path("data.txt", true, false));
  EXPECT_FALSE(is_uncontrolled_path("data.txt", true, true));
  EXPECT_TRUE(is_uncontrolled_path("../data.txt", true, true));
  EXPECT_TRUE(is_uncontrolled_path("/var/data.txt", true, true));
  EXPECT_TRUE(is_uncontrolled_path("/var/data.txt", true, true, true));
  EXPECT_TRUE(is_uncontrolled_path("/tmp/data.txt", true, true));
  EXPECT_FALSE(is_uncontrolled_path("/tmp/data.txt", true, true, true));
  EXPECT_TRUE(is_uncontrolled_path("/tmp/../var/data.txt", true, true, true));
  EXPECT_FALSE(is_uncontrolled_path("/dev/null", true, false));
  EXPECT_FALSE(is_uncontrolled_path(nullptr, true, false));
  EXPECT_TRUE(rt::is_random_device("/dev/urandom"));
  EXPECT_FALSE(rt::is_random_device("/dev/urandom2"));
}

}  // namespace
}  // namespace ravel
