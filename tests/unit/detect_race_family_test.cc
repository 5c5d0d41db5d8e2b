// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The race detectors against each other. FastTrack, full vectors and GoldiLocks must give the same verdict on every
// trace; what overlaps is a race; Eraser's false alarm is documented here.
#include "detect/eraser.h"
#include "detect/fasttrack.h"
#include "detect/goldilocks.h"
#include "detect/overlap.h"
#include "detect/predicted_races.h"
#include "detect/vector_races.h"
#include "support/detections.h"
#include "support/full_vector.h"
#include "support/random_trace.h"

namespace ravel {
namespace {

using testing::Detected;
using testing::DetectorBench;
using testing::RacyBytes;
using Set = std::set<std::string>;

// First racy event of each byte, from pairs of accesses.
class Bytes final : public DetectionSink, public RaceSink {
 public:
  void on_detection(const DetectionRecord& found) override {
    const Event& a = found.role[0].event;
    const Event& b = found.role[1].event;
    for (std::uint64_t byte = low(b); byte < high(b); ++byte) {
      if (byte >= low(a) && byte < high(a)) add(b.object, static_cast<std::uint32_t>(byte), found.role[1].sequence);
    }
  }
  void on_race(const RaceRecord& race, std::uint32_t cell, std::uint8_t mask) override {
    for (std::uint32_t i = 0; i < 8; ++i) {
      if ((mask >> i & 1) != 0) add(race.second.object, cell + i, race.second_seq);
    }
  }
  RacyBytes bytes;

 private:
  static std::uint64_t low(const Event& e) { return e.kind == OpKind::kHeapFree ? 0 : e.offset; }
  static std::uint64_t high(const Event& e) {
    return e.kind == OpKind::kHeapFree ? 1u << 20 : std::uint64_t{e.offset} + e.size;
  }
  void add(ObjectId object, std::uint32_t byte, std::uint64_t sequence) { bytes.try_emplace({object, byte}, sequence); }
};

class Family {
 public:
  Family()
      : causality_(memory_, options()),
        locks_(memory_, 256),
        vectors_(memory_, Services{causality_, locks_, by_vectors}),
        goldilocks_(memory_, Services{causality_, locks_, by_goldilocks}),
        overlap_(memory_, Services{causality_, locks_, by_overlap}),
        fasttrack_(memory_, causality_, by_fasttrack, FastTrackLimits{1024, 4096, 256}) {}

  void run(const std::vector<Event>& events) {
    for (Bytes* out : {&by_vectors, &by_goldilocks, &by_overlap, &by_fasttrack}) out->bytes.clear();
    causality_.begin();
    locks_.begin();
    vectors_.begin({});
    goldilocks_.begin({});
    overlap_.begin({});
    fasttrack_.begin();
    std::uint64_t sequence = 0;
    for (const Event& e : events) {
      const Moment at{sequence++, causality_.on_event(e), 0};
      locks_.on_event(e, at.sequence);
      fasttrack_.on_event(e, at.sequence, at.epoch);
      vectors_.on_event(e, at);
      goldilocks_.on_event(e, at);
      overlap_.on_event(e, at);
    }
    EXPECT_FALSE(vectors_.truncated() || goldilocks_.truncated() || fasttrack_.truncated());
  }

  Bytes by_vectors, by_goldilocks, by_overlap, by_fasttrack;

 private:
  static CausalityOptions options() {
    CausalityOptions options;
    options.max_threads = 64;
    options.max_clock_nodes = 4096;
    options.max_sync_places = 256;
    return options;
  }
  std::pmr::monotonic_buffer_resource memory_;
  Causality causality_;
  HeldLocks locks_;
  VectorRaces vectors_;
  GoldiLocks goldilocks_;
  Overlap overlap_;
  FastTrack fasttrack_;
};

TEST(RaceFamily, SameVerdictOnTenThousandTraces) {
  Family family;
  unsigned racy = 0;
  unsigned overlapping = 0;
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    const std::vector<Event> events = testing::random_trace(seed, 30);
    const RacyBytes expected = testing::races_by_full_vectors(events);
    family.run(events);
    ASSERT_EQ(family.by_fasttrack.bytes, expected) << "FastTrack, seed " << seed;
    ASSERT_EQ(family.by_vectors.bytes, expected) << "full vectors, seed " << seed;
    ASSERT_EQ(family.by_goldilocks.bytes, expected) << "GoldiLocks, seed " << seed;
    for (const auto& [byte, at] : family.by_overlap.bytes) {
      ASSERT_EQ(expected.count(byte), 1u) << "overlap, seed " << seed << ", byte " << byte.second << " at " << at;
    }
    racy += !expected.empty();
    overlapping += !family.by_overlap.bytes.empty();
  }
  EXPECT_GT(racy, 1'000u);
  EXPECT_LT(racy, 9'500u);
  EXPECT_GT(overlapping, 500u);
}

std::set<std::string> found_by(DetectorId id, const std::string& text) {
  DetectorBench bench(detector_bit(id));
  return bench.run(text).lines;
}

const std::string kTwo = "main create A\nmain create B\n";

TEST(Eraser, UnlockedCounterIsReported) {
  const std::string text = kTwo + "A read x 4 @ r\nA write x 4 @ w\nB read x 4 @ r\nB write x 4 @ w\nA write x 4 @ w\n";
  EXPECT_EQ(found_by(DetectorId::kEraser, text), Set{"0: w w"});
}

TEST(Eraser, HandOverToOneWorkerIsNot) {
  EXPECT_EQ(found_by(DetectorId::kEraser, "main write x 4 @ i\nmain create A\nA read x 4 @ a\nA write x 4 @ b\n"),
            Set{});
}

TEST(Eraser, LockedCounterIsNot) {
  std::string text = kTwo;
  for (const char* thread : {"A", "B", "A", "B"}) {
    const std::string t = thread;
    text += t + " lock m\n" + t + " write x 4 @ w\n" + t + " unlock m\n";
  }
  EXPECT_EQ(found_by(DetectorId::kEraser, text), Set{});
}

TEST(Eraser, ReadersOfAReaderWriterLock) {
  const std::string writes = "A wrlock r\nA write x 4 @ w\nA rwunlock r\nB wrlock r\nB write x 4 @ w\nB rwunlock r\n";
  const std::string read = "A rdlock r\nA read x 4 @ r\nA rwunlock r\n";
  EXPECT_EQ(found_by(DetectorId::kEraser, kTwo + writes + read), Set{});
  EXPECT_EQ(found_by(DetectorId::kEraser, kTwo + writes + "A rdlock r\nA write x 4 @ bad\nA rwunlock r\n"),
            Set{"0: w bad"});
}

// Known false alarm: joins order the three threads, but no lock is held by all.
TEST(Eraser, WarnsWhereJoinsProtect) {
  const std::string text =
      "main create A\nA write x 4 @ a\nA end\nmain join A\nmain create B\nB write x 4 @ b\nB end\nmain join B\n"
      "main write x 4 @ m\n";
  EXPECT_EQ(found_by(DetectorId::kEraser, text), Set{"0: b m"});
  EXPECT_EQ(found_by(DetectorId::kGoldiLocks, text), Set{});
  EXPECT_EQ(found_by(DetectorId::kVectorClock, text), Set{});
}

// Walks one variable through all states.
TEST(Eraser, States) {
  std::pmr::monotonic_buffer_resource memory;
  Causality causality(memory, CausalityOptions{64, 1024, 64});
  HeldLocks locks(memory, 64);
  Bytes sink;
  Eraser eraser(memory, Services{causality, locks, sink});
  eraser.begin({});
  const auto touch = [&](ThreadIndex thread, OpKind kind) {
    Event e;
    e.kind = kind;
    e.thread = thread;
    e.object = 1;
    e.size = 4;
    eraser.on_event(e, Moment{});
    return eraser.state_of(place_of(e));
  };
  EXPECT_EQ(eraser.state_of(std::uint64_t{1} << 32), Eraser::State::kVirgin);
  EXPECT_EQ(touch(1, OpKind::kWrite), Eraser::State::kExclusive);
  EXPECT_EQ(touch(2, OpKind::kRead), Eraser::State::kHandedOver);
  EXPECT_EQ(touch(3, OpKind::kRead), Eraser::State::kShared);
  EXPECT_EQ(touch(3, OpKind::kWrite), Eraser::State::kRace);
}

// How GoldiLocks came to its answer: one trace for each state.
class States : public ::testing::Test {
 protected:
  std::uint64_t count(const std::string& text, GoldiLocks::State state) {
    const auto trace = parse_trace(text);
    EXPECT_TRUE(trace.has_value());
    std::pmr::monotonic_buffer_resource memory;
    Causality causality(memory, CausalityOptions{64, 1024, 64});
    HeldLocks locks(memory, 64);
    GoldiLocks goldilocks(memory, Services{causality, locks, sink_});
    goldilocks.begin({});
    std::uint64_t sequence = 0;
    for (const Event& e : trace->events) {
      const Moment at{sequence++, causality.on_event(e), 0};
      locks.on_event(e, at.sequence);
      goldilocks.on_event(e, at);
    }
    return goldilocks.count(state);
  }
  Bytes sink_;
};

TEST_F(States, SameThread) {
  EXPECT_EQ(count("main write x 4\nmain read x 4\n", GoldiLocks::State::kSameThread), 2u);
}
TEST_F(States, SameLock) {
  EXPECT_EQ(count(kTwo + "A lock m\nA write x 4\nA unlock m\nB lock m\nB write x 4\n", GoldiLocks::State::kSameLock),
            1u);
}
TEST_F(States, Lockset) {
  // Through a third thread and two different locks: the variable changes hands.
  EXPECT_EQ(
      count(kTwo + "main create C\nA lock m\nA write x 4\nA unlock m\nC lock m\nC unlock m\nC lock n\nC unlock n\n"
                   "B lock n\nB write x 4\n",
            GoldiLocks::State::kLockset),
      1u);
  EXPECT_TRUE(sink_.bytes.empty());
}
TEST_F(States, RaceAndGoesOn) {
  EXPECT_EQ(count(kTwo + "A write x 4\nB write x 4\nA write x 4\n", GoldiLocks::State::kRace), 2u);
}

TEST(Overlap, OnlyWhileNeitherHasSynchronised) {
  EXPECT_EQ(found_by(DetectorId::kOverlap, kTwo + "A write x 4 @ a\nB write x 4 @ b\n"), Set{"0: a b"});
  EXPECT_EQ(found_by(DetectorId::kOverlap, kTwo + "A write x 4 @ a\nA lock m\nA unlock m\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(found_by(DetectorId::kOverlap, kTwo + "A write x 4 @ a\nB lock m\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(found_by(DetectorId::kOverlap, kTwo + "B lock m\nA write x 4 @ a\nB write x 4 @ b\n"), Set{"0: a b"});
}

TEST(PredictedRaces, WhatOnlyTheOrderOfLocksHides) {
  // A's access is before its section, B's after: ordered by chance.
  const std::string hidden = kTwo + "A write x 4 @ a\nA lock m\nA unlock m\nB lock m\nB unlock m\nB write x 4 @ b\n";
  EXPECT_EQ(found_by(DetectorId::kGoldiLocks, hidden), Set{});
  EXPECT_EQ(found_by(DetectorId::kPredictedRace, hidden), Set{"0: a b"});
}

TEST(PredictedRaces, WhatCannotHappen) {
  EXPECT_EQ(found_by(DetectorId::kPredictedRace,
                     kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB lock m\nB write x 4 @ b\nB unlock m\n"),
            Set{});
  EXPECT_EQ(
      found_by(DetectorId::kPredictedRace, "main create A\nA write x 4 @ a\nA end\nmain join A\nmain write x 4 @ m\n"),
      Set{});
  EXPECT_EQ(
      found_by(DetectorId::kPredictedRace, kTwo + "A write x 4 @ a\nA sem-post s\nB sem-wait s\nB write x 4 @ b\n"),
      Set{});
}

}  // namespace
}  // namespace ravel
