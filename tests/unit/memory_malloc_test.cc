// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C functions; memory.cmake compiles them under other names, so that the test keeps its own malloc.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "runtime/memory/heap.h"
#include "runtime/memory/hooks.h"
#include "runtime/platform/pages.h"

extern "C" {
void* ravel_test_malloc(std::size_t size);
void ravel_test_free(void* pointer);
void* ravel_test_calloc(std::size_t count, std::size_t each);
void* ravel_test_realloc(void* pointer, std::size_t size);
void* ravel_test_reallocarray(void* pointer, std::size_t count, std::size_t each);
void* ravel_test_memalign(std::size_t alignment, std::size_t size);
void* ravel_test_aligned_alloc(std::size_t alignment, std::size_t size);
int ravel_test_posix_memalign(void** result, std::size_t alignment, std::size_t size);
void* ravel_test_valloc(std::size_t size);
void* ravel_test_pvalloc(std::size_t size);
std::size_t ravel_test_malloc_usable_size(void* pointer);
int ravel_test_malloc_trim(std::size_t);
int ravel_test_mallopt(int, int);
}

namespace ravel::rt {

// The hooks of this test in place of core's.
struct Seen {
  std::vector<BlockInfo> allocated;
  std::vector<BlockInfo> freed;
  std::vector<std::uintptr_t> invalid;
  std::uintptr_t free_pc = 0;
};
Seen g_seen;
unsigned g_thread = 0;

unsigned heap_thread_index() {
  return g_thread;
}
bool g_refuse = false;
bool refuse_alloc(std::uintptr_t) {
  return g_refuse;
}
void on_alloc(const BlockInfo& block) {
  g_seen.allocated.push_back(block);
}
void on_free(const BlockInfo& block, std::uintptr_t pc) {
  g_seen.freed.push_back(block);
  g_seen.free_pc = pc;
}
void on_invalid_free(const BlockInfo&, std::uintptr_t address, std::uintptr_t) {
  g_seen.invalid.push_back(address);
}

namespace {

std::uintptr_t number(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

class MallocTest : public ::testing::Test {
 protected:
  void SetUp() override {
    g_seen = {};
    g_thread = 0;
    errno = 0;
  }
};

TEST_F(MallocTest, HooksSeeBlocksAndCallers) {
  g_thread = 4;
  void* p = ravel_test_malloc(100);
  ASSERT_EQ(g_seen.allocated.size(), 1u);
  const BlockInfo block = g_seen.allocated[0];
  EXPECT_EQ(block.base, number(p));
  EXPECT_EQ(block.size, 100u);
  EXPECT_EQ(block.thread, 4u);
  const auto here = number(reinterpret_cast<void*>(&number));
  EXPECT_LT(block.site > here ? block.site - here : here - block.site, std::uintptr_t{1} << 24)
      << "not this test's code";
  ravel_test_free(p);
  ASSERT_EQ(g_seen.freed.size(), 1u);
  EXPECT_EQ(g_seen.freed[0].ordinal, block.ordinal);
  EXPECT_NE(g_seen.free_pc, block.site);
  ravel_test_free(p);
  EXPECT_EQ(g_seen.invalid, std::vector<std::uintptr_t>{number(p)});
}

TEST_F(MallocTest, FindsBlocksOfTheProcess) {
  char* p = static_cast<char*>(ravel_test_malloc(100));
  BlockInfo block;
  EXPECT_TRUE(in_heap(number(p)));
  ASSERT_TRUE(find_block(number(p + 99), block));
  EXPECT_EQ(block.base, number(p));
  EXPECT_FALSE(find_block(number(p + 100), block));
  EXPECT_FALSE(find_block(number(&block), block));
  EXPECT_GE(number(p), kHeapAddress);
  EXPECT_LT(number(p), kHeapAddress + kHeapBytes);
}

TEST_F(MallocTest, ReallocKeepsContents) {
  unsigned char* p = nullptr;
  std::size_t old_size = 0;
  for (const std::size_t size : {10u, 100u, 90u, 20u, 5'000u, 40'000u, 300'000u, 70'000u, 100u}) {
    p = static_cast<unsigned char*>(ravel_test_realloc(p, size));
    ASSERT_NE(p, nullptr);
    for (std::size_t i = 0; i < std::min(size, old_size); ++i) ASSERT_EQ(p[i], static_cast<unsigned char>(i * 7));
    for (std::size_t i = 0; i < size; ++i) p[i] = static_cast<unsigned char>(i * 7);
    EXPECT_EQ(ravel_test_malloc_usable_size(p), size);
    old_size = size;
  }
  EXPECT_EQ(ravel_test_realloc(p, 0), nullptr);
  EXPECT_EQ(g_seen.freed.size(), g_seen.allocated.size());
}

TEST_F(MallocTest, FailedReallocLeavesTheBlock) {
  char* p = static_cast<char*>(ravel_test_malloc(10));
  p[9] = 'x';
  EXPECT_EQ(ravel_test_realloc(p, SIZE_MAX / 2), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(p[9], 'x');
  EXPECT_EQ(ravel_test_malloc_usable_size(p), 10u);
}

TEST_F(MallocTest, OverflowsAreRefused) {
  const std::size_t wraps = SIZE_MAX / 4 + 3;  // times 4 is 8
  EXPECT_EQ(ravel_test_calloc(wraps, 4), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(ravel_test_reallocarray(nullptr, wraps, 4), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(ravel_test_malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(ravel_test_pvalloc(SIZE_MAX), nullptr);
}

TEST_F(MallocTest, Alignments) {
  EXPECT_EQ(number(ravel_test_malloc(1)) % 16, 0u);
  EXPECT_EQ(number(ravel_test_memalign(100, 10)) % 128, 0u);
  EXPECT_EQ(ravel_test_memalign(SIZE_MAX, 10), nullptr);
  EXPECT_EQ(number(ravel_test_aligned_alloc(64, 10)) % 64, 0u);
  EXPECT_EQ(ravel_test_aligned_alloc(48, 10), nullptr);
  EXPECT_EQ(errno, EINVAL);
  errno = 0;
  void* p = nullptr;
  EXPECT_EQ(ravel_test_posix_memalign(&p, 256, 10), 0);
  EXPECT_EQ(number(p) % 256, 0u);
  EXPECT_EQ(ravel_test_posix_memalign(&p, 4, 10), EINVAL);
  EXPECT_EQ(ravel_test_posix_memalign(&p, 64, SIZE_MAX), ENOMEM);
  EXPECT_EQ(errno, 0) << "posix_memalign tells by its result only";
  EXPECT_EQ(number(ravel_test_valloc(10)) % kPageBytes, 0u);
  p = ravel_test_pvalloc(kPageBytes + 1);
  EXPECT_EQ(number(p) % kPageBytes, 0u);
  EXPECT_EQ(ravel_test_malloc_usable_size(p), 2 * kPageBytes);
}

TEST_F(MallocTest, NullAndEmpty) {
  ravel_test_free(nullptr);
  EXPECT_EQ(ravel_test_malloc_usable_size(nullptr), 0u);
  void* a = ravel_test_malloc(0);
  void* b = ravel_test_malloc(0);
  EXPECT_NE(a, nullptr);
  EXPECT_NE(a, b);
  ravel_test_free(a);
  EXPECT_TRUE(g_seen.invalid.empty());
}

TEST_F(MallocTest, ForeignPointers) {
  // The last page before a hole: what is beyond must not be read.
  auto* pages =
      static_cast<char*>(mmap(nullptr, 2 * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  munmap(pages + kPageBytes, kPageBytes);
  char* foreign = pages + kPageBytes - 32;
  std::memcpy(foreign, "made by another allocator", 26);
  ravel_test_free(foreign);
  EXPECT_TRUE(g_seen.freed.empty());
  char* moved = static_cast<char*>(ravel_test_realloc(foreign, 10'000));
  ASSERT_NE(moved, nullptr);
  EXPECT_STREQ(moved, "made by another allocator");
  EXPECT_EQ(ravel_test_malloc_usable_size(foreign), 0u);
}

TEST_F(MallocTest, ARefusedAllocationIsNoMemory) {
  char* kept = static_cast<char*>(ravel_test_malloc(20));
  std::strcpy(kept, "kept");
  g_seen = {};
  g_refuse = true;
  EXPECT_EQ(ravel_test_malloc(10), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(ravel_test_calloc(2, 10), nullptr);
  EXPECT_EQ(ravel_test_realloc(kept, 100'000), nullptr);
  void* aligned = kept;
  EXPECT_EQ(ravel_test_posix_memalign(&aligned, 64, 10), ENOMEM);
  EXPECT_EQ(aligned, kept);
  g_refuse = false;
  EXPECT_TRUE(g_seen.allocated.empty() && g_seen.freed.empty());
  EXPECT_STREQ(kept, "kept") << "a realloc that fails leaves the block";
  ravel_test_free(kept);
  EXPECT_TRUE(g_seen.invalid.empty());
}

TEST_F(MallocTest, CallsThatHaveNothingToDo) {
  EXPECT_EQ(ravel_test_malloc_trim(0), 0);
  EXPECT_EQ(ravel_test_mallopt(-8, 1), 1);
}

}  // namespace
}  // namespace ravel::rt
