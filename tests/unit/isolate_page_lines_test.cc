// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/page_lines.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/random.h"

namespace ravel {
namespace {

struct alignas(4096) Page {
  unsigned char bytes[4096];
};

// Every single byte of a page makes its own line differ and no other, by both ways of looking.
TEST(PageLines, EachByteIsSeen) {
  static Page one = {};
  static Page other = {};
  for (std::size_t i = 0; i < sizeof one.bytes; ++i) {
    one.bytes[i] = 1;
    const std::uint64_t line = std::uint64_t{1} << (i / 64);
    ASSERT_EQ(differing_lines(one.bytes, other.bytes), line) << i;
    ASSERT_EQ(differing_lines_plainly(one.bytes, other.bytes), line) << i;
    one.bytes[i] = 0;
  }
  EXPECT_EQ(differing_lines(one.bytes, other.bytes), 0u);
}

TEST(PageLines, CopyingThemMakesPagesEqual) {
  SplitMix64 random(3);
  static Page saved = {};
  static Page now = {};
  for (unsigned char& byte : saved.bytes) byte = static_cast<unsigned char>(random.next());
  for (int round = 0; round < 500; ++round) {
    now = saved;
    const std::uint64_t writes = random.next() % 100;
    for (std::uint64_t i = 0; i < writes; ++i) now.bytes[random.next() % 4096] ^= 1;
    const std::uint64_t lines = differing_lines(now.bytes, saved.bytes);
    ASSERT_EQ(lines, differing_lines_plainly(now.bytes, saved.bytes));
    const LinesOfPage page = {now.bytes, saved.bytes, lines};
    (round % 3 == 0 ? copy_lines : round % 3 == 1 ? copy_lines_in_halves : copy_lines_plainly)(&page, 1);
    ASSERT_EQ(std::memcmp(&now, &saved, sizeof now), 0);
  }
}

// Pages whose saved copy is partly zero: whatever was written, known before or not, is put back; and it is reported
// exactly whether something beyond the known lines was.
TEST(PageLines, MakesPagesEqualAndTellsNews) {
  SplitMix64 random(5);
  static Page saved = {};
  static Page now = {};
  for (int round = 0; round < 2000; ++round) {
    for (std::size_t line = 0; line < 64; ++line) {
      const bool zero = random.next() % 4 != 0;
      for (std::size_t i = 0; i < 64; ++i) {
        saved.bytes[line * 64 + i] = zero ? 0 : static_cast<unsigned char>(random.next() % 3);
      }
    }
    now = saved;
    const std::uint64_t known = random.next() & random.next();
    const std::uint64_t writes = random.next() % 4;
    for (std::uint64_t i = 0; i < writes; ++i) now.bytes[random.next() % 4096] ^= 1;
    const std::uint64_t written = differing_lines_plainly(now.bytes, saved.bytes);
    for (const auto make : {make_equal, make_equal_in_halves, make_equal_plainly}) {
      Page target = now;
      LinesOfPage page = {target.bytes, saved.bytes, known, zero_lines(saved.bytes)};
      ASSERT_EQ(make(&page, 1), (written & ~known) == 0);
      ASSERT_EQ(page.lines, known | written);
      ASSERT_EQ(std::memcmp(&target, &saved, sizeof now), 0);
    }
  }
}

// A byte anywhere in a page of zeros is seen, and in one that only seems to be zero in its first bytes.
TEST(PageLines, ZeroLinesAreThoseOfZerosOnly) {
  static Page page = {};
  EXPECT_EQ(zero_lines(page.bytes), ~std::uint64_t{0});
  for (std::size_t i = 0; i < sizeof page.bytes; ++i) {
    page.bytes[i] = 128;
    ASSERT_EQ(zero_lines(page.bytes), ~(std::uint64_t{1} << (i / 64))) << i;
    page.bytes[i] = 0;
  }
}

}  // namespace
}  // namespace ravel
