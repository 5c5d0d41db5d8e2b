// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// FastTrack on happens-before clocks against the naive detector, on random traces: on every byte both see the first
// race at the same event, or none.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory_resource>
#include <string>

#include "causality/causality.h"
#include "detect/fasttrack.h"
#include "model/text/trace_text.h"
#include "support/full_vector.h"
#include "support/random_trace.h"

namespace ravel {
namespace {

using testing::RacyBytes;

class Collector final : public RaceSink {
 public:
  void on_race(const RaceRecord& race, std::uint32_t cell, std::uint8_t mask) override {
    for (std::uint32_t i = 0; i < 8; ++i) {
      if ((mask >> i & 1) != 0) bytes.try_emplace({race.second.object, cell + i}, race.second_seq);
    }
  }
  RacyBytes bytes;
};

// Small tables: constructed once, begun for every trace.
class Detector {
 public:
  explicit Detector(CausalityOptions options)
      : causality_(*std::pmr::new_delete_resource(), small(options)),
        fasttrack_(*std::pmr::new_delete_resource(), causality_, races_, FastTrackLimits{1024, 4096, 256}) {}

  RacyBytes run(const std::vector<Event>& events) {
    races_.bytes.clear();
    causality_.begin();
    fasttrack_.begin();
    std::uint64_t sequence = 0;
    for (const Event& e : events) {
      const Epoch epoch = causality_.on_event(e);
      fasttrack_.on_event(e, sequence++, epoch);
    }
    EXPECT_FALSE(fasttrack_.truncated());
    return races_.bytes;
  }

 private:
  static CausalityOptions small(CausalityOptions options) {
    options.max_threads = 64;
    options.max_clock_nodes = 4096;
    options.max_sync_places = 256;
    return options;
  }
  Collector races_;
  Causality causality_;
  FastTrack fasttrack_;
};

struct Tally {
  unsigned disagreements = 0;
  unsigned racy = 0;
  unsigned clean = 0;
};

void show_difference(std::uint64_t seed, const std::vector<Event>& events, const RacyBytes& found,
                     const RacyBytes& expected) {
  Trace trace = empty_trace();
  trace.events = events;
  for (Event& e : trace.events) {
    while (trace.threads.size() <= std::max<std::uint64_t>(e.thread, e.kind == OpKind::kThreadCreate ? e.value : 0))
      trace.threads.emplace_back();
    while (trace.objects.size() <= e.object) trace.objects.emplace_back();
  }
  std::string text = "seed " + std::to_string(seed) + "\n" + print_trace(trace);
  for (const auto& [byte, at] : found)
    text += "found object " + std::to_string(byte.first) + " byte " + std::to_string(byte.second) + " at event " +
            std::to_string(at) + "\n";
  for (const auto& [byte, at] : expected)
    text += "expected object " + std::to_string(byte.first) + " byte " + std::to_string(byte.second) + " at event " +
            std::to_string(at) + "\n";
  ADD_FAILURE() << text;
}

Tally compare(const CausalityOptions& options, std::uint64_t traces, std::size_t length, bool show = false) {
  Detector detector(options);
  Tally tally;
  for (std::uint64_t seed = 1; seed <= traces; ++seed) {
    const std::vector<Event> events = testing::random_trace(seed, length);
    const RacyBytes expected = testing::races_by_full_vectors(events);
    expected.empty() ? ++tally.clean : ++tally.racy;
    const RacyBytes found = detector.run(events);
    if (found != expected && tally.disagreements++ == 0 && show) show_difference(seed, events, found, expected);
  }
  return tally;
}

TEST(Agreement, ShortTraces) {
  const Tally tally = compare({}, 20'000, 30, true);
  EXPECT_EQ(tally.disagreements, 0u);
  // Both answers must be common, or agreement would mean little.
  EXPECT_GT(tally.clean, 1'000u);
  EXPECT_GT(tally.racy, 1'000u);
}

TEST(Agreement, LongTraces) {
  EXPECT_EQ(compare({}, 4'000, 120, true).disagreements, 0u);
}

TEST(Agreement, NoticesMissingReleaseSequences) {
  CausalityOptions broken;
  broken.without_release_sequences = true;
  EXPECT_GT(compare(broken, 8'000, 30).disagreements, 0u);
}

TEST(Agreement, NoticesMissingFences) {
  CausalityOptions broken;
  broken.without_fences = true;
  EXPECT_GT(compare(broken, 8'000, 30).disagreements, 0u);
}

TEST(Agreement, NoticesMissingSynchronisation) {
  CausalityOptions broken;
  broken.lifecycle_only = true;
  EXPECT_GT(compare(broken, 1'000, 24).disagreements, 0u);
}

}  // namespace
}  // namespace ravel
