// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Facts in memory: readable, and sealed against everybody.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/facts_memory.h"

namespace ravel {
namespace {

TEST(FactsMemory, CanBeReadAndNeverChanged) {
  const auto memory = FactsMemory::create("facts");
  ASSERT_TRUE(memory.has_value());
  const int fd = (*memory)->descriptor();
  EXPECT_EQ((*memory)->bytes(), 5u);
  char text[5] = {};
  EXPECT_EQ(pread(fd, text, sizeof text, 0), 5);
  EXPECT_EQ(std::string(text, 5), "facts");
  EXPECT_LT(pwrite(fd, "x", 1, 0), 0);
  EXPECT_NE(ftruncate(fd, 3), 0);
  EXPECT_NE(ftruncate(fd, 9), 0);
  EXPECT_EQ(mmap(nullptr, 5, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
  void* mapped = mmap(nullptr, 5, PROT_READ, MAP_SHARED, fd, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_NE(mprotect(mapped, 5, PROT_READ | PROT_WRITE), 0);
  munmap(mapped, 5);
}

}  // namespace
}  // namespace ravel
