// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two copies of a page, compared and copied by lines of 64 bytes. Most lines of most pages are equal: comparing them is
// what a rollback spends its time with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

// One bit for each line of two pages, both aligned to pages.
std::uint64_t differing_lines(const unsigned char* one, const unsigned char* other);

// Lines of one page that are copied, for a list of pages.
struct LinesOfPage {
  unsigned char* to;
  const unsigned char* from;
  std::uint64_t lines;
};
void copy_lines(const LinesOfPage* pages, std::size_t count);

// What the processor is not asked for. For tests.
std::uint64_t differing_lines_plainly(const unsigned char* one, const unsigned char* other);
void copy_lines_plainly(const LinesOfPage* pages, std::size_t count);

}  // namespace ravel
