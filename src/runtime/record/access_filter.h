// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Keeps private memory cheap. A plain access is not recorded again when the same thread has read (or written) the same
// bytes before, has done nothing but plain accesses since, and nobody else has touched the 8 bytes in between: the race
// detector would not look at it either (FastTrack's rule of the same epoch). Of several places in the code that access
// the same bytes in one such stretch, the first is the one that is recorded.
//
// Two tables at fixed distances. Words: every 64 bytes of heap and stacks have an entry of 8 bytes: a stamp, which of
// its 16 aligned groups of 4 bytes are written, and which are read. That is little memory, so that following pointers
// through a large structure does not fetch twice as many lines. Bytes: every 8 bytes have one with a bit for each byte;
// accesses that are not whole groups go there. Who enters something in one of them takes what others know of the same
// bytes out of the other.
//
// A thread gets a new stamp, never used before, with each visible operation other than a plain access, so that all its
// entries are void at once. Accesses that are scheduling points, are longer than 16 bytes, or go to other memory
// (globals) are always recorded; so is everything when all places in the code matter (--points shared).
//
// Each chunk of 64 KiB has a mark for each table: the stamp of the last entry made there. A chunk whose mark is older
// than the execution has no entry that counts, and forgetting its cells is free.
//
// The entries are shared memory that forks do not copy and nobody restores; the count of stamps is kept with them.
// Where the mapping is refused, nothing is filtered.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/platform/hidden.h"

namespace ravel::rt {

inline constexpr std::uintptr_t kFilterAddress = 0x100000000000ull;
inline constexpr std::uintptr_t kFilteredFrom = 0x510000000000ull;  // heap and stacks lie there
inline constexpr std::uintptr_t kFilteredBytes = 0x012000000000ull;
inline constexpr unsigned kChunkShift = 16;
inline constexpr unsigned kLineShift = 6;  // of memory that has one entry for its words
inline constexpr std::uintptr_t kMarkBytes = (kFilteredBytes >> kChunkShift) * sizeof(std::uint64_t);
inline constexpr std::uintptr_t kWordMarkAddress = kFilterAddress + kFilteredBytes;  // marks of chunks
inline constexpr std::uintptr_t kByteMarkAddress = kWordMarkAddress + kMarkBytes;
inline constexpr std::uintptr_t kWordAddress = kByteMarkAddress + kMarkBytes;
inline constexpr std::uintptr_t kWordTableBytes = (kFilteredBytes >> kLineShift) * sizeof(std::uint64_t);
inline constexpr std::uintptr_t kFilterMapped = kWordAddress + kWordTableBytes - kFilterAddress;

// Accesses that were not recorded since one was looked at all the same, by address: a thread that reads one variable
// over and over must be noticed. Several counters, since each waits for its own last change.
inline constexpr std::uint32_t kQuietAccesses = 256;  // a counter comes round
inline constexpr unsigned kQuietCounters = 256;       // by the last byte of the address
inline unsigned quiet_counter(std::uintptr_t address) {
  return static_cast<std::uint8_t>(address);
}

enum class FastPath : std::uint8_t {
  kFiltered,    // what is in the filter is done
  kUnfiltered,  // nothing is filtered: heap and stacks are memory like any other
  kNone,        // every access takes the slow path, and nothing is recorded
};

struct AccessFilter {
  std::uint64_t stamp = 0;  // what call-outs look for: the running thread's, or kNoStamp
  std::uint64_t no_stamp =
      0;  // kNoStamp when call-outs are to find nothing: they do not know which accesses are points
  std::uint64_t first_stamp = 0;         // all stamps of this execution are greater
  std::uintptr_t bytes = 0;              // kFilteredBytes, or 0 when nothing is filtered at all
  bool points = false;                   // some plain accesses are scheduling points
  FastPath fast_path = FastPath::kNone;  // of plain accesses
  bool wrote = false;            // one of the accesses that were not recorded wrote beyond the thread's own stack
  std::uintptr_t stack_low = 0;  // of the running thread
  std::uintptr_t stack_bytes = 0;
  bool overdue = false;  // one of the counters has come round: look at the next access
  std::uint8_t quiet[kQuietCounters] = {};
};
RAVEL_HIDDEN extern AccessFilter g_filter;

// Bytes: stamp (32 bits) | none (9) | bytes written (8) | none (7) | bytes read (8). The bytes of an access that goes
// beyond its cell fall on bits that are never set, so nobody has to look for that.
// Words: stamp (32 bits) | written (16) | read (16).
inline constexpr unsigned kStampShift = 32;
inline constexpr unsigned kWrittenShift = 15;
inline constexpr unsigned kWordWrittenShift = 16;
inline constexpr std::uint64_t kNoStamp = ~std::uint64_t{0} << kStampShift;

inline std::uint64_t& filter_entry(std::uintptr_t offset) {
  return *reinterpret_cast<std::uint64_t*>(kFilterAddress + (offset & ~std::uintptr_t{7}));
}
inline std::uint64_t& word_entry(std::uintptr_t offset) {
  return *reinterpret_cast<std::uint64_t*>(kWordAddress + (offset >> (kLineShift - 3) & ~std::uintptr_t{7}));
}
inline std::uint64_t& word_mark(std::uintptr_t offset) {
  return reinterpret_cast<std::uint64_t*>(kWordMarkAddress)[offset >> kChunkShift];
}
inline std::uint64_t& byte_mark(std::uintptr_t offset) {
  return reinterpret_cast<std::uint64_t*>(kByteMarkAddress)[offset >> kChunkShift];
}
// The bits of [address, address + size) in the cell that `address` is in; beyond its end they are cut off.
inline std::uint64_t filter_bits(std::uintptr_t address, unsigned size, bool write) {
  const std::uint64_t bytes = ((std::uint64_t{1} << size) - 1) << (address & 7) & 0xff;
  return write ? bytes << kWrittenShift : bytes;
}
// The bits of the words that [address, address + size) touches, which lies in one line.
inline std::uint64_t word_bits(std::uintptr_t address, unsigned size, bool write) {
  const unsigned first = address >> 2 & 15;
  const unsigned last = (address + size - 1) >> 2 & 15;
  const std::uint64_t words = (std::uint64_t{2} << last) - (std::uint64_t{1} << first);
  return write ? words << kWordWrittenShift : words;
}
// Entered as words.
inline constexpr bool is_in_words(std::uintptr_t address, unsigned size) {
  return (size % 4 | address % 4) == 0;
}
// The stamp is that one, and the bits are set.
inline bool holds(std::uint64_t entry, std::uint64_t bits, std::uint64_t stamp) {
  return ((entry ^ stamp ^ bits) & (kNoStamp | bits)) == 0;
}
// What call-outs see from now on.
inline void show_stamp(std::uint64_t stamp) {
  g_filter.stamp = stamp | g_filter.no_stamp;
}

inline bool is_filtered(std::uintptr_t address) {
  return address - kFilteredFrom < g_filter.bytes;
}
inline bool is_known_by_words(std::uintptr_t address, unsigned size, bool write, std::uint64_t stamp) {
  const std::uintptr_t offset = address - kFilteredFrom;
  const unsigned in_first = 64 - (address & 63);
  if (size <= in_first) return holds(word_entry(offset), word_bits(address, size, write), stamp);
  return holds(word_entry(offset), word_bits(address, in_first, write), stamp) &&
         holds(word_entry(offset + in_first), word_bits(0, size - in_first, write), stamp);
}
inline bool is_known_by_bytes(std::uintptr_t address, unsigned size, bool write, std::uint64_t stamp) {
  const std::uintptr_t offset = address - kFilteredFrom;
  if (!holds(filter_entry(offset), filter_bits(address, size, write), stamp)) return false;
  const unsigned in_first = 8 - (address & 7);
  if (size <= in_first) return true;
  const std::uint64_t rest = filter_bits(0, size - in_first < 8 ? size - in_first : 8, write);
  return holds(filter_entry(offset + 8), rest, stamp) && size <= in_first + 8;
}
// True: recorded before, by who has that stamp. At most 16 bytes; what lies in three cells is not known by its bytes.
inline bool is_known_access(std::uintptr_t address, unsigned size, bool write, std::uint64_t stamp) {
  if (!is_filtered(address)) return false;
  if (is_known_by_words(address, size, write, stamp)) return true;
  return byte_mark(address - kFilteredFrom) > g_filter.first_stamp && is_known_by_bytes(address, size, write, stamp);
}

// A known access is made. False: it is to be looked at all the same.
inline bool pass_quietly(std::uintptr_t address, bool write) {
  if (write && __builtin_expect(!g_filter.wrote, 0) && address - g_filter.stack_low >= g_filter.stack_bytes)
    g_filter.wrote = true;
  if (__builtin_expect(++g_filter.quiet[quiet_counter(address)] != 0, 1)) return true;
  g_filter.overdue = true;
  return false;
}

// True: the access needs no look. For the call-outs, which are asked of addresses that are filtered; whole words that
// are not aligned, and accesses that lie in two cells, are looked at.
__attribute__((always_inline)) inline bool is_quiet_access(std::uintptr_t address, unsigned size, bool write) {
  if (size > 8) return false;
  const std::uintptr_t offset = address - kFilteredFrom;
  if (size >= 4) {
    if (__builtin_expect(address % size != 0, 0)) return false;
    const std::uint64_t words = std::uint64_t{size == 8 ? 3u : 1u} << (write ? kWordWrittenShift : 0);
    return __builtin_expect(holds(word_entry(offset), words << (address >> 2 & 15), g_filter.stamp), 1) &&
           pass_quietly(address, write);
  }
  const std::uint64_t bits = ((std::uint64_t{1} << size) - 1) << (write ? kWrittenShift : 0) << (address & 7);
  return __builtin_expect(holds(filter_entry(offset), bits, g_filter.stamp), 1) && pass_quietly(address, write);
}

// With what the same thread has entered before, if it is still there.
inline std::uint64_t entry_with(std::uint64_t entry, std::uint64_t bits, std::uint64_t stamp) {
  const std::uint64_t known = entry ^ stamp;
  return stamp | (known >> kStampShift == 0 ? known : 0) | bits;
}
inline bool is_of_another(std::uint64_t entry, std::uint64_t stamp) {
  return (entry ^ stamp) >> kStampShift != 0;
}
// Aligned words in one cell of 8 bytes.
inline void remember_words(std::uintptr_t offset, std::uint64_t bits, std::uint64_t stamp) {
  std::uint64_t& entry = word_entry(offset);
  entry = entry_with(entry, bits, stamp);
  word_mark(offset) = stamp;
  if (byte_mark(offset) <= g_filter.first_stamp) return;
  std::uint64_t& bytes = filter_entry(offset);
  if (is_of_another(bytes, stamp)) bytes = 0;
}
inline void remember_in_cell(std::uintptr_t offset, std::uint64_t bits, std::uint64_t stamp) {
  std::uint64_t& entry = filter_entry(offset);
  entry = entry_with(entry, bits, stamp);
  byte_mark(offset) = stamp;
  constexpr std::uint64_t kOfCell = std::uint64_t{3} << kWordWrittenShift | 3;
  std::uint64_t& words = word_entry(offset);
  if (is_of_another(words, stamp)) words &= ~(kOfCell << (offset >> 2 & 14));
}
// The access was recorded and is no scheduling point. At most 16 bytes.
inline void remember_access(std::uintptr_t address, unsigned size, bool write, std::uint64_t stamp) {
  const std::uintptr_t end = address + size;
  const bool in_words = is_in_words(address, size);
  while (address < end) {
    const std::uintptr_t offset = address - kFilteredFrom;
    if (offset >= g_filter.bytes) return;
    const unsigned in_cell = 8 - static_cast<unsigned>(address & 7);
    const unsigned bytes = end - address < in_cell ? static_cast<unsigned>(end - address) : in_cell;
    if (in_words) {
      remember_words(offset, word_bits(address, bytes, write), stamp);
    } else {
      remember_in_cell(offset, filter_bits(address, bytes, write), stamp);
    }
    address += bytes;
  }
}
// An aligned word or less was touched in another way.
inline void forget_word(std::uintptr_t offset) {
  constexpr std::uint64_t kOfCell = std::uint64_t{3} << kWordWrittenShift | 3;
  word_entry(offset) &= ~(kOfCell << (offset >> 2 & 14));
  if (byte_mark(offset) > g_filter.first_stamp) filter_entry(offset) = 0;
}

// All entries of cells that [address, address + size) touches, which are filtered.
void forget_cells(std::uintptr_t address, std::size_t size);
// Maps the entries; once, in the process that all others are forked from.
void make_filter();
// Reads the plan: is anything filtered? Once, at the start of an execution.
void begin_filter();
// An execution may use up all stamps: filters nothing from then on. Asked once in a while.
void look_at_stamps();
// The fast path that plain accesses may take now: what g_filter.fast_path is set to.
FastPath choose_fast_path();

}  // namespace ravel::rt
