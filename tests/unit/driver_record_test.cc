// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tested process may write anything into the shared block: the copy must be safe to use.
#include <gtest/gtest.h>

#include <random>

#include "driver/execution_record.h"
#include "driver/shared_memory.h"

namespace ravel {
namespace {

void expect_safe(const ExecutionRecord& record) {
  EXPECT_LT(record.outcome, OutcomeKind::kCount);
  ASSERT_FALSE(record.threads.empty());
  ASSERT_FALSE(record.objects.empty());
  ASSERT_FALSE(record.contexts.empty());
  ASSERT_FALSE(record.modules.empty());
  EXPECT_LE(record.events.size(), record.total_events);
  auto expect_event = [&](const Event& event) {
    ASSERT_LT(event.kind, OpKind::kCount);
    ASSERT_LT(event.thread, record.threads.size());
    ASSERT_LT(event.object, record.objects.size());
    ASSERT_LT(event.context, record.contexts.size());
    ASSERT_LT(module_slot(event.location), record.modules.size());
  };
  for (const Event& event : record.events) expect_event(event);
  for (const RaceRecord& race : record.races) {
    expect_event(race.first);
    expect_event(race.second);
  }
  for (const WaitingRecord& waiting : record.waiting) {
    ASSERT_LT(waiting.wants, OpKind::kCount);
    ASSERT_LT(waiting.thread, record.threads.size());
    ASSERT_LT(waiting.object, record.objects.size());
    ASSERT_LT(waiting.context, record.contexts.size());
    ASSERT_TRUE(waiting.holder == kNoThread || waiting.holder < record.threads.size());
  }
  for (ContextId i = 1; i < record.contexts.size(); ++i) ASSERT_LT(record.contexts[i].parent, i);
  for (ThreadIndex i = 0; i < record.threads.size(); ++i) EXPECT_EQ(lineage_of(record.threads, i).substr(0, 4), "main");
  for (const ObjectRecord& object : record.objects) {
    ASSERT_LE(object.kind, ObjectKind::kChannel);
    ASSERT_LT(object.owner, object.kind == ObjectKind::kModule ? record.modules.size() : record.threads.size());
  }
}

TEST(ExecutionRecord, AnEmptyBlockIsSafe) {
  auto memory = SharedMemory::create();
  ASSERT_TRUE(memory);
  expect_safe(read_execution(memory->block()));
}

TEST(ExecutionRecord, RubbishIsSafe) {
  auto memory = SharedMemory::create();
  ASSERT_TRUE(memory);
  SharedBlock& block = memory->block();
  std::mt19937_64 random(7);
  auto scribble = [&](void* place, std::size_t bytes) {
    auto* words = static_cast<std::uint64_t*>(place);
    for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); ++i) words[i] = random();
  };
  for (int round = 0; round < 20; ++round) {
    scribble(&block.result, sizeof block.result);
    block.result.events.store(random() % 3000);
    block.result.threads = static_cast<std::uint32_t>(round % 2 == 0 ? random() % 50 : random());
    block.result.objects = static_cast<std::uint32_t>(random() % 50);
    block.result.segments = static_cast<std::uint32_t>(random() % 50);
    scribble(block.modules, sizeof block.modules);
    block.module_count.store(static_cast<std::uint32_t>(random()));
    block.context_count.store(static_cast<std::uint32_t>(random() % 200));
    scribble(block.threads, 4096);
    scribble(block.contexts, 4096);
    scribble(block.objects, 4096);
    scribble(block.ring, 4000 * sizeof(Event));
    expect_safe(read_execution(block));
  }
}

TEST(ExecutionRecord, KeepsTheLastEventsOfALongRun) {
  auto memory = SharedMemory::create();
  ASSERT_TRUE(memory);
  SharedBlock& block = memory->block();
  const std::uint64_t total = std::uint64_t{kRingEvents} + 5;
  block.result.events.store(total);
  block.ring[4].kind = OpKind::kYield;  // the last one
  block.ring[5].kind = OpKind::kFence;  // the oldest that is left
  const ExecutionRecord record = read_execution(block);
  EXPECT_EQ(record.events.size(), kRingEvents);
  EXPECT_EQ(record.first_sequence(), 5u);
  EXPECT_EQ(record.events.front().kind, OpKind::kFence);
  EXPECT_EQ(record.events.back().kind, OpKind::kYield);
}

TEST(Lineage, IsParentAndOrdinal) {
  std::vector<ThreadRecord> threads(3);
  threads[1].parent = 0;
  threads[1].ordinal = 2;
  threads[2].parent = 1;
  threads[2].ordinal = 1;
  EXPECT_EQ(lineage_of(threads, 0), "main");
  EXPECT_EQ(lineage_of(threads, 2), "main.2.1");
}

}  // namespace
}  // namespace ravel
