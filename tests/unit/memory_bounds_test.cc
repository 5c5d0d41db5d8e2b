// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Accesses inside, beyond and before blocks, against an oracle that knows all blocks as numbers.
#include <map>
#include <random>
#include <vector>

#include "support/memory_region_fixture.h"

namespace ravel::rt {
namespace {

struct Known {
  std::uintptr_t base;
  std::size_t size;
  bool live;
};

class Oracle {
 public:
  void add(std::uintptr_t base, std::size_t size) { blocks_[base] = {base, size, true}; }
  void free(std::uintptr_t base) { blocks_[base].live = false; }
  void forget(std::uintptr_t base) { blocks_.erase(base); }

  struct Answer {
    BlockUse use;
    std::uintptr_t base;
  };
  [[nodiscard]] Answer look(std::uintptr_t address, std::size_t size) const {
    for (const auto& [base, block] : blocks_) {
      if (address < base || address >= base + block.size) continue;
      if (!block.live) return {BlockUse::kFreed, base};
      return {address + size <= base + block.size ? BlockUse::kInside : BlockUse::kOutside, base};
    }
    std::uintptr_t best = ~std::uintptr_t{0};
    Answer answer = {BlockUse::kUnknown, 0};
    for (const auto& [base, block] : blocks_) {  // ascending: of equal ones the lower stays
      const std::uintptr_t away = address < base ? base - address : address - (base + block.size) + 1;
      if (away < best) answer = {BlockUse::kOutside, base};
      if (away < best) best = away;
    }
    return answer;
  }
  [[nodiscard]] const std::map<std::uintptr_t, Known>& blocks() const { return blocks_; }

 private:
  std::map<std::uintptr_t, Known> blocks_;
};

constexpr std::size_t kWidths[] = {1, 2, 4, 8, 16, 100};

class BoundsTest : public RegionTest {
 protected:
  void expect_agreement(std::uintptr_t from, std::uintptr_t to, std::uintptr_t step = 1) {
    for (std::uintptr_t address = from; address < to; address += step) {
      for (const std::size_t width : kWidths) {
        BlockInfo block;
        const BlockUse use = region_->use_of(address, width, block);
        const Oracle::Answer wanted = oracle_.look(address, width);
        ASSERT_EQ(static_cast<int>(use), static_cast<int>(wanted.use)) << std::hex << address << " width " << width;
        ASSERT_EQ(block.base, wanted.base) << std::hex << address << " width " << width;
      }
    }
  }
  std::uintptr_t known(std::size_t size, std::size_t alignment = 16) {
    const std::uintptr_t base = take(size, 0, alignment);
    oracle_.add(base, size);
    return base;
  }
  Oracle oracle_;
};

TEST_F(BoundsTest, EveryOffsetOfEverySmallSize) {
  std::uintptr_t last = 0;
  for (std::size_t size = 0; size <= 200; ++size) last = known(size);
  const std::uintptr_t first = oracle_.blocks().begin()->first;
  expect_agreement(first - 560, last + 1000);  // from the beginning of the span on
}

TEST_F(BoundsTest, AlignedAndFreedBlocksOfManySizes) {
  std::mt19937 random(7);
  std::vector<std::uintptr_t> bases;
  for (int i = 0; i < 300; ++i) bases.push_back(known(random() % 3000, std::size_t{16} << random() % 5));
  for (std::size_t i = 0; i < bases.size(); i += 3) {
    give_back(bases[i]);
    oracle_.free(bases[i]);
  }
  for (const auto& [base, block] : oracle_.blocks()) {
    expect_agreement(base - 130, base + 20, 3);
    expect_agreement(base + block.size - 20, base + block.size + 130, 3);
  }
}

TEST_F(BoundsTest, RunsOfWholeSpans) {
  renew(std::size_t{16} << 30);  // all of them fit into one segment
  for (const std::size_t size : {40'000u, 65'488u, 65'489u, 300'000u, 1u << 20, 131'024u}) {
    known(size);
    known(size, 8192);
  }
  for (const auto& [base, block] : oracle_.blocks()) {
    expect_agreement(base - 300, base + 300, 7);
    expect_agreement(base + block.size - 300, base + block.size + 300, 7);
    expect_agreement(base + block.size, base + block.size + 140'000, 4099);
  }
}

TEST_F(BoundsTest, ASmallerBlockInTheSamePlaceHasASmallerEnd) {
  const std::uintptr_t base = known(112);
  known(112);
  ASSERT_TRUE(region_->resize_in_place(base, 100));
  oracle_.add(base, 100);
  expect_agreement(base - 40, base + 300);
}

TEST_F(BoundsTest, WhereNothingWasAllocatedNoBlockIsMeant) {
  known(8);
  BlockInfo block;
  EXPECT_EQ(region_->use_of(region_->data() + (std::size_t{1} << 29), 8, block), BlockUse::kUnknown);
}

}  // namespace
}  // namespace ravel::rt
