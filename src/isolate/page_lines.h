// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two copies of a page, compared and copied by lines of 64 bytes. What a rollback spends its time with is fetching
// them: most lines of most pages are equal, and most of those are zero, which needs no second copy to be seen.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

inline constexpr std::uint64_t kAllLines = ~std::uint64_t{0};

// One bit for each line of two pages, both aligned to pages.
std::uint64_t differing_lines(const unsigned char* one, const unsigned char* other);

// Lines of one page that are copied, for a list of pages.
struct LinesOfPage {
  unsigned char* to;
  const unsigned char* from;
  std::uint64_t lines;     // that are copied
  std::uint64_t zero = 0;  // lines of `from` that are known to be zero; the others may be too
};
void copy_lines(const LinesOfPage* pages, std::size_t count);

// Which lines of a page are zero.
std::uint64_t zero_lines(const unsigned char* page);

// Makes the pages equal: copies their lines, compares the others (there are none where all are copied), and where these
// differ copies them too and adds them. True: nothing was added.
bool make_equal(LinesOfPage* pages, std::size_t count);

// Without words of a whole line, where the processor has them; without any that it is asked for. For tests.
void copy_lines_in_halves(const LinesOfPage* pages, std::size_t count);
bool make_equal_in_halves(LinesOfPage* pages, std::size_t count);
std::uint64_t differing_lines_plainly(const unsigned char* one, const unsigned char* other);
void copy_lines_plainly(const LinesOfPage* pages, std::size_t count);
bool make_equal_plainly(LinesOfPage* pages, std::size_t count);

}  // namespace ravel
