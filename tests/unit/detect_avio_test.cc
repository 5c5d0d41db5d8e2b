// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// AVIO: the four triples that no serial order explains, the four that one does, and what is left out.
#include "detect/avio.h"

#include "support/detections.h"

namespace ravel {
namespace {

using testing::DetectorBench;
using Set = std::set<std::string>;

Set avio(const std::string& accesses) {
  static DetectorBench bench(detector_bit(DetectorId::kAvio));
  return bench.run("main create A\nmain create B\nmain create C\n" + accesses).lines;
}

// A does the first and the last of `triple`, B the middle one, each under the same lock.
std::string locked(const std::string& triple) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string thread = i == 1 ? "B" : "A";
    text += thread + " lock m\n" + thread + (triple[i] == 'r' ? " read" : " write") + " x 4 @ p" + std::to_string(i) +
            "\n" + thread + " unlock m\n";
  }
  return text;
}

TEST(Avio, TheFourUnserialisableTriples) {
  EXPECT_EQ(avio(locked("rwr")), Set{"0: p0 p1 p2"});
  EXPECT_EQ(avio(locked("wwr")), Set{"1: p0 p1 p2"});
  EXPECT_EQ(avio(locked("wrw")), Set{"2: p0 p1 p2"});
  EXPECT_EQ(avio(locked("rww")), Set{"3: p0 p1 p2"});
}

TEST(Avio, TheFourSerialisableTriples) {
  for (const char* triple : {"rrr", "rrw", "wrr", "www"}) EXPECT_EQ(avio(locked(triple)), Set{}) << triple;
}

TEST(Avio, OnlyWhatIsInBetween) {
  EXPECT_EQ(avio("B write x 4 @ b\nA read x 4 @ p\nA read x 4 @ q\n"), Set{});
  EXPECT_EQ(avio("A read x 4 @ p\nA read x 4 @ q\nB write x 4 @ b\n"), Set{});
  // A third read closes a pair with the second only.
  EXPECT_EQ(avio("A read x 4 @ p\nA read x 4 @ q\nB write x 4 @ b\nA read x 4 @ r\n"), Set{"0: q b r"});
}

TEST(Avio, TheLastForeignAccessIsNamed) {
  EXPECT_EQ(avio("A read x 4 @ p\nB write x 4 @ b\nC write x 4 @ c\nA read x 4 @ q\n"), Set{"0: p c q"});
  // Its own write does not hide the other thread's.
  EXPECT_EQ(avio("A write x 4 @ p\nB write x 4 @ b\nA write x 4 @ q\nA read x 4 @ r\n"), Set{});
  EXPECT_EQ(avio("B write x 4 @ b\nA read x 4 @ p\nB write x 4 @ c\nA write x 4 @ q\n"), (Set{"2: b p c", "3: p c q"}));
}

TEST(Avio, OtherMemoryDoesNotCount) {
  EXPECT_EQ(avio("A read x 4 @ p\nB write y 4 @ b\nA read x 4 @ q\n"), Set{});
  EXPECT_EQ(avio("A read x 4 @ p\nB write x+4 4 @ b\nA read x 4 @ q\n"), Set{});
  EXPECT_EQ(avio("A read x 4 @ p\nB write x+2 4 @ b\nA read x 4 @ q\n"), Set{"0: p b q"});
  EXPECT_EQ(avio("A read x 16 @ p\nB write x+12 4 @ b\nA read x 16 @ q\n"), Set{"0: p b q"});
}

TEST(Avio, WhoWaitedExpectsChanges) {
  EXPECT_EQ(avio("A lock m\nA read x 4 @ p\nA wait c releasing m\nB lock m\nB write x 4 @ b\nB signal c wakes A\n"
                 "B unlock m\nA reacquire c releasing m\nA read x 4 @ q\n"),
            Set{});
}

TEST(Avio, SameTripleSameKey) {
  DetectorBench bench(detector_bit(DetectorId::kAvio));
  const std::string start = "main create A\nmain create B\n";
  const auto first = bench.run(start + "A read x 4 @ p\nB write x 4 @ b\nA read x 4 @ q\n");
  const auto again = bench.run(start + "A read y 4 @ p\nB write y 4 @ b\nA read y 4 @ q\n");
  const auto other = bench.run(start + "A read x 4 @ p\nB write x 4 @ b\nA write x 4 @ q\n");
  ASSERT_EQ(first.records.size(), 1u);
  ASSERT_EQ(again.records.size(), 1u);
  ASSERT_EQ(other.records.size(), 1u);
  EXPECT_EQ(first.records[0].key, again.records[0].key);
  EXPECT_NE(first.records[0].key, other.records[0].key);
  EXPECT_EQ(first.records[0].kind, OutcomeKind::kAtomicityViolation);
}

}  // namespace
}  // namespace ravel
