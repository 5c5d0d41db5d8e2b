// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One rule a test, on hand-made sequences. Random sequences are in memory_model_test.cc.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "support/memory_region_fixture.h"

namespace ravel::rt {
namespace {

TEST_F(RegionTest, LiesWhereItWasAskedFor) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region_), kTestAddress);
  EXPECT_TRUE(region_->contains(take(1)));
}

TEST_F(RegionTest, GoesElsewhereWhenTheAddressIsTaken) {
  Region* second = Region::create(kTestAddress, std::size_t{1} << 30);
  ASSERT_NE(second, nullptr);
  EXPECT_NE(second, region_);
  const BlockHeader* block = second->allocate(100, 16, 0, kSite, false);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(second->find(block->payload() + 99), block);
  EXPECT_EQ(region_->find(block->payload()), nullptr);
  Region::destroy(second);
}

TEST_F(RegionTest, BlockTellsItsOrigin) {
  take(8, 3);
  BlockHeader* block = region_->allocate(40, 16, 3, 0x7fffdeadbeef, false);
  const BlockInfo info = block->info();
  EXPECT_EQ(info.base, block->payload());
  EXPECT_EQ(info.size, 40u);
  EXPECT_EQ(info.thread, 3u);
  EXPECT_EQ(info.ordinal, 2u);
  EXPECT_EQ(info.site, 0x7fffdeadbeefu);
  EXPECT_TRUE(info.live);
  EXPECT_EQ(info.slot->object, 0u);
}

TEST_F(RegionTest, CountsAllocationsOfEachThreadBeyondTheArenas) {
  EXPECT_EQ(region_->allocate(8, 16, 5, kSite, false)->ordinal, 1u);
  EXPECT_EQ(region_->allocate(8, 16, 5 + kArenas, kSite, false)->ordinal, 1u);
  EXPECT_EQ(region_->allocate(8, 16, 100'000, kSite, false)->ordinal, 1u);
  EXPECT_EQ(region_->allocate(8, 16, 5, kSite, false)->ordinal, 2u);
}

TEST_F(RegionTest, ObjectSlotLivesAsLongAsTheBlock) {
  const std::uintptr_t address = take(64);
  *region_->find(address)->info().slot = {77, 5, 0, 0, 0, 0};
  give_back(address);
  EXPECT_EQ(region_->find(address + 10)->info().slot->object, 77u) << "a use after free must find its object";
  EXPECT_FALSE(region_->find(address + 10)->info().live);
  std::vector<std::uintptr_t> others;
  for (unsigned i = 0; i < kQuarantineBlocks; ++i) others.push_back(take(64));
  for (const std::uintptr_t other : others) give_back(other);
  ASSERT_EQ(take(64), address);
  EXPECT_EQ(region_->find(address)->info().slot->object, 0u);
}

TEST_F(RegionTest, OtherThreadsDoNotMoveAddresses) {
  renew(kRegionBytes);
  std::vector<std::uintptr_t> alone;
  for (std::size_t i = 1; i < 500; ++i) alone.push_back(take(i * 37, 1));
  renew(kRegionBytes);
  for (std::size_t i = 1; i < 500; ++i) {
    take(i * 11, 0);
    take(i * 500, 2);
    ASSERT_EQ(take(i * 37, 1), alone[i - 1]) << i;
    give_back(take(100, 2));
  }
}

TEST_F(RegionTest, QuarantineIsFirstInFirstOut) {
  std::vector<std::uintptr_t> freed;
  for (unsigned i = 0; i < kQuarantineBlocks; ++i) freed.push_back(take(48));
  for (const std::uintptr_t address : freed) give_back(address);
  // Full, nothing came out yet.
  const std::uintptr_t fresh = take(48);
  for (const std::uintptr_t address : freed) ASSERT_NE(fresh, address);
  give_back(fresh);
  EXPECT_EQ(take(48), freed[0]) << "the oldest comes out when one more goes in";
  EXPECT_NE(take(48), freed[1]);
}

TEST_F(RegionTest, QuarantineIsBoundedInBytes) {
  const std::size_t size = kMaxSmall;
  const std::uintptr_t first = take(size);
  give_back(first);
  for (std::size_t bytes = 0; bytes < kQuarantineBytes; bytes += size) give_back(take(size));
  EXPECT_EQ(take(size), first);
}

TEST_F(RegionTest, QuarantineOfAnotherThreadIsApart) {
  const std::uintptr_t mine = take(48, 1);
  give_back(mine);
  for (unsigned i = 0; i < 4 * kQuarantineBlocks; ++i) give_back(take(48, 2));
  EXPECT_NE(take(48, 1), mine);
}

TEST_F(RegionTest, InvalidFreesAreToldApart) {
  const std::uintptr_t address = take(64);
  EXPECT_EQ(give_back(address + 16), FreeResult::kInvalid);
  EXPECT_EQ(give_back(address + 1), FreeResult::kInvalid);
  EXPECT_EQ(give_back(address), FreeResult::kFreed);
  BlockInfo info;
  EXPECT_EQ(region_->release(address, info), FreeResult::kInvalid) << "freed twice";
  EXPECT_EQ(info.base, address);
  EXPECT_FALSE(info.live);
  int local = 0;
  EXPECT_EQ(give_back(reinterpret_cast<std::uintptr_t>(&local)), FreeResult::kForeign);
  EXPECT_EQ(give_back(region_->data()), FreeResult::kInvalid);
  EXPECT_EQ(give_back(region_->data() + region_->data_bytes() - 16), FreeResult::kInvalid);
}

TEST_F(RegionTest, FreedMemoryIsLeftAsItWas) {
  const std::uintptr_t address = take(64);
  std::memset(reinterpret_cast<void*>(address), 0x5a, 64);
  give_back(address);
  for (int i = 0; i < 64; ++i) ASSERT_EQ(reinterpret_cast<unsigned char*>(address)[i], 0x5a);
}

TEST_F(RegionTest, ZeroedAfterReuse) {
  for (const std::size_t size : {16u, 100u, 5'000u, 32'768u, 40'000u, 65'536u, 1'000'000u}) {
    for (int round = 0; round < 600; ++round) {
      const std::uintptr_t address = take(size, 0, 16, true);
      auto* bytes = reinterpret_cast<unsigned char*>(address);
      for (std::size_t i = 0; i < size; i += 1 + size / 512) ASSERT_EQ(bytes[i], 0) << size << " at " << i;
      ASSERT_EQ(bytes[size / 2], 0) << size;
      ASSERT_EQ(bytes[size - 1], 0) << size;
      for (std::size_t i = 0; i < size; i += 1 + size / 512) bytes[i] = 0xff;
      bytes[size - 1] = 0xff;
      give_back(address);
      // A use after free does not spoil the zeros of the next owner.
      bytes[0] = 0xff;
      bytes[size / 2] = 0xff;
      bytes[size - 1] = 0xff;
    }
  }
}

TEST_F(RegionTest, HugeSizesFail) {
  EXPECT_EQ(take(SIZE_MAX), 0u);
  EXPECT_EQ(take(SIZE_MAX - 31), 0u);
  EXPECT_EQ(take(SIZE_MAX / 2), 0u);
  EXPECT_EQ(take(region_->data_bytes()), 0u);
  EXPECT_EQ(take(8, 0, std::size_t{1} << 40), 0u);
  EXPECT_NE(take(8), 0u) << "and nothing is broken afterwards";
}

TEST_F(RegionTest, RunsLongerThanASegment) {
  const std::size_t size = std::size_t{100} << 20;  // a segment of this region has 4 MiB
  const std::uintptr_t address = take(size);
  ASSERT_NE(address, 0u);
  reinterpret_cast<char*>(address)[size - 1] = 1;
  EXPECT_EQ(region_->find(address + size - 1)->payload(), address);
  EXPECT_EQ(region_->find(address + size), nullptr);
}

TEST_F(RegionTest, SpaceOfFreedRunsIsFoundAgain) {
  const std::size_t size = std::size_t{20} << 20;
  for (int i = 0; i < 1000; ++i) {
    const std::uintptr_t address = take(size + static_cast<std::size_t>(i) * 1000);
    ASSERT_NE(address, 0u) << "after " << i;
    give_back(address);
  }
  EXPECT_NE(take(size, 7), 0u) << "also by another thread";
}

TEST_F(RegionTest, SmallBlocksGoOnInSharedSegments) {
  const std::size_t blocks = (std::size_t{12} << 20) / 1024;  // three segments' worth
  std::vector<std::uintptr_t> all;
  for (std::size_t i = 0; i < blocks; ++i) all.push_back(take(1000));
  for (std::size_t i = 0; i < blocks; ++i) {
    ASSERT_NE(all[i], 0u);
    ASSERT_EQ(region_->find(all[i] + 999)->payload(), all[i]);
    ASSERT_EQ(region_->find(all[i] + 1000), nullptr);
  }
}

TEST_F(RegionTest, LargeAlignments) {
  for (std::size_t alignment = 16; alignment <= std::size_t{1} << 22; alignment *= 2) {
    for (int round = 0; round < 3; ++round) {
      const std::uintptr_t address = take(100, 0, alignment);
      ASSERT_EQ(address % alignment, 0u);
      ASSERT_EQ(region_->find(address + 99)->payload(), address);
      ASSERT_EQ(region_->find(address - 1), nullptr);
      ASSERT_EQ(give_back(address), FreeResult::kFreed);
    }
  }
}

// 4 GiB in a region of one.
TEST_F(RegionTest, AlignedRunsAreReused) {
  const std::size_t alignment = std::size_t{1} << 20;
  std::vector<std::uintptr_t> neighbours;
  for (std::uint32_t i = 0; i < 2'000; ++i) {
    if (i % 100 == 0) {
      neighbours.push_back(take(100'000));
      *reinterpret_cast<std::uint32_t*>(neighbours.back()) = i;
    }
    // Of the same class: what one leaves, the other takes, with the header in another place.
    const std::uintptr_t address = i % 2 == 0 ? take(100, 0, alignment) : take(alignment);
    ASSERT_NE(address, 0u);
    ASSERT_EQ(address % (i % 2 == 0 ? alignment : 16), 0u);
    ASSERT_EQ(region_->find(address + 99)->payload(), address);
    std::memset(reinterpret_cast<void*>(address), 0xff, i % 2 == 0 ? 100 : alignment);
    ASSERT_EQ(give_back(address), FreeResult::kFreed);
  }
  for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
    ASSERT_EQ(*reinterpret_cast<std::uint32_t*>(neighbours[i]), i * 100);
    ASSERT_EQ(region_->find(neighbours[i] + 99'999)->payload(), neighbours[i]);
  }
}

TEST_F(RegionTest, AlignedBlocksAreReused) {
  std::uintptr_t highest = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::uintptr_t address = take(200, 0, 64);
    const std::uintptr_t plain = take(200);
    highest = std::max({highest, address, plain});
    give_back(address);
    give_back(plain);
  }
  EXPECT_LT(highest - region_->data(), std::size_t{1} << 20);
}

TEST_F(RegionTest, ManyThreadsStayBounded) {
  std::uintptr_t highest = 0;
  for (std::uint32_t thread = 0; thread < 100'000; ++thread) {
    const std::uintptr_t address = take(300, thread);
    highest = std::max(highest, (address - region_->data()) % (region_->data_bytes() / kSegments));
    give_back(address);
  }
  EXPECT_LT(highest, std::size_t{1} << 18);
}

TEST_F(RegionTest, ResizesInPlaceWithinTheClass) {
  const std::uintptr_t address = take(100);
  EXPECT_TRUE(region_->resize_in_place(address, 112));
  EXPECT_EQ(region_->find(address + 111)->size(), 112u);
  EXPECT_FALSE(region_->resize_in_place(address, 113));
  EXPECT_FALSE(region_->resize_in_place(address, 20)) << "too much would be kept";
  EXPECT_FALSE(region_->resize_in_place(address + 16, 16));
  const std::uintptr_t run = take(100'000);
  EXPECT_TRUE(region_->resize_in_place(run, 131'000));
  EXPECT_FALSE(region_->resize_in_place(run, 132'000));
}

bool is_resident(std::uintptr_t address) {
  unsigned char page = 0;
  return mincore(reinterpret_cast<void*>(address & ~(kPageBytes - 1)), kPageBytes, &page) == 0 && (page & 1) != 0;
}

// A freed run stays as it was left, until there are more of them than may be kept.
TEST_F(RegionTest, FreedRunsKeepTheirPagesWithinTheLimit) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  constexpr std::size_t kRunBytes = 20 * kSpanBytes;  // with its header
  const std::uintptr_t first = take(kBytes);
  auto* const middle = reinterpret_cast<unsigned char*>(first + kBytes / 2);
  *middle = 7;
  give_back(first);
  EXPECT_EQ(*middle, 7);
  std::size_t runs = 1;
  for (bool kept = true; kept; ++runs) {
    ASSERT_LE(runs, kKeptRunBytes / kRunBytes + 1);
    const std::uintptr_t address = take(kBytes);
    ASSERT_NE(address, first) << "still in quarantine";
    *reinterpret_cast<unsigned char*>(address + kBytes / 2) = 1;
    give_back(address);
    kept = is_resident(address + kBytes / 2);
  }
  EXPECT_EQ(runs, kKeptRunBytes / kRunBytes + 1);
}

// A program that needs more at once may keep twice as much.
TEST_F(RegionTest, FreedRunsOfALargeProgramAreKept) {
  constexpr std::size_t kBytes = 2 * kKeptRunBytes;
  renew(kRegionBytes / 4);
  const std::uintptr_t address = take(kBytes);
  *reinterpret_cast<unsigned char*>(address + kBytes / 2) = 7;
  give_back(address);
  EXPECT_TRUE(is_resident(address + kBytes / 2));
  const std::uintptr_t again = take(kBytes);
  *reinterpret_cast<unsigned char*>(again + kBytes / 2) = 7;
  give_back(again);
  EXPECT_TRUE(is_resident(again + kBytes / 2));
  const std::uintptr_t third = take(kBytes);
  *reinterpret_cast<unsigned char*>(third + kBytes / 2) = 7;
  give_back(third);
  EXPECT_FALSE(is_resident(third + kBytes / 2));
}

TEST_F(RegionTest, ZeroedRunsAreZeroWhateverWasThere) {
  renew(kRegionBytes);
  for (const std::size_t bytes : {std::size_t{40'000}, std::size_t{1'000'000}, std::size_t{3'000'000}}) {
    std::vector<std::uintptr_t> used;
    for (std::uint32_t i = 0; i <= kQuarantineBlocks; ++i) {
      used.push_back(take(bytes));
      auto* const block = reinterpret_cast<unsigned char*>(used.back());
      block[0] = block[bytes / 2] = block[bytes - 1] = 9;
      give_back(used.back());
    }
    BlockHeader* const again = region_->allocate(bytes, 16, 0, kSite, true);
    ASSERT_EQ(again->payload(), used.front());
    const auto* const block = reinterpret_cast<const unsigned char*>(again->payload());
    EXPECT_EQ(block[0] | block[bytes / 2] | block[bytes - 1], 0) << bytes;
    give_back(again->payload());
  }
}

TEST_F(RegionTest, FewPagesForASmallProgram) {
  for (std::size_t i = 1; i <= 40; ++i) take(i * 4);  // 40 blocks, 3.3 KiB, 1.3 KiB of headers
  std::vector<unsigned char> resident(16);
  ASSERT_EQ(mincore(reinterpret_cast<void*>(region_->data()), resident.size() * kPageBytes, resident.data()), 0);
  int touched = 0;
  for (const unsigned char page : resident) touched += page & 1;
  EXPECT_LE(touched, 2);
}

TEST_F(RegionTest, WorksInAForkedChild) {
  const std::uintptr_t before = take(100);
  const pid_t child = fork();
  if (child == 0) _exit(give_back(before) == FreeResult::kFreed && take(100) != 0 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(give_back(before), FreeResult::kFreed);
}

TEST_F(RegionTest, OsThreadsDoNotDisturbEachOther) {
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([this, t, &go] {
      while (!go) std::this_thread::yield();
      std::deque<std::uintptr_t> held;
      for (std::size_t i = 0; i < 200'000; ++i) {
        const std::uintptr_t address = take(16 + i % 300);
        *reinterpret_cast<std::uintptr_t*>(address) = address + t;
        held.push_back(address);
        if (held.size() < 50) continue;
        ASSERT_EQ(*reinterpret_cast<std::uintptr_t*>(held.front()), held.front() + t);
        ASSERT_EQ(give_back(held.front()), FreeResult::kFreed);
        held.pop_front();
      }
    });
  }
  go = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(region_->allocate(8, 16, 0, kSite, false)->ordinal, 800'001u) << "no allocation was lost";
}

}  // namespace
}  // namespace ravel::rt
