// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Configurations of noise as text, and placements: which places get noise, with which probability.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "investigate/noise_config.h"
#include "investigate/noise_places.h"
#include "investigate/pin.h"

namespace ravel {
namespace {

TEST(NoiseConfig, TextComesBack) {
  for (const char* text : {"yield,freq=50,strength=10", "sleep,freq=1000,strength=1000000,place=var-one,tt,ht",
                           "busyWait,freq=0,strength=1,place=coverage+strength,prob=nfreq,cpus=1",
                           "mixed,freq=7,strength=3,place=places:a.txt"}) {
    const auto config = parse_noise(text);
    ASSERT_TRUE(config) << text << ": " << config.error().line();
    EXPECT_EQ(config->text(), text);
  }
  EXPECT_EQ(parse_noise("wait")->text(), "wait,freq=50,strength=100");
}

TEST(NoiseConfig, MistakesAreNamed) {
  const std::pair<const char*, const char*> wrong[] = {{"yeild", "yield"},
                                                       {"yield,freq=1001", "0 to 1000"},
                                                       {"yield,strength=1001", "1 to 1000"},
                                                       {"sleep,strength=0", "microseconds"},
                                                       {"sleep,place=var-on", "var-one"},
                                                       {"sleep,frek=3", "freq"},
                                                       {"sleep,prob=x", "biased"},
                                                       {"random,freq=3", "random draws everything"},
                                                       {"", "one of"}};
  for (const auto& [text, hint] : wrong) {
    const auto config = parse_noise(text);
    ASSERT_FALSE(config) << text;
    EXPECT_NE(config.error().line().find(hint), std::string::npos) << config.error().line();
  }
}

TEST(NoiseConfig, RandomIsDrawnAgainForEachRun) {
  const NoiseConfig random = *parse_noise("random");
  std::set<std::string> drawn;
  for (std::uint64_t run = 0; run < 50; ++run) {
    const NoiseConfig one = noise_of_run(random, 1, run);
    EXPECT_EQ(one.text(), noise_of_run(random, 1, run).text());
    EXPECT_TRUE(parse_noise(one.text())) << one.text();
    EXPECT_FALSE(one.tampers);  // it makes correct programs fail
    drawn.insert(one.text());
  }
  EXPECT_GT(drawn.size(), 40u);
}

// The formula of the source: 0.25 at one execution, 0.025 at ten, never below 0.001; 0.01 while it is not known.
TEST(NoisePlaces, BiasedProbability) {
  EXPECT_EQ(biased_per_million(1), 250'000u);
  EXPECT_EQ(biased_per_million(10), 25'000u);
  EXPECT_EQ(biased_per_million(250), 1'000u);
  EXPECT_EQ(biased_per_million(1e9), 1'000u);
  EXPECT_EQ(biased_per_million(0), 10'000u);
}

struct Row {
  std::uint64_t pc;
  std::uint32_t group;
  bool shared = true;
  bool locked = false;
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  std::uint64_t executions = 10;
};

// Rows stand where they are: groups name rows by number.
std::unique_ptr<FreeBlock> observed(const std::vector<Row>& rows) {
  auto block = std::make_unique<FreeBlock>();
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    FreeObserved& row = block->observed[i];
    row.pc = rows[i].pc;
    row.thread_type = 7;
    row.executions = rows[i].executions;
    row.group = rows[i].group;
    row.shared = rows[i].shared;
    row.unprotected = rows[i].locked ? 0 : 1;
    row.least_us = rows[i].least;
    row.most_us = rows[i].most;
    row.classes = kNoisePlain;
  }
  return block;
}

std::set<std::uint64_t> noised(const FreeNoise& noise) {
  std::set<std::uint64_t> pcs;
  for (const FreeNoisePlace& place : noise.places) {
    if (place.pc != 0) pcs.insert(place.pc);
  }
  return pcs;
}

std::set<std::uint64_t> placed(const char* config, const NoiseKnowledge& known, std::uint64_t run = 2) {
  return noised(noise_for(*parse_noise(config), known, 1, run));
}

TEST(NoisePlaces, VariablesAreGroupsOfPlaces) {
  NoiseKnowledge known;
  // 100 and 101 touch one variable, 102 another, 103 one that no other thread touches.
  known.learn(*observed({{100, 0}, {101, 0}, {102, 2}, {103, 3, false}}), 0);
  EXPECT_EQ(placed("yield,place=var-all", known), (std::set<std::uint64_t>{100, 101, 102}));
  std::set<std::set<std::uint64_t>> ones;
  for (std::uint64_t run = 0; run < 40; ++run) ones.insert(placed("yield,place=var-one", known, run));
  EXPECT_EQ(ones, (std::set<std::set<std::uint64_t>>{{100, 101}, {102}}));
  EXPECT_EQ(noise_for(*parse_noise("yield,place=var-one"), known, 1, 2).classes, 0u);
  EXPECT_NE(noise_for(*parse_noise("yield,place=var-one+other"), known, 1, 2).classes, 0u);
}

TEST(NoisePlaces, Unprotected) {
  NoiseKnowledge known;
  known.learn(*observed({{100, 0}, {101, 0, true, true}, {102, 2, false}}), 0);
  EXPECT_EQ(placed("yield,place=unprotected", known), std::set<std::uint64_t>{100});
}

TEST(NoisePlaces, CoverageDelaysWhoWasFirst) {
  NoiseKnowledge known;
  known.learn(*observed({{100, 0, true, false, 6, 90}, {101, 0}}), 0);
  FreeNoise noise = noise_for(*parse_noise("sleep,place=coverage"), known, 1, 1);
  EXPECT_EQ(noised(noise), std::set<std::uint64_t>{100});
  EXPECT_TRUE(noise.one_at_a_time);
  const auto find = [](const FreeNoise& in) {
    for (const FreeNoisePlace& place : in.places) {
      if (place.pc == 100) return place;
    }
    return FreeNoisePlace{};
  };
  EXPECT_EQ(find(noise).per_million, 10'000u);  // executions of one run only: not known
  EXPECT_EQ(find(noise).thread_type, 7u);
  known.learn(*observed({{100, 0, true, false, 4, 50'000'000}}), 1);
  noise = noise_for(*parse_noise("sleep,place=coverage+strength"), known, 1, 2);
  EXPECT_EQ(find(noise).per_million, 25'000u);
  EXPECT_EQ(find(noise).least_us, 3u);
  EXPECT_EQ(find(noise).most_us, NoiseKnowledge::kLongestUs);  // capped
  // The window of a place is over: its times stay.
  known.learn(*observed({{100, 0, true, false, 1, 2}}), NoiseKnowledge::kWindow + 1);
  EXPECT_EQ(find(noise_for(*parse_noise("sleep,place=coverage+strength"), known, 1, 20)).least_us, 3u);
}

FreeEvent event(std::uint64_t order, OpKind kind, std::uint8_t bits = 0) {
  FreeEvent made;
  made.order = order;
  made.kind = kind;
  made.bits = bits;
  return made;
}

TEST(PinGuide, ThreadsAndOperationsInTheirOrder) {
  FreeRecord record;
  record.threads.resize(3);
  record.threads[1].number = 1;
  record.threads[2].number = 2;
  record.threads[1].events = {event(2, OpKind::kMutexLock), event(3, OpKind::kCondWait), event(4, OpKind::kMutexUnlock),
                              event(9, OpKind::kMutexLock), event(10, OpKind::kCondReacquire)};
  record.threads[2].events = {event(5, OpKind::kMutexTryLock, kFailed), event(6, OpKind::kRead),
                              event(7, OpKind::kCondSignal)};
  const SynFile guide = guide_of(record);
  std::string text;
  for (const SynEvent& one : guide.events) text += event_text(one) + "; ";
  EXPECT_EQ(text, "main.1 lock; main.1 wait; main.2 trylock failed; main.2 signal; main.1 reacquire; ");
  EXPECT_TRUE(guide.open);
  record.order_complete = false;
  EXPECT_TRUE(guide_of(record).events.empty());
}

}  // namespace
}  // namespace ravel
