// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory_resource>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/hash.h"
#include "base/invariant.h"
#include "base/place_map.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/two_slots.h"

namespace ravel {
namespace {

class Range {
 public:
  explicit Range(std::size_t bytes) : bytes_(bytes) {
    data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Range() { munmap(data_, bytes_); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_;
  std::size_t bytes_;
};

TEST(Arena, BlocksAreApartAndAligned) {
  Range range(1 << 20);
  Arena* arena = Arena::create(range.data(), 1 << 20);
  Random random(1);
  struct Block {
    unsigned char* data;
    std::size_t bytes;
    std::size_t alignment;
    unsigned char mark;
  };
  std::vector<Block> blocks;
  for (int i = 0; i < 20'000; ++i) {
    if (blocks.size() > 200 || (!blocks.empty() && random.below(2) == 0)) {
      const std::size_t k = random.below(blocks.size());
      for (std::size_t b = 0; b < blocks[k].bytes; ++b) ASSERT_EQ(blocks[k].data[b], blocks[k].mark);
      arena->deallocate(blocks[k].data, blocks[k].bytes, blocks[k].alignment);
      blocks[k] = blocks.back();
      blocks.pop_back();
      continue;
    }
    const std::size_t bytes = random.below(400);
    const std::size_t alignment = std::size_t{1} << random.below(7);
    auto* data = static_cast<unsigned char*>(arena->try_allocate(bytes, alignment));
    ASSERT_NE(data, nullptr);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(data) % alignment, 0u);
    const auto mark = static_cast<unsigned char>(i);
    std::memset(data, mark, bytes);
    blocks.push_back({data, bytes, alignment, mark});
  }
}

TEST(Arena, GrowingVectorsDoNotLeakWithoutBound) {
  Range range(1 << 22);
  Arena* arena = Arena::create(range.data(), 1 << 22);
  std::size_t after_first = 0;
  for (int round = 0; round < 1'000; ++round) {
    std::pmr::vector<int> numbers(arena);
    for (int i = 0; i < 10'000; ++i) numbers.push_back(i);
    if (round == 0) after_first = arena->used();
  }
  EXPECT_EQ(arena->used(), after_first);
}

TEST(Arena, FullIsNullAndResetIsEmpty) {
  Range range(1 << 16);
  Arena* arena = Arena::create(range.data(), 1 << 16);
  const std::size_t empty = arena->used();
  unsigned blocks = 0;
  while (arena->try_allocate(1'000) != nullptr) ++blocks;
  EXPECT_GT(blocks, 45u);
  EXPECT_EQ(arena->try_allocate(1 << 20), nullptr);
  arena->reset();
  EXPECT_EQ(arena->used(), empty);
  EXPECT_NE(arena->try_allocate(1'000), nullptr);
}

TEST(Arena, AnotherProcessGoesOn) {
  Range range(1 << 20);
  Arena::create(range.data(), 1 << 20);
  for (int process = 0; process < 3; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      Arena* arena = Arena::adopt(range.data());
      auto* block = static_cast<int*>(arena->allocate(sizeof(int) * 100));
      block[0] = process;
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  Arena* arena = Arena::adopt(range.data());
  auto* next = static_cast<unsigned char*>(arena->allocate(400));
  // Three blocks of 400 bytes, rounded to 448, lie before this one.
  for (int process = 0; process < 3; ++process) {
    int value = -1;
    std::memcpy(&value, next - std::size_t(3 - process) * 448, sizeof(value));
    EXPECT_EQ(value, process);
  }
  EXPECT_EQ(arena->offset_of(next), static_cast<std::size_t>(next - static_cast<unsigned char*>(range.data())));
}

static_assert(Random(1).next() == Random(1).next());
static_assert(Random(1).next() != Random(2).next());
static_assert(derive_seed(1, 2) != derive_seed(2, 1));
// The reference values of SplitMix64 for seed 1234567.
static_assert([] {
  SplitMix64 r(1234567);
  return r.next() == 6457827717110365317ull && r.next() == 3203168211198807973ull;
}());

TEST(Random, BoundedNumbersAreUniform) {
  // Six faces, 600 000 throws: chi-square with 5 degrees of freedom is above 25.7 once in ten thousand seeds.
  Random random(42);
  std::uint64_t faces[6] = {};
  for (int i = 0; i < 600'000; ++i) ++faces[random.below(6)];
  double chi = 0;
  for (const std::uint64_t n : faces) chi += (double(n) - 1e5) * (double(n) - 1e5) / 1e5;
  EXPECT_LT(chi, 25.7);
  // A bound where "modulo" would prefer the lower half by two to one.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62);
  unsigned low = 0;
  for (int i = 0; i < 30'000; ++i) low += random.below(bound) < bound / 2;
  EXPECT_NEAR(low, 15'000, 5 * 87);
  EXPECT_EQ(random.below(0), 0u);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Hash, OrderAndLengthMatter) {
  EXPECT_NE(hash_combine(hash_combine(0, 1), 2), hash_combine(hash_combine(0, 2), 1));
  std::set<std::uint64_t> seen;
  for (const char* text : {"", "a", "b", "ab", "ba", "abcdefgh", "abcdefgha", "abcdefghab"})
    seen.insert(hash_bytes(0, text));
  seen.insert(hash_bytes(0, std::string_view("\0", 1)));
  EXPECT_EQ(seen.size(), 9u);
}

TEST(PlaceMap, BehavesAsAMap) {
  PlaceMap map(*std::pmr::new_delete_resource(), 16, 1 << 12);
  std::unordered_map<std::uint64_t, std::uint32_t> model;
  Random random(9);
  for (int i = 0; i < 300'000; ++i) {
    const std::uint64_t key = random.below(1'500);
    const auto found = model.find(key);
    ASSERT_EQ(map.find(key), found == model.end() ? 0 : found->second);
    if (found != model.end()) {
      if (random.below(2) == 0) {
        map.erase(key);
        model.erase(found);
      }
    } else if (random.below(3) != 0) {
      const auto value = static_cast<std::uint32_t>(1 + random.below(1'000'000));
      ASSERT_TRUE(map.insert(key, value));
      model[key] = value;
    }
    if (i % 50'000 == 49'999) {
      map.clear();
      model.clear();
    }
    ASSERT_EQ(map.size(), model.size());
  }
}

TEST(PlaceMap, RefusesBeyondItsLimit) {
  PlaceMap map(*std::pmr::new_delete_resource(), 16, 64);
  std::uint64_t key = 0;
  while (map.insert(key, 1)) ++key;
  EXPECT_GE(key, 32u);
  EXPECT_LT(key, 64u);
  for (std::uint64_t k = 0; k < key; ++k) EXPECT_EQ(map.find(k), 1u);
  EXPECT_EQ(map.find(key), 0u);
}

TEST(Pool, NumbersAreReusedAndBounded) {
  Pool<std::uint64_t> pool(*std::pmr::new_delete_resource(), 3);
  const std::uint32_t a = pool.add(10);
  const std::uint32_t b = pool.add(20);
  const std::uint32_t c = pool.add(30);
  EXPECT_EQ(pool.add(40), 0u);
  pool.remove(b);
  EXPECT_EQ(pool.add(50), b);
  EXPECT_EQ(pool[a] + pool[b] + pool[c], 90u);
  pool.clear();
  EXPECT_EQ(pool.add(60), 1u);
}

TEST(SparseArray, NeedsNoZeroedMemory) {
  Range range(1 << 16);
  std::memset(range.data(), 0xa5, 1 << 16);
  Arena* arena = Arena::create(range.data(), 1 << 16);
  SparseArray<int> array(*arena, 100);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(array.find(i), nullptr);
  array.insert(7, 70);
  array.insert(99, 990);
  EXPECT_EQ(*array.find(7), 70);
  EXPECT_EQ(*array.find(99), 990);
  EXPECT_EQ(array.find(0), nullptr);
  EXPECT_EQ(array.find(100), nullptr);
  array.clear();
  EXPECT_EQ(array.find(7), nullptr);
  array.insert(99, 1);
  EXPECT_EQ(array.find(7), nullptr);
  EXPECT_EQ(*array.find(99), 1);
}

TEST(TwoSlots, ChangesTakeEffectAtTheCommit) {
  TwoSlots<int> state;
  state.prepare() = 5;
  EXPECT_EQ(state.current(), 0);
  state.commit();
  EXPECT_EQ(state.current(), 5);
  state.prepare() = 6;
  state.prepare() += 2;  // prepared again: from the current state
  state.commit();
  EXPECT_EQ(state.current(), 7);
  state.recover(1);  // one step back
  EXPECT_EQ(state.current(), 5);
}

TEST(InvariantDeathTest, SaysWhatAndWhy) {
  EXPECT_DEATH(INVARIANT(1 + 1 == 3, "sums hold"),
               "internal error: sums hold \\(1 \\+ 1 == 3 at base_test.cc:[0-9]+\\)");
  INVARIANT(true, "fine");
  EXPECT_DEATH(
      {
        set_invariant_handler([](const InvariantFailure& f) { dprintf(2, "handler got %s\n", f.why); });
        INVARIANT(false, "this");
      },
      "handler got this");
}

}  // namespace
}  // namespace ravel
