// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The contents of the program's private memory as a number, for runtime/ending/repetition.h.
#include <sys/rseq.h>

#include "base/hash.h"
#include "base/large_table.h"
#include "isolate/address_ranges.h"
#include "isolate/engine_stack.h"
#include "isolate/page_map.h"
#include "isolate/snapshot.h"
#include "runtime/ending/repetition.h"
#include "runtime/fiber/carrier.h"
#include "runtime/memory/heap.h"
#include "runtime/state/locations.h"

namespace ravel::rt {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uint32_t kMostRanges = 2048;
constexpr std::uint64_t kMostPages = std::uint64_t{256} << 20 >> 12;

RAVEL_LARGE_TABLE AddressRange ranges[kMostRanges];

bool belongs_to_program(const AddressRange& range) {
  const std::uintptr_t begin = range.begin;
  if (begin - kHeapAddress < kHeapBytes || is_thread_memory(begin) || is_runtime_code(begin)) return false;
  return begin - kEngineStack >= kEngineStackBytes && !Snapshot::holds(begin);
}

class PageHash {
 public:
  PageHash() {
    // The kernel writes the number of the processor here, whenever it likes.
    if (__rseq_size != 0) changing_ = thread_pointer(0) + static_cast<std::uint64_t>(__rseq_offset);
  }
  void add(std::uintptr_t page) {
    ++pages_;
    hash_ = hash_combine(hash_, page);
    for (std::uintptr_t at = page; at < page + kPage; at += sizeof(std::uint64_t)) {
      if (at - changing_ < kChangingBytes) continue;
      hash_ = (hash_ ^ *reinterpret_cast<const std::uint64_t*>(at)) * 0x9e3779b97f4a7c15ull;
      hash_ ^= hash_ >> 29;
    }
  }
  [[nodiscard]] bool full() const { return pages_ >= kMostPages; }
  [[nodiscard]] std::uint64_t value() const { return full() || hash_ == 0 ? 0 : hash_; }

 private:
  static constexpr std::uintptr_t kChangingBytes = 32;
  std::uintptr_t changing_ = 0;
  std::uint64_t hash_ = 1;
  std::uint64_t pages_ = 0;
};

struct Scan {
  PageMap map;
  PageHash hash;
  void range(std::uintptr_t begin, std::uintptr_t end) {
    map.scan(begin, end, [this](std::uintptr_t page, PageState) {
      if (!hash.full()) hash.add(page);
    });
  }
};

}  // namespace

std::uint64_t memory_signature() {
  const std::size_t count = private_writable_ranges(ranges, kMostRanges);
  if (count == 0 || count > kMostRanges) return 0;
  Scan scan;
  if (!scan.map.works()) return 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (belongs_to_program(ranges[i])) scan.range(ranges[i].begin, ranges[i].end);
  }
  visit_heap([](void* self, std::uintptr_t begin, std::uintptr_t end) { static_cast<Scan*>(self)->range(begin, end); },
             &scan);
  return scan.hash.value();
}

}  // namespace ravel::rt
