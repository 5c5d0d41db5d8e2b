// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Shared vector clocks against plain arrays, and happens-before with a great many threads in little memory.
#include <gtest/gtest.h>

#include <map>
#include <memory_resource>
#include <vector>

#include "base/random.h"
#include "causality/causality.h"
#include "causality/clock_pool.h"

namespace ravel {
namespace {

TEST(ClockPool, BehavesAsArrays) {
  constexpr std::size_t kClocks = 12;
  // Slots on both sides of each change of height.
  const std::vector<Slot> slots = {0, 1, 15, 16, 17, 255, 256, 300, 4095, 4096, 5000, 65'535, 65'536, 200'000};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ClockPool pool(*std::pmr::new_delete_resource(), 1 << 16);
    std::vector<ClockId> clocks(kClocks, 0);
    std::vector<std::map<Slot, Tick>> model(kClocks);
    Random random(seed);
    const std::size_t few = 2 + random.below(slots.size() - 2);
    for (int step = 0; step < 600; ++step) {
      const auto a = random.below(kClocks);
      const auto b = random.below(kClocks);
      switch (random.below(4)) {
        case 0:
        case 1: {
          const Slot slot = slots[random.below(few)];
          const auto tick = static_cast<Tick>(1 + random.below(50));
          pool.set(clocks[a], slot, tick);
          model[a][slot] = tick;
          break;
        }
        case 2:
          pool.join(clocks[a], clocks[b]);
          for (const auto& [slot, tick] : model[b]) model[a][slot] = std::max(model[a][slot], tick);
          break;
        default:
          if (random.below(3) == 0) {
            pool.drop(clocks[a]);
            model[a].clear();
          } else {
            pool.assign(clocks[a], clocks[b]);
            model[a] = model[b];
          }
      }
      for (const Slot slot : slots) {
        const auto found = model[a].find(slot);
        ASSERT_EQ(pool.get(clocks[a], slot), found == model[a].end() ? 0 : found->second) << seed << " " << step;
      }
    }
    // Sharing must not leak changes into other clocks, and dropping must give everything back.
    for (std::size_t i = 0; i < kClocks; ++i) {
      for (const auto& [slot, tick] : model[i]) EXPECT_EQ(pool.get(clocks[i], slot), tick);
    }
    for (ClockId& clock : clocks) pool.drop(clock);
    EXPECT_EQ(pool.live_nodes(), 0u);
  }
}

// Clocks of one line, in pools in which all of them are copied, some, and none.
TEST(ClockPool, SmallClocksBehaveAsArraysCopiedOrShared) {
  constexpr std::size_t kClocks = 10;
  for (const std::uint32_t nodes : {4096u, 15u, 11u}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      ClockPool pool(*std::pmr::new_delete_resource(), nodes);
      std::vector<ClockId> clocks(kClocks, 0);
      std::vector<std::vector<Tick>> model(kClocks, std::vector<Tick>(16, 0));
      Random random(seed);
      const auto slots = 1 + random.below(16);
      for (int step = 0; step < 600; ++step) {
        const auto a = random.below(kClocks);
        const auto b = random.below(kClocks);
        switch (random.below(5)) {
          case 0:
          case 1: {
            const auto slot = static_cast<Slot>(random.below(slots));
            const auto tick = static_cast<Tick>(random.below(2) == 0 ? random.below(50) : random.next());
            pool.set(clocks[a], slot, tick);
            model[a][slot] = tick;
            break;
          }
          case 2:
            pool.join(clocks[a], clocks[b]);
            for (std::size_t s = 0; s < 16; ++s) model[a][s] = std::max(model[a][s], model[b][s]);
            break;
          case 3:
            pool.assign(clocks[a], clocks[b]);
            model[a] = model[b];
            break;
          default:
            pool.drop(clocks[a]);
            model[a].assign(16, 0);
        }
        for (std::size_t i = 0; i < kClocks; ++i) {
          for (Slot s = 0; s < 18; ++s)
            ASSERT_EQ(pool.get(clocks[i], s), s < 16 ? model[i][s] : 0) << seed << " " << step;
        }
      }
      for (ClockId& clock : clocks) pool.drop(clock);
      EXPECT_EQ(pool.live_nodes(), 0u);
      EXPECT_FALSE(pool.exhausted());
    }
  }
}

TEST(ClockPool, SaysWhenItIsFull) {
  ClockPool pool(*std::pmr::new_delete_resource(), 4);
  ClockId clocks[6] = {};
  for (Slot i = 0; i < 6; ++i) pool.set(clocks[i], i, 1);
  EXPECT_TRUE(pool.exhausted());
  pool.clear();
  EXPECT_FALSE(pool.exhausted());
}

Event event(ThreadIndex thread, OpKind kind, std::uint64_t value = 0, ObjectId object = 0) {
  Event e;
  e.thread = thread;
  e.kind = kind;
  e.value = value;
  e.object = object;
  return e;
}

constexpr ThreadIndex kMany = 100'000;

TEST(Causality, CreatedAndJoinedOneByOne) {
  CausalityOptions options;
  options.max_clock_nodes = 64;  // slots are used again, so this is plenty
  Causality causality(*std::pmr::new_delete_resource(), options);
  for (ThreadIndex i = 1; i <= kMany; ++i) {
    causality.on_event(event(0, OpKind::kThreadCreate, i));
    const Epoch inside = causality.on_event(event(i, OpKind::kWrite, 0, 1));
    ASSERT_FALSE(causality.ordered(inside, 0));
    causality.on_event(event(i, OpKind::kThreadEnd));
    causality.on_event(event(0, OpKind::kThreadJoin, i));
    ASSERT_TRUE(causality.ordered(inside, 0));
  }
  EXPECT_FALSE(causality.exhausted());
}

TEST(Causality, AllCreatedThenAllJoined) {
  // All meet at one mutex, so each clock knows all before it: as arrays these would be 20 GB.
  CausalityOptions options;
  options.max_clock_nodes = 1 << 20;
  Causality causality(*std::pmr::new_delete_resource(), options);
  std::vector<Epoch> inside(kMany + 1);
  for (ThreadIndex i = 1; i <= kMany; ++i) {
    causality.on_event(event(0, OpKind::kThreadCreate, i));
    causality.on_event(event(i, OpKind::kMutexLock, 0, 1));
    inside[i] = causality.on_event(event(i, OpKind::kWrite, 0, 2));
    causality.on_event(event(i, OpKind::kMutexUnlock, 0, 1));
    if (i > 1) {
      ASSERT_TRUE(causality.ordered(inside[i - 1], i));
    }
    ASSERT_FALSE(causality.ordered(inside[i], 0));
    causality.on_event(event(i, OpKind::kThreadEnd));
  }
  for (ThreadIndex i = 1; i <= kMany; ++i) causality.on_event(event(0, OpKind::kThreadJoin, i));
  for (ThreadIndex i = 1; i <= kMany; ++i) ASSERT_TRUE(causality.ordered(inside[i], 0));
  EXPECT_FALSE(causality.exhausted());
}

TEST(Causality, AThousandThreadsATime) {
  // Accesses after the last release, so that every clock differs from every other.
  Causality causality(*std::pmr::new_delete_resource(), {});
  for (ThreadIndex first = 1; first <= kMany; first = first + 1'000) {
    for (ThreadIndex i = first; i < first + 1'000; ++i) {
      causality.on_event(event(0, OpKind::kThreadCreate, i));
      causality.on_event(event(i, OpKind::kMutexLock, 0, 1));
      causality.on_event(event(i, OpKind::kMutexUnlock, 0, 1));
      causality.on_event(event(i, OpKind::kWrite, 0, 2));
      causality.on_event(event(i, OpKind::kThreadEnd));
    }
    for (ThreadIndex i = first; i < first + 1'000; ++i) causality.on_event(event(0, OpKind::kThreadJoin, i));
  }
  EXPECT_FALSE(causality.exhausted());
}

TEST(Causality, SaysWhenThereAreTooManyThreads) {
  CausalityOptions options;
  options.max_threads = 4;
  Causality causality(*std::pmr::new_delete_resource(), options);
  for (ThreadIndex i = 1; i <= 3; ++i) causality.on_event(event(0, OpKind::kThreadCreate, i));
  EXPECT_FALSE(causality.exhausted());
  causality.on_event(event(0, OpKind::kThreadCreate, 4));
  EXPECT_TRUE(causality.exhausted());
  causality.begin();
  EXPECT_FALSE(causality.exhausted());
}

// What a well-formed trace must come to, whatever was seen before it.
void expect_sound(Causality& causality) {
  causality.begin();
  EXPECT_FALSE(causality.exhausted());
  causality.on_event(event(0, OpKind::kThreadCreate, 1));
  causality.on_event(event(0, OpKind::kThreadCreate, 2));
  causality.on_event(event(1, OpKind::kMutexLock, 0, 1));
  const Epoch inside = causality.on_event(event(1, OpKind::kWrite, 0, 2));
  causality.on_event(event(1, OpKind::kMutexUnlock, 0, 1));
  const Epoch after = causality.on_event(event(1, OpKind::kWrite, 0, 2));
  EXPECT_FALSE(causality.ordered(inside, 2));
  causality.on_event(event(2, OpKind::kMutexLock, 0, 1));
  EXPECT_TRUE(causality.ordered(inside, 2));
  EXPECT_FALSE(causality.ordered(after, 2));
  causality.on_event(event(1, OpKind::kThreadEnd));
  causality.on_event(event(0, OpKind::kThreadJoin, 1));
  EXPECT_TRUE(causality.ordered(after, 0));
}

TEST(Causality, RubbishFromTheTestedProcessIsSurvived) {
  constexpr std::uint64_t kKinds = 256;  // of one byte: known ones and others
  static_assert(static_cast<std::uint64_t>(OpKind::kCount) < kKinds);
  Random random(3);
  CausalityOptions options;
  options.max_threads = 32;
  options.max_clock_nodes = 1024;
  options.max_sync_places = 64;
  Causality causality(*std::pmr::new_delete_resource(), options);
  std::vector<std::uint32_t> made(kKinds, 0);
  std::uint32_t full = 0;
  for (int i = 0; i < 200'000; ++i) {
    if (i % 1'000 == 0) {
      full += i > 0 && causality.exhausted() ? 1 : 0;
      expect_sound(causality);
      causality.begin();
    }
    Event e;
    const auto kind = i % 2 == 0 ? random.below(static_cast<std::uint64_t>(OpKind::kCount)) : random.below(kKinds);
    ++made[kind];
    e.kind = static_cast<OpKind>(kind);
    e.bits = static_cast<std::uint8_t>(random.next());
    e.thread = static_cast<ThreadIndex>(random.below(20) == 0 ? random.next() : random.below(8));
    e.object = static_cast<ObjectId>(random.below(6));
    e.value = random.below(20) == 0 ? random.next() : random.below(8);
    const Epoch epoch = causality.on_event(e);
    ASSERT_LT(epoch.slot, options.max_threads) << i;
    ASSERT_TRUE(causality.ordered(epoch)) << i;  // a thread knows what it did itself
    (void)causality.ordered(epoch, static_cast<ThreadIndex>(random.below(40)));
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) EXPECT_GT(made[kind], 0u) << "never made: " << kind;
  EXPECT_GT(full, 0u) << "tables were never full: what was made is no rubbish";
}

}  // namespace
}  // namespace ravel
