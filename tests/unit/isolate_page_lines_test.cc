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
    (round % 2 == 0 ? copy_lines : copy_lines_plainly)(&page, 1);
    ASSERT_EQ(std::memcmp(&now, &saved, sizeof now), 0);
  }
}

}  // namespace
}  // namespace ravel
