// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Order violations: use before it is set, null, double-checked locking, predecessor sets with training.
#include <cstring>

#include "detect/training.h"
#include "support/detections.h"

namespace ravel {
namespace {

using testing::DetectorBench;
using Set = std::set<std::string>;

const std::string kTwo = "main create A\nmain create B\n";

Set found_by(DetectorId id, const std::string& text, const ExecutionResult& result = DetectorBench::no_result()) {
  DetectorBench bench(detector_bit(id));
  return bench.run(kTwo + text, result).lines;
}

TEST(UseBeforeSet, ReadComesFirst) {
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, "A read x 4 = 0 @ use\nB write x 4 = 7 @ set\n"), Set{"0: use set"});
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, "B write x 4 = 7 @ set\nA read x 4 = 7 @ use\n"), Set{});
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, "A read x 4 = 3 @ use\nB write x 4 = 7 @ set\n"), Set{});
}

TEST(UseBeforeSet, PollingIsFine) {
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, "A read x 4 = 0 @ p\nB write x 4 = 7 @ set\nA read x 4 = 7 @ q\n"),
            Set{});
}

TEST(UseBeforeSet, NullInACrash) {
  auto crashed = std::make_unique<ExecutionResult>();
  crashed->outcome = OutcomeKind::kSignal;
  crashed->thread = 1;
  const std::string null = "A read p 8 = 5 @ check\nB write p 8 = 0 @ reset\nA read p 8 = 0 @ use\n";
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, null, *crashed), Set{"2: reset use"});
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, null), Set{});
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, "A read p 8 = 0 @ use\n", *crashed), Set{"1: use"});
  crashed->thread = 2;
  EXPECT_EQ(found_by(DetectorId::kUseBeforeSet, null, *crashed), Set{});
}

std::string double_checked(const std::string& look) {
  return "A " + look + " @ first\nA lock m\nA read g 8 = 0 @ second\nA write g 8 = 1 @ set\nA unlock m\nB " + look +
         " @ trusts\n";
}

TEST(DoubleChecked, WithoutAcquire) {
  EXPECT_EQ(found_by(DetectorId::kDoubleChecked, double_checked("read g 8")), Set{"0: set trusts"});
  // Somebody who does not look first takes no part.
  EXPECT_EQ(found_by(DetectorId::kDoubleChecked, "A lock m\nA read g 8\nA write g 8\nA unlock m\nB read g 8\n"), Set{});
}

TEST(DoubleChecked, WithAcquireOrLock) {
  EXPECT_EQ(found_by(DetectorId::kDoubleChecked,
                     "A load g 8 acquire @ first\nA lock m\nA load g 8 relaxed\nA store g 8 release @ set\nA unlock m\n"
                     "B load g 8 acquire @ looks\n"),
            Set{});
  EXPECT_EQ(found_by(DetectorId::kDoubleChecked,
                     "A load g 8 relaxed @ first\nA lock m\nA load g 8 relaxed\nA store g 8 release @ set\nA unlock m\n"
                     "B load g 8 relaxed @ trusts\n"),
            Set{"0: set trusts"});
  EXPECT_EQ(found_by(DetectorId::kDoubleChecked,
                     "A read g 8\nA lock m\nA read g 8\nA write g 8 @ set\nA unlock m\nB lock m\nB read g 8\n"),
            Set{});
}

// The look acquires; that the store does not release is another defect.
TEST(DoubleChecked, OnlyTheLookIsJudged) {
  EXPECT_EQ(found_by(DetectorId::kDoubleChecked,
                     "A load g 8 acquire\nA lock m\nA load g 8 relaxed\nA store g 8 relaxed @ set\nA unlock m\n"
                     "B load g 8 acquire @ looks\n"),
            Set{});
}

TEST(DoubleChecked, WhoSetsItMustHaveLookedFirst) {
  EXPECT_EQ(found_by(DetectorId::kDoubleChecked,
                     "B read g 8 = 0\nA lock m\nA read g 8\nA write g 8 @ set\nA unlock m\nB read g 8 @ looks\n"),
            Set{});
}

TEST(Pset, PredecessorsAreOfOtherThreads) {
  EXPECT_EQ(found_by(DetectorId::kPset, "A write x 4 @ a\nB read x 4 @ b\n"), Set{"0: a b"});
  EXPECT_EQ(found_by(DetectorId::kPset, "A write x 4 @ a\nA read x 4 @ b\n"), Set{});
}

TEST(Training, TeachesWhatIsUsual) {
  for (const DetectorId id : {DetectorId::kPset, DetectorId::kAvio}) {
    const auto training = std::make_unique<Training>();
    std::memset(static_cast<void*>(training.get()), 0, sizeof(Training));
    DetectorBench bench(detector_bit(id));
    const std::string usual = kTwo + "A read x 4 @ p\nB write x 4 @ b\nA read x 4 @ q\n";
    const std::string unusual =
        kTwo + "A read x 4 @ p\nB write x 4 @ b\nA read x 4 @ q\nB write x 4 @ b\nA write x 4 @ w\n";
    bench.set_training(training.get(), true);
    EXPECT_TRUE(bench.run(unusual, DetectorBench::no_result()).lines.empty()) << "nothing is told while it learns";
    auto passed = std::make_unique<ExecutionResult>();
    passed->outcome = OutcomeKind::kCompleted;
    bench.run(usual, *passed);
    bench.set_training(training.get(), false);
    EXPECT_TRUE(bench.run(usual).lines.empty());
    EXPECT_FALSE(bench.run(unusual).lines.empty()) << "a failing execution teaches nothing";
  }
}

}  // namespace
}  // namespace ravel
