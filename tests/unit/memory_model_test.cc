// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Random sequences against a model that knows which bytes belong to whom.
#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "support/memory_region_fixture.h"

namespace ravel::rt {
namespace {

struct Step {
  enum Kind { kTake, kGiveBack, kResize } kind;
  std::size_t size;
  std::size_t alignment;
  std::uint32_t thread;
  std::uint32_t pick;
};

std::vector<Step> random_steps(unsigned seed, int count) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  std::vector<Step> steps;
  for (int i = 0; i < count; ++i) {
    Step step{};
    const std::size_t dice = below(100);
    step.kind = dice < 50 ? Step::kTake : dice < 90 ? Step::kGiveBack : Step::kResize;
    const std::size_t scale = below(20);
    step.size = scale < 14 ? below(200) : scale < 17 ? below(5'000) : scale < 19 ? below(20'000) : below(300'000);
    step.alignment = below(10) == 0 ? std::size_t{16} << below(14) : 16;
    step.thread = static_cast<std::uint32_t>(below(4) == 0 ? below(200) : below(3));
    step.pick = random();
    steps.push_back(step);
  }
  return steps;
}

struct Owned {
  std::size_t size;
  std::uint32_t thread;
  unsigned char fill;
};

class ModelTest : public RegionTest {
 protected:
  void fill(std::uintptr_t address, const Owned& owned) {
    std::memset(reinterpret_cast<void*>(address), owned.fill, owned.size);
  }
  void expect_filled(std::uintptr_t address, std::size_t size, unsigned char value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(address);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(bytes[i], value) << "byte " << i << " of " << size;
  }

  void add(std::uintptr_t address, const Owned& owned, std::size_t alignment) {
    ASSERT_NE(address, 0u);
    ASSERT_EQ(address % alignment, 0u);
    const auto next = live_.lower_bound(address);
    if (next != live_.end()) {
      ASSERT_LE(address + owned.size, next->first - sizeof(BlockHeader));
    }
    if (next != live_.begin()) {
      const auto before = std::prev(next);
      ASSERT_GE(address - sizeof(BlockHeader), before->first + before->second.size);
    }
    fill(address, owned);
    live_[address] = owned;
  }

  void drop(std::map<std::uintptr_t, Owned>::iterator which) {
    expect_filled(which->first, which->second.size, which->second.fill);
    ASSERT_EQ(give_back(which->first), FreeResult::kFreed);
    live_.erase(which);
  }

  void run(const std::vector<Step>& steps, std::vector<std::uintptr_t>* addresses) {
    live_.clear();
    unsigned char value = 1;
    for (const Step& step : steps) {
      if (::testing::Test::HasFatalFailure()) return;
      const Owned wanted{step.size, step.thread, value++};
      if (step.kind == Step::kTake || live_.empty()) {
        const std::uintptr_t address = take(step.size, step.thread, step.alignment);
        if (addresses != nullptr) addresses->push_back(address);
        add(address, wanted, step.alignment);
        continue;
      }
      auto which = std::next(live_.begin(), step.pick % live_.size());
      if (step.kind == Step::kGiveBack) {
        drop(which);
      } else if (region_->resize_in_place(which->first, step.size)) {
        expect_filled(which->first, std::min(step.size, which->second.size), which->second.fill);
        which->second.size = step.size;
        fill(which->first, which->second);
      }
    }
  }

  std::map<std::uintptr_t, Owned> live_;
};

TEST_F(ModelTest, BlocksNeverOverlapAndKeepTheirBytes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    renew(std::size_t{4} << 30);
    run(random_steps(seed, 2'000), nullptr);
    if (HasFatalFailure()) return;
    for (const auto& [address, owned] : live_) expect_filled(address, owned.size, owned.fill);
  }
}

TEST_F(ModelTest, EveryByteFindsItsBlockAndNoOther) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    renew(std::size_t{4} << 30);
    run(random_steps(seed, 2'000), nullptr);
    for (const auto& [address, owned] : live_) {
      const std::size_t stride = owned.size > 10'000 ? 97 : 1;
      for (std::size_t i = 0; i < owned.size; i += stride) {
        const BlockHeader* found = region_->find(address + i);
        ASSERT_TRUE(found != nullptr && found->payload() == address) << "byte " << i << " of " << owned.size;
        ASSERT_EQ(found->size(), owned.size);
        ASSERT_EQ(found->thread, owned.thread);
        ASSERT_EQ(found->block_state(), BlockState::kLive);
      }
      for (std::size_t i = 1; i <= sizeof(BlockHeader); ++i) ASSERT_EQ(region_->find(address - i), nullptr);
      ASSERT_EQ(region_->find(address + owned.size), nullptr);
    }
  }
}

TEST_F(ModelTest, AddressesAroundTheSpaceAreNobodys) {
  run(random_steps(7, 500), nullptr);
  EXPECT_EQ(region_->find(0), nullptr);
  EXPECT_EQ(region_->find(region_->data() - 1), nullptr);
  EXPECT_EQ(region_->find(region_->data()), nullptr);
  EXPECT_EQ(region_->find(region_->data() + region_->data_bytes()), nullptr);
  EXPECT_EQ(region_->find(region_->data() + region_->data_bytes() - 1), nullptr);
  EXPECT_EQ(region_->find(UINTPTR_MAX), nullptr);
}

TEST_F(ModelTest, SameSequenceSameAddresses) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<Step> steps = random_steps(seed, 3'000);
    std::vector<std::uintptr_t> first;
    std::vector<std::uintptr_t> second;
    renew(std::size_t{4} << 30);
    run(steps, &first);
    renew(std::size_t{4} << 30);
    run(steps, &second);
    EXPECT_EQ(first, second) << seed;
  }
}

// What thread 1 does with its own blocks gives the same addresses, however busy the others are.
TEST_F(ModelTest, AddressesDoNotDependOnOtherThreads) {
  const auto play = [this](bool busy_others) {
    renew(std::size_t{4} << 30);
    std::mt19937 random(11);
    std::mt19937 noise(12);
    std::vector<std::uintptr_t> mine;
    std::vector<std::uintptr_t> result;
    for (int i = 0; i < 3'000; ++i) {
      for (int k = 0; busy_others && k < 3; ++k) {
        const std::uintptr_t other = take(noise() % 40'000, noise() % 2 == 0 ? 0 : 2 + noise() % 60);
        if (noise() % 2 == 0) give_back(other);
      }
      if (random() % 2 == 0 || mine.empty()) {
        mine.push_back(take(random() % 2'000, 1));
        result.push_back(mine.back());
      } else {
        const std::size_t index = random() % mine.size();
        give_back(mine[index]);
        mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(index));
      }
    }
    return result;
  };
  EXPECT_EQ(play(false), play(true));
}

}  // namespace
}  // namespace ravel::rt
