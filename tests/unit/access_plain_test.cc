// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include <string>

#include "support/access_fake_core.h"

extern "C" {
void __tsan_init();
void __tsan_func_entry(void*);
void __tsan_func_exit();
void __tsan_read1(void*);
void __tsan_read16(void*);
void __tsan_write4(void*);
void __tsan_write8_pc(void*, void*);
void __tsan_read_write2(void*);
void __tsan_unaligned_read8(void*);
void __tsan_unaligned_volatile_write4(void*);
void __tsan_volatile_read1(void*);
void __tsan_read_range(void*, unsigned long);
void __tsan_write_range_pc(void*, unsigned long, void*);
void __tsan_vptr_update(void**, void*);
void __tsan_vptr_read(void**);
void* __tsan_memcpy(void*, const void*, unsigned long);
void* __tsan_memmove(void*, const void*, unsigned long);
void* __tsan_memset(void*, int, unsigned long);
void __tsan_acquire(void*);
void __tsan_release(void*);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void AnnotateHappensBefore(const char*, int, void*);
void AnnotateHappensAfter(const char*, int, void*);
void AnnotateRWLockAcquired(const char*, int, void*, unsigned long);
void AnnotateRWLockReleased(const char*, int, void*, unsigned long);
void AnnotateBenignRaceSized(const char*, int, void*, unsigned long, const char*);
void* __tsan_create_fiber(unsigned);
}

namespace ravel::rt {
namespace {

std::uintptr_t number(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

class PlainTest : public ::testing::Test {
 protected:
  void SetUp() override {
    g_core = {};
    g_callouts = 0;
    g_watch = true;
  }
  void TearDown() override { g_watch = false; }

  void expect_one(std::uint32_t size, bool write) {
    ASSERT_EQ(g_core.plain.size(), 1u);
    EXPECT_EQ(g_core.plain[0].address, number(place_));
    EXPECT_EQ(g_core.plain[0].size, size);
    EXPECT_EQ(g_core.plain[0].write, write);
    g_core.plain.clear();
  }
  alignas(16) char place_[256] = {};
};

TEST_F(PlainTest, WidthsAndDirections) {
  __tsan_read1(place_);
  expect_one(1, false);
  __tsan_read16(place_);
  expect_one(16, false);
  __tsan_write4(place_);
  expect_one(4, true);
  __tsan_read_write2(place_);
  expect_one(2, true);
  __tsan_unaligned_read8(place_);
  expect_one(8, false);
  __tsan_unaligned_volatile_write4(place_);
  expect_one(4, true);
  __tsan_volatile_read1(place_);
  expect_one(1, false);
  __tsan_vptr_read(reinterpret_cast<void**>(place_));
  expect_one(8, false);
}

TEST_F(PlainTest, NothingIsLookedAtWithOneThread) {
  g_watch = false;
  __tsan_read1(place_);
  __tsan_write8_pc(place_, place_);
  __tsan_read_range(place_, 200);
  __tsan_acquire(place_);
  AnnotateHappensBefore("", 0, place_);
  EXPECT_TRUE(g_core.plain.empty());
  EXPECT_TRUE(g_core.annotations.empty());
}

TEST_F(PlainTest, LocationIsTheCallersOrTheGivenOne) {
  __tsan_write4(place_);
  const std::uintptr_t here = number(reinterpret_cast<void*>(&number));
  const std::uintptr_t pc = g_core.plain[0].pc;
  EXPECT_LT(pc > here ? pc - here : here - pc, std::uintptr_t{1} << 24);
  g_core.plain.clear();
  __tsan_write8_pc(place_, reinterpret_cast<void*>(0x1234));
  EXPECT_EQ(g_core.plain[0].pc, 0x1234u);
}

TEST_F(PlainTest, LongRangesAreSplitWithoutGaps) {
  const unsigned long size = 200'000;
  __tsan_write_range_pc(place_, size, reinterpret_cast<void*>(7));
  std::uintptr_t next = number(place_);
  ASSERT_GT(g_core.plain.size(), 3u);
  for (const Plain& part : g_core.plain) {
    EXPECT_EQ(part.address, next);
    EXPECT_LE(part.size, 0xffffu);
    EXPECT_GT(part.size, 0u);
    EXPECT_TRUE(part.write);
    EXPECT_EQ(part.pc, 7u);
    next += part.size;
  }
  EXPECT_EQ(next, number(place_) + size);
  g_core.plain.clear();
  __tsan_read_range(place_, 65'535);
  expect_one(65'535, false);
  __tsan_read_range(place_, 0);
  EXPECT_TRUE(g_core.plain.empty());
}

TEST_F(PlainTest, VirtualPointerIsWrittenOnlyWhenItChanges) {
  void* vptr = place_;
  __tsan_vptr_update(&vptr, place_);
  EXPECT_TRUE(g_core.plain.empty());
  __tsan_vptr_update(&vptr, place_ + 8);
  ASSERT_EQ(g_core.plain.size(), 1u);
  EXPECT_TRUE(g_core.plain[0].write);
  EXPECT_EQ(vptr, place_) << "the program writes it, not the call-out";
}

TEST_F(PlainTest, BlockOperationsTellAndDo) {
  char from[8] = "abcdefg";
  EXPECT_EQ(__tsan_memcpy(place_, from, 8), place_);
  ASSERT_EQ(g_core.plain.size(), 2u);
  EXPECT_EQ(g_core.plain[0].address, number(from));
  EXPECT_FALSE(g_core.plain[0].write);
  EXPECT_TRUE(g_core.plain[1].write);
  EXPECT_STREQ(place_, "abcdefg");
  __tsan_memmove(place_ + 1, place_, 7);
  EXPECT_STREQ(place_, "aabcdefg");
  __tsan_memset(place_, 'z', 3);
  EXPECT_STREQ(place_, "zzzcdefg");
}

TEST_F(PlainTest, FunctionsAreCountedAndFollowed) {
  g_watch = false;
  __tsan_init();
  __tsan_func_entry(reinterpret_cast<void*>(42));
  __tsan_func_exit();
  EXPECT_EQ(g_callouts, 2u);
  EXPECT_EQ(g_core.entered, std::vector<std::uintptr_t>{42});
  EXPECT_EQ(g_core.left, 1);
}

TEST_F(PlainTest, DeclaredOrderBecomesAcquireAndRelease) {
  __tsan_acquire(place_);
  __tsan_release(place_);
  __tsan_mutex_post_lock(place_, 0, 0);
  __tsan_mutex_post_lock(place_, 1 << 5, 0);  // a try that failed
  EXPECT_EQ(__tsan_mutex_pre_unlock(place_, 0), 0);
  AnnotateHappensBefore("", 0, place_);
  AnnotateHappensAfter("", 0, place_);
  AnnotateRWLockAcquired("", 0, place_, 1);
  AnnotateRWLockReleased("", 0, place_, 1);
  AnnotateBenignRaceSized("", 0, place_, 8, "");
  std::string order;
  for (const Annotation& a : g_core.annotations) order += a.acquire ? 'a' : 'r';
  EXPECT_EQ(order, "ararraar");
}

TEST_F(PlainTest, FiberHandlesAreNotNull) {
  EXPECT_NE(__tsan_create_fiber(0), nullptr);
}

}  // namespace
}  // namespace ravel::rt
