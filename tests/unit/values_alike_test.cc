// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Steps that are alike: one group for all of them, known by the latest; whatever may conflict with a step is visited.
#include "explore/values/alike_steps.h"

#include <gtest/gtest.h>

#include <memory_resource>
#include <vector>

namespace ravel::values {
namespace {

Step access(std::uint32_t column, OpKind kind, std::uint64_t place) {
  Step step;
  step.column = column;
  step.act.op.thread = column;
  step.act.op.kind = kind;
  step.act.op.place = place;
  step.keys.spot = Steps::spot_of_memory(place);
  step.keys.mask = std::uint64_t{1} << (step.keys.spot & 63);
  return step;
}
Step wide(Step step) {
  step.keys = {~std::uint64_t{0}, kSeveral};
  return step;
}

class AlikeStepsTest : public ::testing::Test {
 protected:
  AlikeStepsTest() { alike_.begin(); }
  void enter(const Step& step, ClassId of) {
    steps_.push_back(step);
    const auto i = static_cast<std::uint32_t>(steps_.size() - 1);
    const auto same_place = [&](std::uint32_t j) { return steps_[j].act.op.place == step.act.op.place; };
    EXPECT_TRUE(alike_.enter(step, i, of, same_place));
  }
  std::vector<std::uint32_t> visited(const Step& step) {
    std::vector<std::uint32_t> seen;
    alike_.visit(step, [&](const AlikeSteps::Group& group) {
      seen.push_back(group.latest);
      return true;
    });
    return seen;
  }

  std::pmr::monotonic_buffer_resource memory_;
  AlikeSteps alike_{memory_};
  std::vector<Step> steps_;
};

using Latest = std::vector<std::uint32_t>;

TEST_F(AlikeStepsTest, TheLatestStandsForAll) {
  for (int round = 0; round < 5; ++round) enter(access(1, OpKind::kWrite, 64), 7);
  EXPECT_EQ(visited(access(2, OpKind::kRead, 64)), Latest{4});
  enter(access(1, OpKind::kWrite, 64), 8);  // another class
  EXPECT_EQ(visited(access(2, OpKind::kRead, 64)), (Latest{5, 4}));
  enter(access(3, OpKind::kWrite, 64), 7);  // another thread
  EXPECT_EQ(visited(access(2, OpKind::kRead, 64)), (Latest{6, 5, 4}));
  enter(access(1, OpKind::kWrite, 4096), 7);  // another place
  EXPECT_EQ(visited(access(2, OpKind::kRead, 64)), (Latest{6, 5, 4}));
  alike_.begin();
  EXPECT_EQ(visited(access(2, OpKind::kRead, 64)), Latest{});
}

TEST_F(AlikeStepsTest, ReadsDoNotConflict) {
  enter(access(1, OpKind::kRead, 64), 7);
  EXPECT_EQ(visited(access(2, OpKind::kRead, 64)), Latest{});
  EXPECT_EQ(visited(access(2, OpKind::kWrite, 64)), Latest{0});
}

TEST_F(AlikeStepsTest, StepsWithSeveralLocationsMeetAll) {
  enter(access(1, OpKind::kWrite, 64), 7);
  enter(access(1, OpKind::kWrite, 4096), 8);
  enter(wide(access(1, OpKind::kWrite, 128)), 9);
  EXPECT_EQ(visited(wide(access(2, OpKind::kWrite, 256))), (Latest{0, 1, 2}));
  EXPECT_EQ(visited(access(2, OpKind::kRead, 64)), (Latest{0, 2}));
}

// The read at which the program ended took the other's turn away.
TEST_F(AlikeStepsTest, TheEndOfTheProgramConflictsWithAllReads) {
  Step end = wide(access(1, OpKind::kRead, 64));
  end.act.ends = true;
  enter(access(3, OpKind::kRead, 128), 6);
  EXPECT_EQ(visited(end), Latest{0});
  enter(end, 7);
  EXPECT_EQ(visited(access(2, OpKind::kRead, 4096)), Latest{1});
}

}  // namespace
}  // namespace ravel::values
