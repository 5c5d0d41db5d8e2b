// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ZeroedArray against an ordinary array, over memory that is not zero.
#include "base/zeroed_array.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory_resource>
#include <vector>

#include "base/random.h"

namespace ravel {
namespace {

// Hands out memory full of ones, and says how much of it was written since.
class Dirty final : public std::pmr::memory_resource {
 public:
  [[nodiscard]] std::size_t written() const {
    std::size_t bytes = 0;
    for (const std::vector<unsigned char>& block : blocks_) {
      for (const unsigned char byte : block) bytes += byte != 0xff;
    }
    return bytes;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    blocks_.emplace_back(bytes + alignment, 0xff);
    const auto at = reinterpret_cast<std::uintptr_t>(blocks_.back().data());
    return reinterpret_cast<void*>((at + alignment - 1) / alignment * alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::vector<std::vector<unsigned char>> blocks_;
};

TEST(ZeroedArray, LikeAnArrayOfZeros) {
  constexpr std::size_t kCount = 10'000;
  Dirty memory;
  ZeroedArray<std::uint32_t> array(memory, kCount);
  std::vector<std::uint32_t> expected(kCount, 0);
  Random random(7);
  for (int i = 0; i < 3'000; ++i) {
    const std::size_t at = random.below(kCount);
    EXPECT_EQ(array[at], expected[at]);
    if (i % 3 != 0) continue;
    array.at(at) += 5;
    expected[at] += 5;
  }
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(array[i], expected[i]);
}

TEST(ZeroedArray, TouchesWhatIsWritten) {
  Dirty memory;
  ZeroedArray<std::uint64_t> array(memory, 1u << 17);
  for (std::size_t i = 0; i < 1u << 17; ++i) ASSERT_EQ(array[i], 0u);
  EXPECT_LT(memory.written(), 4096u) << "reading clears nothing";
  array.at(100'000) = 1;
  EXPECT_EQ(array[99'999], 0u);
  EXPECT_LT(memory.written(), 3 * 4096u) << "one page";
}

}  // namespace
}  // namespace ravel
