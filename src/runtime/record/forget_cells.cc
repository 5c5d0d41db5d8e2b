// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Taking memory out of the access filter.
#include <sys/mman.h>

#include "runtime/platform/pages.h"
#include "runtime/platform/raw.h"
#include "runtime/record/access_filter.h"

namespace ravel::rt {

namespace {

constexpr std::size_t kFewBytes = 256;
constexpr std::uintptr_t kChunk = std::uintptr_t{1} << kChunkShift;
constexpr std::size_t kLongestCleared = std::size_t{1} << 20;  // of more the pages are given back

void give_back(std::uintptr_t begin, std::uintptr_t end) {
  raw_syscall(SYS_madvise, static_cast<long>(kFilterAddress + begin), static_cast<long>(end - begin), MADV_REMOVE);
}

// [begin, end) of memory, both multiples of a cell.
void clear_words(std::uintptr_t begin, std::uintptr_t end) {
  constexpr std::uintptr_t kLine = std::uintptr_t{1} << kLineShift;
  while (begin < end) {
    const std::uintptr_t next = (begin | (kLine - 1)) + 1;
    const std::uintptr_t until = next < end ? next : end;
    const std::uint64_t words = word_bits(begin, static_cast<unsigned>(until - begin), false);
    word_entry(begin) &= ~(words << kWordWrittenShift | words);
    begin = until;
  }
}

void clear_bytes(std::uintptr_t begin, std::uintptr_t end) {
  if (end - begin <= kFewBytes) {
    for (; begin != end; begin += sizeof(std::uint64_t)) filter_entry(begin) = 0;
    return;
  }
  zero_bytes(reinterpret_cast<void*>(kFilterAddress + begin), end - begin);
}

bool is_marked(std::uint64_t mark) {
  return mark > g_filter.first_stamp;
}

// What this execution has not marked needs nothing. What is left of a chunk keeps its marks.
void clear_in_chunk(std::uintptr_t begin, std::uintptr_t end, bool long_block) {
  const bool whole = end - begin == kChunk;
  const bool words = is_marked(word_mark(begin));
  const bool bytes = is_marked(byte_mark(begin));
  if (whole && words) word_mark(begin) = 0;
  if (whole && bytes) byte_mark(begin) = 0;
  if (whole && long_block) {
    const std::uintptr_t table = kWordAddress - kFilterAddress;
    if (words) give_back(table + (begin >> (kLineShift - 3)), table + (end >> (kLineShift - 3)));
    if (bytes) give_back(begin, end);
    return;
  }
  if (words) clear_words(begin, end);
  if (bytes) clear_bytes(begin, end);
}

void clear_marked(std::uintptr_t begin, std::uintptr_t end) {
  const bool long_block = end - begin > kLongestCleared;
  while (begin < end) {
    const std::uintptr_t next = (begin | (kChunk - 1)) + 1;
    const std::uintptr_t until = next < end ? next : end;
    clear_in_chunk(begin, until, long_block);
    begin = until;
  }
}

}  // namespace

void forget_cells(std::uintptr_t address, std::size_t size) {
  constexpr std::uintptr_t kCell = 8;
  const std::uintptr_t begin = (address - kFilteredFrom) & ~(kCell - 1);
  std::uintptr_t end = (address - kFilteredFrom + (size == 0 ? 1 : size) + kCell - 1) & ~(kCell - 1);
  if (end > g_filter.bytes) end = g_filter.bytes;
  clear_marked(begin, end);
}

}  // namespace ravel::rt
