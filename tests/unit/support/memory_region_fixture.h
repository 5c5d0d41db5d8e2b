// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A heap of the test's own, away from the test's malloc.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "runtime/memory/region.h"

namespace ravel::rt {

inline constexpr std::uintptr_t kTestAddress = 0x520000000000;
inline constexpr std::uintptr_t kSite = 0x1234;

class RegionTest : public ::testing::Test {
 protected:
  void SetUp() override { renew(std::size_t{1} << 30); }
  void TearDown() override { Region::destroy(region_); }

  void renew(std::size_t bytes) {
    if (region_ != nullptr) Region::destroy(region_);
    region_ = Region::create(kTestAddress, bytes);
    ASSERT_NE(region_, nullptr);
  }
  std::uintptr_t take(std::size_t size, std::uint32_t thread = 0, std::size_t alignment = 16, bool zero = false) {
    BlockHeader* block = region_->allocate(size, alignment, thread, kSite, zero);
    return block != nullptr ? block->payload() : 0;
  }
  FreeResult give_back(std::uintptr_t address) {
    BlockInfo ignored;
    return region_->release(address, ignored);
  }

  Region* region_ = nullptr;
};

}  // namespace ravel::rt
