// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The access filter against a model that remembers every byte by itself.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <random>

#include "runtime/record/access_filter.h"
#include "support/access_fake_core.h"

extern "C" {
void __tsan_read1(void*);
void __tsan_read2(void*);
void __tsan_unaligned_read4(void*);
void __tsan_unaligned_read8(void*);
void __tsan_unaligned_read16(void*);
void __tsan_write1(void*);
void __tsan_write2(void*);
void __tsan_unaligned_write4(void*);
void __tsan_unaligned_write8(void*);
void __tsan_unaligned_write16(void*);
}

namespace ravel::rt {
namespace {

constexpr std::uintptr_t kBytes = 128;
constexpr std::size_t kMapped = kFilterMapped;
constexpr std::uint64_t kSome = std::uint64_t{5} << kStampShift;

void call_out(std::uintptr_t address, unsigned size, bool write) {
  void* p = reinterpret_cast<void*>(address);
  switch (size) {
    case 1:
      return write ? __tsan_write1(p) : __tsan_read1(p);
    case 2:
      return write ? __tsan_write2(p) : __tsan_read2(p);
    case 4:
      return write ? __tsan_unaligned_write4(p) : __tsan_unaligned_read4(p);
    case 8:
      return write ? __tsan_unaligned_write8(p) : __tsan_unaligned_read8(p);
    default:
      return write ? __tsan_unaligned_write16(p) : __tsan_unaligned_read16(p);
  }
}

// Who has read and written each byte, as far as nobody else has touched it since.
struct Model {
  std::uint64_t by[2][kBytes + 16] = {};

  [[nodiscard]] bool knows(std::uintptr_t at, unsigned size, bool write, std::uint64_t who) const {
    for (std::uintptr_t i = at; i < at + size; ++i) {
      if (by[write ? 1 : 0][i] != who) return false;
    }
    return true;
  }
  // Others lose what they know of [begin, end).
  void void_others(std::uintptr_t begin, std::uintptr_t end, std::uint64_t who) {
    for (std::uintptr_t i = begin; i < end && i < kBytes + 16; ++i) {
      for (auto& row : by) row[i] = row[i] == who ? who : 0;
    }
  }
  void enter(std::uintptr_t at, unsigned size, bool write, std::uint64_t who) {
    for (std::uintptr_t i = at; i < at + size; ++i) by[write ? 1 : 0][i] = who;
  }
};

std::uintptr_t down(std::uintptr_t at, std::uintptr_t unit) {
  return at & ~(unit - 1);
}

class Filter : public ::testing::Test {
 protected:
  void SetUp() override {
    void* at = reinterpret_cast<void*>(kFilterAddress);
    ASSERT_EQ(mmap(at, kMapped, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0),
              at);
    g_filter = {};
    g_filter.bytes = 4096;
    g_watch = true;
    g_core = {};
  }
  void TearDown() override {
    munmap(reinterpret_cast<void*>(kFilterAddress), kMapped);
    g_filter = {};
    g_watch = false;
    g_core = {};
  }
  // Whether the access was looked at.
  static bool seen(std::uintptr_t at, unsigned size, bool write) {
    const std::size_t before = g_core.plain.size();
    call_out(kFilteredFrom + at, size, write);
    return g_core.plain.size() != before;
  }
};

// Nothing passes that the thread has not accessed byte by byte since anybody else did; and what it has accessed in the
// same size passes unless somebody else was near: in the same 64 bytes for words, in the same 8 for less.
TEST_F(Filter, LetsPassWhatTheModelKnows) {
  std::mt19937 random(7);
  constexpr unsigned kSizes[] = {1, 2, 4, 8, 16};
  Model exact;
  Model words;
  Model bytes;
  std::uint64_t stamps[3] = {1, 2, 3};
  std::uint64_t last = 3;
  unsigned passed = 0;
  for (int i = 0; i < 400'000; ++i) {
    std::uint64_t& mine = stamps[random() % 3];
    if (random() % 20 == 0) mine = ++last;  // a visible operation
    g_filter.stamp = mine << kStampShift;
    for (auto& count : g_filter.quiet) count = 0;
    g_filter.overdue = false;
    const unsigned size = kSizes[random() % 5];
    const std::uintptr_t at = random() % 4 == 0 ? random() % kBytes : random() % 8;
    const bool write = random() % 2 == 0;
    const bool in_words = size % 4 == 0 && at % 4 == 0;
    const bool known = is_known_access(kFilteredFrom + at, size, write, mine << kStampShift);
    ASSERT_TRUE(!known || exact.knows(at, size, write, mine)) << "access " << i << ": " << size << " bytes at " << at;
    const Model& likely = in_words ? words : bytes;
    const bool must = likely.knows(at, size, write, mine) && (in_words || at % 8 + size <= 16);
    ASSERT_TRUE(known || !must) << "access " << i << ": " << size << " bytes at " << at;
    const bool is_passed = !seen(at, size, write);
    ASSERT_TRUE(!is_passed || known) << "access " << i << ": " << size << " bytes at " << at;
    const bool asked = size >= 4 ? size < 16 && at % size == 0 : at % 8 + size <= 8;
    ASSERT_TRUE(is_passed || !(asked && must)) << "access " << i << ": " << size << " bytes at " << at;
    passed += known;
    if (known) continue;
    remember_access(kFilteredFrom + at, size, write, g_filter.stamp);
    exact.void_others(at, at + size, mine);
    words.void_others(down(at, 64), down(at + size - 1, 64) + 64, mine);
    bytes.void_others(down(at, 8), down(at + size - 1, 8) + 8, mine);
    exact.enter(at, size, write, mine);
    (in_words ? words : bytes).enter(at, size, write, mine);
  }
  EXPECT_GT(passed, 5'000u);
}

// Forgetting takes exactly these bytes' cells out of both tables.
TEST_F(Filter, ForgetsWhatWasFreed) {
  g_filter.stamp = kSome;
  for (std::uintptr_t at = 0; at < 256; at += 8) {
    remember_access(kFilteredFrom + at, 8, true, kSome);
    remember_access(kFilteredFrom + at + 1, 1, false, kSome);
  }
  forget_cells(kFilteredFrom + 56, 80);  // up to 136
  for (std::uintptr_t at = 0; at < 256; at += 8) {
    const bool gone = at >= 56 && at < 136;
    EXPECT_NE(is_known_access(kFilteredFrom + at, 8, true, kSome), gone) << at;
    EXPECT_NE(is_known_access(kFilteredFrom + at + 1, 1, false, kSome), gone) << at;
  }
}

TEST_F(Filter, LooksAgainNowAndThen) {
  g_filter.stamp = kSome;
  remember_access(kFilteredFrom, 4, false, g_filter.stamp);
  unsigned in_a_row = 0;
  while (!seen(0, 4, false)) ASSERT_LT(++in_a_row, kQuietAccesses);
  EXPECT_EQ(in_a_row, kQuietAccesses - 1);
  EXPECT_TRUE(g_filter.overdue);
}

TEST_F(Filter, NothingPassesWhereAccessesArePoints) {
  g_filter.stamp = kSome;
  remember_access(kFilteredFrom, 4, true, g_filter.stamp);
  EXPECT_FALSE(seen(0, 4, true));
  g_filter.no_stamp = kNoStamp;
  show_stamp(kSome);
  EXPECT_TRUE(seen(0, 4, true));
}

TEST_F(Filter, TellsOfWritesBeyondTheOwnStack) {
  g_filter.stamp = kSome;
  g_filter.stack_low = kFilteredFrom;
  g_filter.stack_bytes = 64;
  remember_access(kFilteredFrom + 8, 4, true, g_filter.stamp);
  remember_access(kFilteredFrom + 64, 4, true, g_filter.stamp);
  EXPECT_FALSE(seen(8, 4, true));
  EXPECT_FALSE(g_filter.wrote);
  EXPECT_FALSE(seen(64, 4, true));
  EXPECT_TRUE(g_filter.wrote);
}

}  // namespace
}  // namespace ravel::rt
