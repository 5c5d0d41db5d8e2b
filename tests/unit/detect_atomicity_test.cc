// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomicity over several variables and regions, and mistakes with atomics; each trace with its counterpart.
#include "support/detections.h"

namespace ravel {
namespace {

using testing::DetectorBench;
using Set = std::set<std::string>;

Set found_by(DetectorId id, const std::string& text) {
  DetectorBench bench(detector_bit(id));
  return bench.run("main create A\nmain create B\nmain create C\n" + text).lines;
}

// `thread` does `accesses` ("write x 4;write y 4") in one section of m that begins at `place`.
std::string section(const std::string& thread, const std::string& accesses, const std::string& place) {
  std::string text = thread + " lock m @ " + place + "\n";
  std::size_t at = 0;
  while (at < accesses.size()) {
    const std::size_t end = std::min(accesses.find(';', at), accesses.size());
    text += thread + " " + accesses.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text + thread + " unlock m\n";
}

TEST(Views, APairInTwoSections) {
  EXPECT_EQ(found_by(DetectorId::kViews, section("A", "write x 4", "a") + section("A", "write y 4", "b") +
                                             section("B", "read x 4;read y 4", "both")),
            Set{"0: both a b"});
}

TEST(Views, ChainsAreFine) {
  EXPECT_EQ(found_by(DetectorId::kViews, section("A", "write x 4;write y 4", "a") + section("A", "write y 4", "b") +
                                             section("B", "read x 4;read y 4", "both")),
            Set{});
  EXPECT_EQ(found_by(DetectorId::kViews, section("A", "write x 4", "a") + section("A", "write z 4", "b") +
                                             section("B", "read x 4;read y 4", "both")),
            Set{});
  // Nobody writes.
  EXPECT_EQ(found_by(DetectorId::kViews, section("A", "read x 4", "a") + section("A", "read y 4", "b") +
                                             section("B", "read x 4;read y 4", "both")),
            Set{});
}

TEST(Serialisable, SomethingComesInBetween) {
  EXPECT_EQ(found_by(DetectorId::kSerialisable,
                     "A region @ in\nA read x 4 @ r\nB write x 4 @ b\nA write x 4 @ w\nA region-end\n"),
            Set{"0: in b w"});
  // Race-free, in two sections.
  EXPECT_EQ(
      found_by(
          DetectorId::kSerialisable,
          "A region @ in\nA lock m\nA read x 4\nA unlock m\nB lock m\nB write x 4\nB unlock m @ b\nA lock m @ again\n"
          "A write x 4 @ w\nA unlock m\nA region-end\n"),
      Set{"0: in b again"});
}

TEST(Serialisable, WhatCanBeMovedOutIsFine) {
  EXPECT_EQ(found_by(DetectorId::kSerialisable,
                     "A region @ in\nA read x 4 @ r\nB write y 4 @ b\nA write x 4 @ w\nA region-end\n"),
            Set{});
  EXPECT_EQ(found_by(DetectorId::kSerialisable,
                     "A region @ in\nA read x 4 @ r\nB read x 4 @ b\nA write x 4 @ w\nA region-end\n"),
            Set{});
  EXPECT_EQ(found_by(DetectorId::kSerialisable, "A read x 4 @ r\nB write x 4 @ b\nA write x 4 @ w\n"), Set{});
  EXPECT_EQ(
      found_by(DetectorId::kSerialisable,
               "A region @ in\nA read x 4\nA region-end\nB write x 4\nA region @ in\nA write x 4\nA region-end\n"),
      Set{});
}

TEST(Serialisable, ThroughAThirdThread) {
  EXPECT_EQ(
      found_by(DetectorId::kSerialisable,
               "A region @ in\nA write x 4\nB read x 4\nB write y 4\nC read y 4\nC write z 4 @ c\nA read z 4 @ a\n"
               "A region-end\n"),
      Set{"0: in c a"});
}

TEST(Serialisable, TwoRegions) {
  EXPECT_EQ(
      found_by(
          DetectorId::kSerialisable,
          "A region @ ina\nB region @ inb\nA write x 4\nB read x 4\nB write y 4 @ b\nA read y 4 @ a\nA region-end\n"
          "B region-end\n")
          .count("0: ina b a"),
      1u);
}

// What A learns late in its region holds for what it wrote early: C's read of x comes after all of it.
TEST(Serialisable, ARegionCountsAsAWhole) {
  const std::string early = "A region @ ina\nC region @ inc\nA write x 4 @ aw\n";
  EXPECT_EQ(found_by(DetectorId::kSerialisable,
                     early + "C write y 4 @ cw\nA read y 4 @ ar\nA region-end\nC read x 4 @ cr\nC region-end\n"),
            Set{"0: inc aw cr"});
  EXPECT_EQ(found_by(DetectorId::kSerialisable,
                     early + "C write y 4 @ cw\nA read z 4 @ ar\nA region-end\nC read x 4 @ cr\nC region-end\n"),
            Set{});
}

TEST(Serialisable, WhatCameBeforeTheRegionIsNoPartOfIt) {
  EXPECT_EQ(found_by(DetectorId::kSerialisable,
                     "C region\nC region-end\nA write x 4\nB read x 4\nB write y 4\nA region @ in\nA read y 4\n"
                     "A region-end\n"),
            Set{});
}

TEST(Reduction, OtherSynchronisationTakesNoLock) {
  EXPECT_EQ(
      found_by(DetectorId::kReduction, "A region @ in\nA lock m\nA unlock m\nA signal c wakes none\nA region-end\n"),
      Set{});
}

TEST(Reduction, LockAfterUnlock) {
  EXPECT_EQ(found_by(DetectorId::kReduction,
                     "A region @ in\nA lock m\nA unlock m @ out\nA lock m @ again\nA unlock m\nA region-end\n"),
            Set{"0: in out again"});
  EXPECT_EQ(found_by(DetectorId::kReduction,
                     "A region @ in\nA lock m\nA lock n\nA write x 4\nA unlock n\nA unlock m\nA region-end\n"),
            Set{});
  EXPECT_EQ(found_by(DetectorId::kReduction, "A lock m\nA unlock m\nA lock m\nA unlock m\n"), Set{});
  EXPECT_EQ(found_by(DetectorId::kReduction, "A region @ in\nA load f 4 @ f\nA store f 4 @ g\nA region-end\n"),
            Set{"1: in f g"});
}

TEST(AtomicUpdate, LoadThenStore) {
  EXPECT_EQ(found_by(DetectorId::kAtomicUpdate, "A load x 4 @ l\nB rmw x 4 @ b\nA store x 4 @ s\n"), Set{"0: l b s"});
  EXPECT_EQ(found_by(DetectorId::kAtomicUpdate, "A load x 4 @ l\nA store x 4 @ s\nB rmw x 4 @ b\n"), Set{});
  EXPECT_EQ(found_by(DetectorId::kAtomicUpdate, "A load x 4 @ l\nB load x 4 @ b\nA store x 4 @ s\n"), Set{});
  EXPECT_EQ(found_by(DetectorId::kAtomicUpdate, "A load x 4 @ l\nB rmw x 4 @ b\nA cas x 4 @ s\n"), Set{});
}

TEST(Aba, ThereAndBack) {
  const std::string there_and_back = "B store x 8 = 2 @ b\nB store x 8 = 1 @ back\n";
  EXPECT_EQ(found_by(DetectorId::kAba, "A load x 8 = 1 @ l\n" + there_and_back + "A cas x 8 = 1 @ c\n"),
            Set{"0: l b back c"});
  EXPECT_EQ(found_by(DetectorId::kAba, "A load x 8 = 1 @ l\n" + there_and_back + "A cas x 8 failed = 1 @ c\n"), Set{});
  EXPECT_EQ(found_by(DetectorId::kAba, there_and_back + "A load x 8 = 1 @ l\nA cas x 8 = 1 @ c\n"), Set{});
  // Tagged: the value is another one.
  EXPECT_EQ(found_by(DetectorId::kAba, "A load x 8 = 1 @ l\nB store x 8 = 2\nB store x 8 = 3\nA cas x 8 = 3 @ c\n"),
            Set{});
}

}  // namespace
}  // namespace ravel
