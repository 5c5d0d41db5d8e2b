// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/page_lines.h"

#include <immintrin.h>

#include <cstddef>

namespace ravel {

namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kLines = 64;
constexpr std::size_t kTogether = 4;  // lines that are looked at one by one only if they are not all equal

__attribute__((target("avx2"))) inline __m256i difference(const unsigned char* one, const unsigned char* other) {
  const auto* a = reinterpret_cast<const __m256i*>(one);
  const auto* b = reinterpret_cast<const __m256i*>(other);
  return _mm256_or_si256(_mm256_xor_si256(_mm256_load_si256(a), _mm256_load_si256(b)),
                         _mm256_xor_si256(_mm256_load_si256(a + 1), _mm256_load_si256(b + 1)));
}

__attribute__((target("avx2"))) std::uint64_t differing_lines_avx2(const unsigned char* one,
                                                                   const unsigned char* other) {
  std::uint64_t lines = 0;
  for (std::size_t first = 0; first < kLines; first += kTogether) {
    const unsigned char* const a = one + first * kLine;
    const unsigned char* const b = other + first * kLine;
    const __m256i d0 = difference(a, b);
    const __m256i d1 = difference(a + kLine, b + kLine);
    const __m256i d2 = difference(a + 2 * kLine, b + 2 * kLine);
    const __m256i d3 = difference(a + 3 * kLine, b + 3 * kLine);
    const __m256i all = _mm256_or_si256(_mm256_or_si256(d0, d1), _mm256_or_si256(d2, d3));
    if (_mm256_testz_si256(all, all) != 0) continue;
    const unsigned differ = (_mm256_testz_si256(d0, d0) == 0 ? 1u : 0u) | (_mm256_testz_si256(d1, d1) == 0 ? 2u : 0u) |
                            (_mm256_testz_si256(d2, d2) == 0 ? 4u : 0u) | (_mm256_testz_si256(d3, d3) == 0 ? 8u : 0u);
    lines |= std::uint64_t{differ} << first;
  }
  return lines;
}

// Asked once, before the first snapshot is written back; the answer never changes.
const bool has_avx2 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
}();
const bool has_wide = [] {
  __builtin_cpu_init();
  return has_avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}();

}  // namespace

std::uint64_t differing_lines_plainly(const unsigned char* one, const unsigned char* other) {
  std::uint64_t lines = 0;
  for (std::size_t line = 0; line < kLines; ++line) {
    const auto* a = reinterpret_cast<const __m128i*>(one + line * kLine);
    const auto* b = reinterpret_cast<const __m128i*>(other + line * kLine);
    __m128i same = _mm_cmpeq_epi8(_mm_load_si128(a), _mm_load_si128(b));
    for (int part = 1; part < 4; ++part) {
      same = _mm_and_si128(same, _mm_cmpeq_epi8(_mm_load_si128(a + part), _mm_load_si128(b + part)));
    }
    if (_mm_movemask_epi8(same) != 0xffff) lines |= std::uint64_t{1} << line;
  }
  return lines;
}

std::uint64_t differing_lines(const unsigned char* one, const unsigned char* other) {
  return has_avx2 ? differing_lines_avx2(one, other) : differing_lines_plainly(one, other);
}

namespace {

__attribute__((target("avx2"))) inline void copy_line(__m256i* to, const __m256i* from) {
  const __m256i low = _mm256_load_si256(from);
  const __m256i high = _mm256_load_si256(from + 1);
  _mm256_store_si256(to, low);
  _mm256_store_si256(to + 1, high);
}

// The processor's own loop does not fetch the lines that it fills.
inline void zero_page(unsigned char* page) {
  std::size_t words = kLines * kLine / sizeof(std::uint64_t);
  asm volatile("rep stosq" : "+D"(page), "+c"(words) : "a"(0) : "memory");
}

__attribute__((target("avx2,bmi"))) inline void copy_page_avx2(const LinesOfPage& page) {
  auto* const to = reinterpret_cast<__m256i*>(page.to);
  const auto* const from = reinterpret_cast<const __m256i*>(page.from);
  if ((page.lines & page.zero) == kAllLines) {
    zero_page(page.to);
    return;
  }
  for (std::uint64_t lines = page.lines; lines != 0; lines &= lines - 1) {
    const auto at = static_cast<std::size_t>(__builtin_ctzll(lines)) * 2;
    copy_line(to + at, from + at);
  }
}

__attribute__((target("avx2,bmi"))) void copy_pages_avx2(const LinesOfPage* pages, std::size_t count) {
  for (const LinesOfPage* page = pages; page != pages + count; ++page) copy_page_avx2(*page);
}

__attribute__((target("avx2"))) inline __m256i bits_of_line(const unsigned char* line) {
  const auto* words = reinterpret_cast<const __m256i*>(line);
  return _mm256_or_si256(_mm256_load_si256(words), _mm256_load_si256(words + 1));
}

__attribute__((target("avx2"))) bool are_equal_avx2(const LinesOfPage& page) {
  constexpr std::uint64_t kAllTogether = (1u << kTogether) - 1;
  __m256i differ = _mm256_setzero_si256();
  for (std::size_t first = 0; first < kLines; first += kTogether) {
    const unsigned char* const a = page.to + first * kLine;
    __m256i d0;
    __m256i d1;
    if ((page.zero >> first & kAllTogether) == kAllTogether) {
      d0 = _mm256_or_si256(bits_of_line(a), bits_of_line(a + kLine));
      d1 = _mm256_or_si256(bits_of_line(a + 2 * kLine), bits_of_line(a + 3 * kLine));
    } else {
      const unsigned char* const b = page.from + first * kLine;
      d0 = _mm256_or_si256(difference(a, b), difference(a + kLine, b + kLine));
      d1 = _mm256_or_si256(difference(a + 2 * kLine, b + 2 * kLine), difference(a + 3 * kLine, b + 3 * kLine));
    }
    differ = _mm256_or_si256(differ, _mm256_or_si256(d0, d1));
  }
  return _mm256_testz_si256(differ, differ) != 0;
}

__attribute__((target("avx2,bmi"))) bool make_equal_avx2(LinesOfPage* pages, std::size_t count) {
  bool as_known = true;
  for (LinesOfPage* page = pages; page != pages + count; ++page) {
    copy_page_avx2(*page);
    if (page->lines == kAllLines || are_equal_avx2(*page)) continue;
    as_known = false;
    page->lines |= differing_lines_avx2(page->to, page->from);
    copy_page_avx2(*page);
  }
  return as_known;
}

// A line is one word there, and comparing it one instruction behind its load.
#define RAVEL_WIDE __attribute__((target("avx512f,avx512vl,avx2,bmi")))

// `differ` and what is different between the two.
RAVEL_WIDE inline __m512i or_difference(__m512i differ, const unsigned char* one, const unsigned char* other) {
  constexpr int kFirstOrOthersDiffer = 0xf6;
  return _mm512_ternarylogic_epi64(differ, _mm512_load_si512(one), _mm512_load_si512(other), kFirstOrOthersDiffer);
}

RAVEL_WIDE inline bool are_equal_wide(const LinesOfPage& page) {
  constexpr std::uint64_t kAllTogether = (1u << kTogether) - 1;
  __m512i d0 = _mm512_setzero_si512();
  __m512i d1 = d0;
  for (std::size_t first = 0; first < kLines; first += kTogether) {
    const unsigned char* const a = page.to + first * kLine;
    if ((page.zero >> first & kAllTogether) == kAllTogether) {
      d0 = _mm512_or_si512(d0, _mm512_load_si512(a));
      d1 = _mm512_or_si512(d1, _mm512_load_si512(a + kLine));
      d0 = _mm512_or_si512(d0, _mm512_load_si512(a + 2 * kLine));
      d1 = _mm512_or_si512(d1, _mm512_load_si512(a + 3 * kLine));
    } else {
      const unsigned char* const b = page.from + first * kLine;
      d0 = or_difference(d0, a, b);
      d1 = or_difference(d1, a + kLine, b + kLine);
      d0 = or_difference(d0, a + 2 * kLine, b + 2 * kLine);
      d1 = or_difference(d1, a + 3 * kLine, b + 3 * kLine);
    }
  }
  const __m512i differ = _mm512_or_si512(d0, d1);
  return _mm512_test_epi64_mask(differ, differ) == 0;
}

RAVEL_WIDE inline void copy_page_wide(const LinesOfPage& page) {
  if ((page.lines & page.zero) == kAllLines) {
    zero_page(page.to);
    return;
  }
  for (std::uint64_t lines = page.lines; lines != 0; lines &= lines - 1) {
    const auto at = static_cast<std::size_t>(__builtin_ctzll(lines)) * kLine;
    _mm512_store_si512(page.to + at, _mm512_load_si512(page.from + at));
  }
}

RAVEL_WIDE void copy_pages_wide(const LinesOfPage* pages, std::size_t count) {
  for (const LinesOfPage* page = pages; page != pages + count; ++page) copy_page_wide(*page);
}

RAVEL_WIDE bool make_equal_wide(LinesOfPage* pages, std::size_t count) {
  bool as_known = true;
  for (LinesOfPage* page = pages; page != pages + count; ++page) {
    copy_page_wide(*page);
    if (page->lines == kAllLines || are_equal_wide(*page)) continue;
    as_known = false;
    page->lines |= differing_lines_avx2(page->to, page->from);
    copy_page_wide(*page);
  }
  return as_known;
}
#undef RAVEL_WIDE

}  // namespace

void copy_lines_plainly(const LinesOfPage* pages, std::size_t count) {
  for (const LinesOfPage* page = pages; page != pages + count; ++page) {
    for (std::uint64_t lines = page->lines; lines != 0; lines &= lines - 1) {
      const std::size_t at = static_cast<std::size_t>(__builtin_ctzll(lines)) * kLine;
      auto* const target = reinterpret_cast<__m128i*>(page->to + at);
      const auto* const source = reinterpret_cast<const __m128i*>(page->from + at);
      for (int part = 0; part < 4; ++part) _mm_store_si128(target + part, _mm_load_si128(source + part));
    }
  }
}

void copy_lines_in_halves(const LinesOfPage* pages, std::size_t count) {
  if (has_avx2) {
    copy_pages_avx2(pages, count);
  } else {
    copy_lines_plainly(pages, count);
  }
}

void copy_lines(const LinesOfPage* pages, std::size_t count) {
  if (has_wide) {
    copy_pages_wide(pages, count);
  } else {
    copy_lines_in_halves(pages, count);
  }
}

bool make_equal_plainly(LinesOfPage* pages, std::size_t count) {
  bool as_known = true;
  for (LinesOfPage* page = pages; page != pages + count; ++page) {
    const std::uint64_t lines = differing_lines_plainly(page->to, page->from);
    as_known = as_known && (lines & ~page->lines) == 0;
    page->lines |= lines;
    const LinesOfPage now = {page->to, page->from, lines};
    copy_lines_plainly(&now, 1);
  }
  return as_known;
}

bool make_equal_in_halves(LinesOfPage* pages, std::size_t count) {
  return has_avx2 ? make_equal_avx2(pages, count) : make_equal_plainly(pages, count);
}

bool make_equal(LinesOfPage* pages, std::size_t count) {
  if (has_wide) return make_equal_wide(pages, count);
  return make_equal_in_halves(pages, count);
}

std::uint64_t zero_lines(const unsigned char* page) {
  std::uint64_t lines = 0;
  for (std::size_t line = 0; line < kLines; ++line) {
    unsigned char bits = 0;
    for (std::size_t i = 0; i < kLine; ++i) bits |= page[line * kLine + i];
    if (bits == 0) lines |= std::uint64_t{1} << line;
  }
  return lines;
}

}  // namespace ravel
