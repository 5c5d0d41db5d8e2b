// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Detectors of the coverage thesis' survey: RaceTrack, computational units, units of work over an object's members.
#include "detect/units.h"

#include "detect/atomic_sets.h"
#include "detect/racetrack.h"
#include "support/detections.h"

namespace ravel {
namespace {

using testing::Detected;
using testing::DetectorBench;
using Set = std::set<std::string>;

const std::string kTwo = "main create A\nmain create B\n";

template <DetectorId id>
Set run(const std::string& text) {
  static DetectorBench bench(detector_bit(id));
  const Detected found = bench.run(text);
  EXPECT_FALSE(found.truncated);
  return found.lines;
}
constexpr auto racetrack = run<DetectorId::kRaceTrack>;
constexpr auto eraser = run<DetectorId::kEraser>;
constexpr auto units = run<DetectorId::kUnits>;
constexpr auto sets = run<DetectorId::kAtomicSets>;

// Main, A and B one after the other, each with a lock of its own.
const std::string kJoined =
    "main create A\nA lock m\nA write x 4 @ a\nA unlock m\nA end\nmain join A\n"
    "main create B\nB lock n\nB write x 4 @ b\nB unlock n\nB end\nmain join B\nmain write x 4 @ c\n";

TEST(RaceTrack, JoiningOrdersWhatLocksDoNot) {
  EXPECT_EQ(racetrack(kJoined), Set{});
  EXPECT_EQ(eraser(kJoined), Set{"0: b c"});
}

TEST(RaceTrack, AnUnlockedCounter) {
  EXPECT_EQ(racetrack(kTwo + "A read x 4 @ a1\nA write x 4 @ a2\nB read x 4 @ b1\nB write x 4 @ b2\n"),
            (Set{"0: a2 b1", "0: a2 b2"}));
  EXPECT_EQ(racetrack(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB lock m\nB write x 4 @ b\nB unlock m\n"), Set{});
  EXPECT_EQ(racetrack(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB lock n\nB write x 4 @ b\nB unlock n\n"),
            Set{"0: a b"});
  EXPECT_EQ(racetrack(kTwo + "A read x 4 @ a\nB read x 4 @ b\n"), Set{});
}

TEST(RaceTrack, ThreadsThatWereJoinedLeaveTheSet) {
  // After the join main is alone with x: its own lock protects it from then on.
  EXPECT_EQ(racetrack("main create A\nA lock m\nA write x 4 @ a\nA unlock m\nA end\nmain join A\nmain create B\n"
                      "main lock n\nmain write x 4 @ c\nmain unlock n\nB lock n\nB write x 4 @ b\nB unlock n\n"),
            Set{});
}

TEST(RaceTrack, AHandOverByAnAtomicIsItsFalseAlarm) {
  EXPECT_EQ(racetrack(kTwo + "A write x 4 @ a\nA store f 4 release\nB load f 4 acquire\nB read x 4 @ b\n"),
            Set{"0: a b"});
}

TEST(Units, ALostUpdateInTwoCriticalSections) {
  EXPECT_EQ(units(kTwo + "A lock m\nA read x 4 @ a1\nA unlock m\nB lock m\nB read x 4 @ b1\nB unlock m\n"
                         "B lock m\nB write x 4 @ b2\nB unlock m\nA lock m\nA write x 4 @ a2\nA unlock m\n"),
            Set{"0: a1 b2 a2 b1"});
}

TEST(Units, IndependentCountersAreSilent) {
  const std::string x = "A read x 4 @ a1\nA write x 4 @ a2\n";
  const std::string y = "A read y 4 @ a3\nA write y 4 @ a4\n";
  const std::string other = "B read x 4 @ b1\nB write x 4 @ b2\n";
  EXPECT_EQ(units(kTwo + x + other + y), Set{});
  EXPECT_EQ(units(kTwo + x + other + x), Set{});
  EXPECT_EQ(units(kTwo + other + x + y + other), Set{});
}

TEST(Units, AnotherVariableComputedFromWhatChanged) {
  EXPECT_EQ(units(kTwo + "A read x 4 @ a1\nB write x 4 @ b\nA write y 4 @ a2\n"), Set{"0: a1 b a2 b"});
  // Between the two the thread waited: another unit.
  EXPECT_EQ(units(kTwo + "A read x 4 @ a1\nB write x 4 @ b\nA lock m\nA wait c releasing m\nA reacquire c releasing m\n"
                         "A write y 4 @ a2\n"),
            Set{});
}

TEST(Units, WrittenTwiceWithAnotherBetween) {
  EXPECT_EQ(units(kTwo + "A write x 4 @ a1\nB read x 4 @ b\nA write x 4 @ a2\n"), Set{"1: a1 b a2 b"});
  // What it reads of its own ends the unit.
  EXPECT_EQ(units(kTwo + "A write x 4 @ a1\nB read x 4 @ b\nA read x 4 @ a2\nA write x 4 @ a3\n"), Set{});
}

// "R1 w1 W1": accesses of A's region in capitals, of B's in small letters; 1 and 2 are members of one object.
std::string pattern(const std::string& text) {
  std::string out = kTwo + "A region @ ra\nB region @ rb\n";
  unsigned n = 0;
  for (std::size_t i = 0; i + 1 < text.size(); i += 3, ++n) {
    const bool own = text[i] == 'R' || text[i] == 'W';
    const bool read = text[i] == 'R' || text[i] == 'r';
    out += std::string(own ? "A " : "B ") + (read ? "read" : "write") + " o+" + (text[i + 1] == '1' ? "0" : "8") +
           " 4 @ p" + std::to_string(n) + "\n";
  }
  return out + "A region-end\nB region-end\n";
}

TEST(AtomicSets, ElevenWaysAndTheirSerialTwins) {
  const std::pair<const char*, const char*> kPatterns[] = {
      {"R1 w1 W1", "R1 W1 w1"},       {"R1 w1 R1", "R1 R1 w1"},       {"W1 r1 W1", "r1 W1 W1"},
      {"W1 w1 R1", "W1 R1 w1"},       {"W1 w1 W1", "w1 W1 W1"},       {"W1 w1 w2 W2", "W1 W2 w1 w2"},
      {"W1 w2 w1 W2", "w2 w1 W1 W2"}, {"W1 r1 r2 W2", "W1 W2 r1 r2"}, {"W1 r2 r1 W2", "r2 r1 W1 W2"},
      {"R1 w1 w2 R2", "R1 R2 w1 w2"}, {"R1 w2 w1 R2", "w2 w1 R1 R2"},
  };
  for (unsigned i = 0; i < 11; ++i) {
    const Set found = sets(pattern(kPatterns[i].first));
    ASSERT_FALSE(found.empty()) << kPatterns[i].first;
    bool own = false;
    for (const std::string& line : found) own = own || line.compare(0, line.find(':'), std::to_string(i)) == 0;
    EXPECT_TRUE(own) << kPatterns[i].first << " gives " << *found.begin();
    EXPECT_EQ(sets(pattern(kPatterns[i].second)), Set{}) << kPatterns[i].second;
  }
}

TEST(AtomicSets, SerialisableOnesAreSilent) {
  for (const char* text :
       {"R1 r1 R1", "R1 r1 W1", "W1 r1 R1", "R1 r1 r2 R2", "R2 w1 R1 W1", "W1 w1 r2 W2", "R1 w1 r2 R2"}) {
    EXPECT_EQ(sets(pattern(text)), Set{}) << text;
  }
}

TEST(AtomicSets, OtherObjectsAndNoRegion) {
  EXPECT_EQ(sets(kTwo + "A region @ ra\nA write o 4 @ a1\nB write o 4 @ b1\nB write q 4 @ b2\nA write q 4 @ a2\nA "
                        "region-end\n"),
            Set{});
  EXPECT_EQ(sets(kTwo + "A read o 4 @ a1\nB write o 4 @ b\nA write o 4 @ a2\n"), Set{});
  // Who is in no region is a unit of one access.
  EXPECT_EQ(sets(kTwo + "A region @ ra\nA read o 4 @ a1\nB write o 4 @ b\nA write o 4 @ a2\nA region-end\n"),
            Set{"0: ra a1 b a2"});
  EXPECT_EQ(sets(kTwo + "A region @ ra\nA write o 4 @ a1\nB write o 4 @ b1\nB write o+8 4 @ b2\nA write o+8 4 @ a2\nA "
                        "region-end\n"),
            Set{});
}

}  // namespace
}  // namespace ravel
