// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One hand-written trace for each rule of happens-before, with its counterpart where the rule does not hold.
#include <gtest/gtest.h>

#include <memory_resource>
#include <set>
#include <string>

#include "causality/causality.h"
#include "detect/detector_table.h"
#include "detect/fasttrack.h"
#include "detect/race_table.h"
#include "detect/shared_locations.h"
#include "model/text/trace_text.h"

namespace ravel {
namespace {

class Locations final : public LocationSink {
 public:
  explicit Locations(const Trace& trace) : trace_(trace) {}
  void on_location(LocationId location) override { names.insert(trace_.locations[location - kNamedLocation]); }
  std::set<std::string> names;

 private:
  const Trace& trace_;
};

// Events without a location get their line's number as one.
Trace read(const std::string& text) {
  auto parsed = parse_trace(text);
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().text());
  return parsed ? *parsed : empty_trace();
}

// "a-b" for each race between locations a and b, the earlier first.
std::set<std::string> races(const std::string& text, bool* truncated = nullptr,
                            FastTrackLimits limits = {256, 1024, 256}) {
  const Trace trace = read(text);
  RaceRecord table[kMaxRaces];
  Locations locations(trace);
  RaceTable found(table, kMaxRaces, locations);
  CausalityOptions options;
  options.max_threads = 256;
  options.max_clock_nodes = 4096;
  options.max_sync_places = 256;
  Causality causality(*std::pmr::new_delete_resource(), options);
  FastTrack fasttrack(*std::pmr::new_delete_resource(), causality, found, limits);
  fasttrack.begin();
  std::uint64_t sequence = 0;
  for (const Event& e : trace.events) {
    const Epoch epoch = causality.on_event(e);
    fasttrack.on_event(e, sequence++, epoch);
  }
  if (truncated != nullptr) *truncated = fasttrack.truncated();
  std::set<std::string> result;
  const auto name = [&](const Event& e) {
    return e.location == 0 ? std::string("?") : trace.locations[e.location - kNamedLocation];
  };
  for (std::uint32_t i = 0; i < found.count(); ++i) result.insert(name(table[i].first) + "-" + name(table[i].second));
  return result;
}

using Set = std::set<std::string>;
const std::string kTwo = "main create A\nmain create B\n";

TEST(Rules, UnorderedWritesRace) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A read x 4 @ a\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nB read x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A read x 4 @ a\nB read x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA read x 4 @ b\n"), Set{});
}

TEST(Rules, PairsAreReportedOnce) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nB write x 4 @ b\nA write x 4 @ a\nB write x 4 @ b\n"), Set{"a-b"});
}

TEST(Rules, CreationAndJoining) {
  EXPECT_EQ(races("main write x 4 @ m\nmain create A\nA write x 4 @ a\nA end\nmain join A\nmain write x 4 @ n\n"),
            Set{});
  EXPECT_EQ(races("main create A\nmain write x 4 @ m\nA write x 4 @ a\n"), Set{"m-a"});
  EXPECT_EQ(races("main create A\nA write x 4 @ a\nA end\nmain write x 4 @ m\n"), Set{"a-m"});
  EXPECT_EQ(races("main create A\nA write x 4 @ a\nA end\nmain join A failed\nmain write x 4 @ m\n"), Set{"a-m"});
}

TEST(Rules, SlotsOfEndedThreadsAreNotConfused) {
  // B comes after A was joined and may take its slot; C is created by a thread that does not know of A's end.
  EXPECT_EQ(races("main create A\nA write x 4 @ a\nA end\nmain join A\nmain create B\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races("main create M\nmain create A\nA write x 4 @ a\nA end\nM create C\nC write x 4 @ c\n"), Set{"a-c"});
  EXPECT_EQ(races("main create M\nmain create A\nA write x 4 @ a\nA end\nmain join A\nM create C\nC write x 4 @ c\n"),
            Set{"a-c"});
}

TEST(Rules, Mutex) {
  EXPECT_EQ(races(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB lock m\nB write x 4 @ b\nB unlock m\n"), Set{});
  EXPECT_EQ(races(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB lock n\nB write x 4 @ b\nB unlock n\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A lock m\nA unlock m\nA write x 4 @ a\nB lock m\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB trylock m\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB trylock m failed\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB mutex-init m\nB lock m\nB write x 4 @ b\n"),
            Set{"a-b"});
}

TEST(Rules, ConditionOrdersOnlyByItsMutex) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA signal c\nB reacquire c\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "B lock m\nB wait c releasing m\nA lock m\nA write x 4 @ a\nA signal c wakes B\nA unlock m\n"
                         "B reacquire c releasing m\nB write x 4 @ b\n"),
            Set{});
  EXPECT_EQ(races(kTwo + "B lock m\nB wait c releasing m\nA lock m\nA signal c wakes B\nA unlock m\nA write x 4 @ a\n"
                         "B reacquire c releasing m\nB write x 4 @ b\n"),
            Set{"a-b"});
  EXPECT_EQ(races(kTwo + "B lock m\nB write x 4 @ b\nB wait c releasing m\nA lock m\nA write x 4 @ a\n"), Set{});
}

TEST(Rules, ReadersAndWriters) {
  EXPECT_EQ(races(kTwo + "A wrlock r\nA write x 4 @ a\nA rwunlock r\nB rdlock r\nB read x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A rdlock r\nA read x 4 @ a\nA rwunlock r\nB wrlock r\nB write x 4 @ b\n"), Set{});
  // Readers do not order each other.
  EXPECT_EQ(races(kTwo + "A rdlock r\nA write x 4 @ a\nA rwunlock r\nB rdlock r\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A rdlock r\nA write x 4 @ a\nA rwunlock r\nB trywrlock r failed\nB write x 4 @ b\n"),
            Set{"a-b"});
}

TEST(Rules, Semaphore) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA sem-post s\nB sem-wait s\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A sem-post s\nA write x 4 @ a\nB sem-wait s\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA sem-wait s\nB sem-wait s\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA sem-post s\nB sem-trywait s failed\nB write x 4 @ b\n"), Set{"a-b"});
}

TEST(Rules, Descriptors) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA io-write p release\nB io-read p acquire\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A io-write p release\nA write x 4 @ a\nB io-read p acquire\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA io-write p release\nB io-read q acquire\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA io-write p release\nB io-read p acquire failed\nB write x 4 @ b\n"),
            Set{"a-b"});
  // A file does not order, a close does; poll learns from all channels.
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA io-write p relaxed\nB io-read p relaxed\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA io-close p release\nB io-wait\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A io-close p release\nA write x 4 @ a\nB io-wait\nB write x 4 @ b\n"), Set{"a-b"});
}

TEST(Rules, SignalsAndCancellation) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA kill s = 2\nB handle s\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A kill s = 2\nA write x 4 @ a\nB handle s\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA kill s = 2\nB sigwait s\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA kill s = 2\nB sigwait s failed\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA cancel s = 2\nB cancelled s\nB write x 4 @ b\n"), Set{});
}

TEST(Rules, Barrier) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA arrive b = 1\nB arrive b\nB leave b\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A arrive b = 1\nB arrive b\nA leave b\nA write x 4 @ a\nB leave b\nB write x 4 @ b\n"),
            Set{"a-b"});
  // A late leaver of the first round does not learn from the second.
  EXPECT_EQ(
      races(kTwo + "main create C\nA arrive b = 1\nB arrive b\nA leave b\nA write x 4 @ a\nA arrive b = 1\nC arrive b\n"
                   "B leave b\nB write x 4 @ b\n"),
      Set{"a-b"});
}

TEST(Rules, Once) {
  EXPECT_EQ(races(kTwo + "A once-begin o = 1\nA write x 4 @ a\nA once-end o\nB once-begin o\nB write x 4 @ b\n"),
            Set{});
  EXPECT_EQ(races(kTwo + "A once-begin o = 1\nA write x 4 @ a\nA once-abort o\nB once-begin o = 1\nB write x 4 @ b\n"),
            Set{});
  EXPECT_EQ(races(kTwo + "A once-begin o = 1\nA once-end o\nA write x 4 @ a\nB once-begin o\nB write x 4 @ b\n"),
            Set{"a-b"});
  // The fast path of a function-local static reads the guard by an atomic.
  EXPECT_EQ(races(kTwo + "A once-begin o = 1\nA write x 4 @ a\nA once-end o\nB load o 1 acquire\nB write x 4 @ b\n"),
            Set{});
}

TEST(Rules, FutexOrdersNothing) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA futex-wake f = 1\nB futex-resume f\nB write x 4 @ b\n"), Set{"a-b"});
}

TEST(Rules, ReleaseAndAcquire) {
  for (const char* release : {"release", "seq_cst"}) {
    for (const char* acquire : {"acquire", "consume", "seq_cst"}) {
      EXPECT_EQ(
          races(kTwo + "A write x 4 @ a\nA store f 4 " + release + "\nB load f 4 " + acquire + "\nB write x 4 @ b\n"),
          Set{});
    }
  }
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA store f 4 relaxed\nB load f 4 acquire\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA store f 4 release\nB load f 4 relaxed\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA store f 4\nB load g 4\nB write x 4 @ b\n"), Set{"a-b"});
  // Read before the release.
  EXPECT_EQ(races(kTwo + "B load f 4\nA write x 4 @ a\nA store f 4\nB write x 4 @ b\n"), Set{"a-b"});
}

TEST(Rules, FailedCasReads) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA store f 4\nB cas f 4 acquire failed\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA cas f 4 acq_rel failed\nB load f 4\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nA cas f 4 acq_rel\nB load f 4\nB write x 4 @ b\n"), Set{});
}

TEST(Rules, ReleaseSequences) {
  const std::string head = kTwo + "main create C\nA write x 4 @ a\nA store f 4 release\n";
  EXPECT_EQ(races(head + "C rmw f 4 relaxed\nB load f 4 acquire\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(head + "C store f 4 relaxed\nB load f 4 acquire\nB write x 4 @ b\n"), Set{"a-b"});
  // Since C++20 not even a relaxed store of the same thread continues it.
  EXPECT_EQ(races(head + "A store f 4 relaxed\nB load f 4 acquire\nB write x 4 @ b\n"), Set{"a-b"});
  // A release in the middle heads another one; both are read from.
  EXPECT_EQ(races(head + "C rmw f 4 release\nB load f 4 acquire\nB write x 4 @ b\n"), Set{});
}

TEST(Rules, Fences) {
  const std::string write = kTwo + "A write x 4 @ a\n";
  EXPECT_EQ(races(write + "A fence release\nA store f 4 relaxed\nB load f 4 acquire\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(races(write + "A store f 4 release\nB load f 4 relaxed\nB fence acquire\nB write x 4 @ b\n"), Set{});
  EXPECT_EQ(
      races(write + "A fence seq_cst\nA store f 4 relaxed\nB load f 4 relaxed\nB fence seq_cst\nB write x 4 @ b\n"),
      Set{});
  EXPECT_EQ(races(write + "A store f 4 relaxed\nA fence release\nB load f 4 acquire\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(write + "A store f 4 release\nB fence acquire\nB load f 4 relaxed\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(write + "A fence acquire\nA store f 4 relaxed\nB load f 4 acquire\nB write x 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(
      races(kTwo + "A fence release\nA write x 4 @ a\nA store f 4 relaxed\nB load f 4 acquire\nB write x 4 @ b\n"),
      Set{"a-b"});
}

TEST(Rules, AtomicsRaceWithPlainAccessesOnly) {
  EXPECT_EQ(races(kTwo + "A store f 4 relaxed @ a\nB store f 4 relaxed @ b\nA load f 4 relaxed @ c\n"), Set{});
  EXPECT_EQ(races(kTwo + "A store f 4 relaxed @ a\nB read f 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A read f 4 @ a\nB store f 4 relaxed @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A load f 4 relaxed @ a\nB write f 4 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A load f 4 relaxed @ a\nB read f 4 @ b\n"), Set{});
  // Each of several unordered atomic writers races with the plain one.
  EXPECT_EQ(races("main create C\n" + kTwo + "A store f 4 relaxed @ a\nB store f 4 relaxed @ b\nC write f 4 @ c\n"),
            (Set{"a-c", "b-c"}));
}

TEST(Rules, PlainWriteEndsTheAtomicsLife) {
  // The memory of an old atomic: what was released through it orders nothing for users of the new one.
  EXPECT_EQ(
      races(kTwo + "A write x 4 @ a\nA store f 4 release\nA write f 4 @ i\nB load f 4 acquire @ l\nB write x 4 @ b\n"),
      (Set{"a-b", "i-l"}));
}

TEST(Rules, BytesAndCells) {
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nB write x+4 4 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nB write x+3 1 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x+6 4 @ a\nB write x+8 1 @ b\n"), Set{"a-b"});  // over a cell's edge
  EXPECT_EQ(races(kTwo + "A write x+6 2 @ a\nB write x+8 8 @ b\n"), Set{});
  EXPECT_EQ(races(kTwo + "A write x 16 @ a\nB read x+15 1 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 8 @ a\nA write x 1 @ c\nB read x+7 1 @ b\n"), Set{"a-b"});
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nB write y 4 @ b\n"), Set{});
}

TEST(Rules, FreeIsAWriteToTheWholeObject) {
  EXPECT_EQ(races(kTwo + "A alloc h = 64\nB read h+40 4 @ b\nA free h = 64 @ f\n"), Set{"b-f"});
  EXPECT_EQ(races(kTwo + "A alloc h = 64\nA free h = 64 @ f\nB read h+40 4 @ b\n"), Set{"f-b"});
  EXPECT_EQ(races(kTwo + "A alloc h = 64\nA write h 4 @ a\nA free h = 64 @ f\nA read h 4 @ c\n"), Set{});
  EXPECT_EQ(races(kTwo + "B write h 4 @ b\nB sem-post s\nA sem-wait s\nA free h = 64 @ f\n"), Set{});
  // Another part of the block was looked at in between.
  EXPECT_EQ(races(kTwo + "A alloc h = 256\nA write h+64 4 @ a\nA write h+128 4 @ c\nA free h = 256 @ f\n"
                         "B read h+64 4 @ b\n"),
            Set{"f-b"});
}

TEST(Limits, FullTablesAreSaid) {
  bool truncated = false;
  EXPECT_EQ(races(kTwo + "A write x 4 @ a\nB write x 4 @ b\n", &truncated), Set{"a-b"});
  EXPECT_FALSE(truncated);
  races(kTwo + "A write x 4\nA write x+64 4\nA write x+128 4\nB write x+128 4\n", &truncated, {2, 16, 16});
  EXPECT_TRUE(truncated);
  // Reads are kept beside the writes before them.
  races(kTwo + "A write x 4\nA write x+8 4\nA read x 4\nA read x+8 4\n", &truncated, {16, 1, 16});
  EXPECT_TRUE(truncated);
  races(kTwo + "A write x 4\nA write x+8 4\nA read x 4\nA read x+8 4\n", &truncated, {16, 2, 16});
  EXPECT_FALSE(truncated);
  races(kTwo + "A write a 4\nA write b 4\nA write c 4\n", &truncated, {16, 16, 3});
  EXPECT_TRUE(truncated);
  races(kTwo + "A write ?+4 4\n", &truncated);  // memory without a name
  EXPECT_TRUE(truncated);
}

Set shared(const std::string& text) {
  const Trace trace = read(text);
  Locations locations(trace);
  SharedLocations observer(*std::pmr::new_delete_resource(), locations, 256, 1024);
  observer.begin();
  for (const Event& e : trace.events) observer.on_event(e);
  EXPECT_FALSE(observer.truncated());
  return locations.names;
}

TEST(Shared, LocksMakeNoDifference) {
  EXPECT_EQ(shared(kTwo + "A lock m\nA write x 4 @ a\nA unlock m\nB lock m\nB read x 4 @ b\n"), (Set{"a", "b"}));
}
TEST(Shared, OneOfThemWrites) {
  EXPECT_EQ(shared(kTwo + "A read x 4 @ a\nB read x 4 @ b\n"), Set{});
  EXPECT_EQ(shared(kTwo + "A read x 4 @ a\nB read x 4 @ b\nB write x 4 @ c\n"), (Set{"a", "c"}));
}
TEST(Shared, AllLocationsOfTheMemoryCount) {
  EXPECT_EQ(shared(kTwo + "A write x 4 @ a\nA write x 4 @ c\nB read x 4 @ b\n"), (Set{"a", "b", "c"}));
}
TEST(Shared, OnlyWhileBothAreAlive) {
  EXPECT_EQ(shared("main write x 4 @ m\nmain create A\nA write x 4 @ a\nA end\nmain join A\nmain read x 4 @ n\n"),
            Set{});
  EXPECT_EQ(shared("main create A\nA write x 4 @ a\nA end\nmain read x 4 @ n\nmain join A\n"), (Set{"a", "n"}));
}
TEST(Shared, PlainAccessesOnly) {
  EXPECT_EQ(shared(kTwo + "A store x 4 @ a\nB load x 4 @ b\n"), Set{});
  EXPECT_EQ(shared(kTwo + "A store x 4 @ a\nB read x 4 @ b\n"), Set{"b"});
}
TEST(Shared, BytesApartAreNotShared) {
  EXPECT_EQ(shared(kTwo + "A write x 4 @ a\nB write x+4 4 @ b\n"), Set{});
}

TEST(DetectorNames, ClassesStandForAllThatFindThem) {
  std::string_view wrong;
  EXPECT_EQ(parse_detectors("deadlock", wrong).value() & detector_bit(DetectorId::kLockOrder),
            detector_bit(DetectorId::kLockOrder));
  const std::uint64_t atomicity = parse_detectors("atomicity-violation", wrong).value();
  for (const DetectorRow& row : detector_table()) {
    EXPECT_EQ((atomicity & detector_bit(row.id)) != 0, row.kind == OutcomeKind::kAtomicityViolation) << row.name;
  }
  // A name is a detector's first.
  EXPECT_EQ(parse_detectors("lost-signal", wrong), detector_bit(DetectorId::kLostSignal));
  EXPECT_EQ(parse_detectors("none,data-race", wrong), detector_bit(DetectorId::kDataRace));
  EXPECT_FALSE(parse_detectors("default,completed", wrong).has_value());  // no consumer looks for that
  EXPECT_EQ(wrong, "completed");
}

}  // namespace
}  // namespace ravel
