// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Several jobs at one tree, in any order: each trace once in all, on random programs against trying every interleaving.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/jobs.h"
#include "support/truth.h"

namespace ravel::testing {
namespace {

TEST(JobsFuzz, OneExecutionATraceWhoeverRunsIt) {
  std::uint64_t traces = 0;
  std::uint64_t by_others = 0;
  for_programs(
      first_program(), programs_to_try(4), [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
        Random random(seed);
        const std::vector<std::string> expected(truth.traces.begin(), truth.traces.end());
        for (const std::uint32_t count : {1u, 2u, 3u, 5u}) {
          const std::string where = std::to_string(count) + " jobs, seed " + std::to_string(seed) + text_of(program);
          Jobs jobs(program, count);
          EXPECT_TRUE(jobs.run(random, 100'000)) << where;
          EXPECT_TRUE(jobs.complete()) << jobs.note() << ", " << where;
          std::sort(jobs.traces.begin(), jobs.traces.end());
          const std::set<std::string> different(jobs.traces.begin(), jobs.traces.end());
          EXPECT_EQ(jobs.traces.size(), different.size()) << "some were run twice, " << where;
          EXPECT_EQ(different.size(), expected.size()) << where;
          EXPECT_TRUE(jobs.traces == expected) << where;
          traces += count > 1 ? expected.size() : 0;
          by_others += jobs.traces.size() - jobs.executions_of(0);
        }
        return !::testing::Test::HasFailure() || std::getenv("RAVEL_FUZZ_ALL") != nullptr;
      });
  EXPECT_GT(by_others * 4, traces);  // they did share the work
}

// A larger tree: everybody has something to do.
TEST(Jobs, ShareTheWork) {
  toy::Program program;
  for (unsigned t = 0; t < 4; ++t) program.threads.push_back({toy::load(0, 0), toy::store(0, 1, 1)});
  Random random(3);
  Jobs jobs(program, 3);
  ASSERT_TRUE(jobs.run(random, 100'000));
  EXPECT_TRUE(jobs.complete());
  EXPECT_EQ(jobs.traces.size(), 576u);
  for (std::uint32_t job = 0; job < 3; ++job) EXPECT_GT(jobs.executions_of(job), 5u) << job;
}

}  // namespace
}  // namespace ravel::testing
