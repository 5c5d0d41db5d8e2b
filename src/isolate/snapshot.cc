// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/snapshot.h"

#include <string.h>
#include <sys/mman.h>

#include "isolate/page_lines.h"
#include "isolate/page_map.h"
#include "runtime/fiber/carrier.h"
#include "runtime/memory/heap.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/raw.h"

namespace ravel {

namespace {

constexpr std::uintptr_t kStoreAddress = 0x530000000000ull;
constexpr std::size_t kCopyBytes = std::size_t{4} << 30;
// Runs in which the engine's faults are counted separately, after a look that found nothing; twice as many each time. A
// look costs as much as a hundred of the calls that it takes to tell.
constexpr std::uint32_t kFewestApart = 64;
constexpr std::uint32_t kMostApart = 1u << 14;

bool contains(std::uintptr_t begin, std::uintptr_t bytes, std::uintptr_t address) {
  return address - begin < bytes;
}

}  // namespace

bool Snapshot::holds(std::uintptr_t address) {
  return contains(kStoreAddress, sizeof(Snapshot) + kCopyBytes, address);
}

Snapshot* Snapshot::take(std::uintptr_t keep_begin, std::uintptr_t keep_end, const char*& why) {
  void* store = rt::reserve_pages(kStoreAddress, sizeof(Snapshot) + kCopyBytes);
  if (store == nullptr) {
    why = "there is no address space for a copy of the process";
    return nullptr;
  }
  // A child for comparison has no use for it.
  rt::raw_syscall(SYS_madvise, reinterpret_cast<long>(store), sizeof(Snapshot) + kCopyBytes, MADV_DONTFORK);
  auto* snapshot = static_cast<Snapshot*>(store);  // zero is its empty state
  const std::size_t count = private_writable_ranges(snapshot->range_, kMaxRanges);
  if (count == 0 || count > kMaxRanges) {
    why = count == 0 ? "/proc/self/maps cannot be read" : "the process has too many mappings";
    return nullptr;
  }
  snapshot->list_ranges(count, keep_begin, keep_end);
  if (!PageMap().works()) {
    why = "/proc/self/pagemap cannot be read";
    return nullptr;
  }
  if (!snapshot->save_all()) {
    why = "the process is too large to be copied";
    return nullptr;
  }
  return snapshot;
}

// Drops our own store, what is to be kept, and the large reservations of which the runtime knows the used parts.
void Snapshot::list_ranges(std::size_t count, std::uintptr_t keep_begin, std::uintptr_t keep_end) {
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const AddressRange range = range_[i];
    if (contains(reinterpret_cast<std::uintptr_t>(this), sizeof(Snapshot) + kCopyBytes, range.begin)) continue;
    if (contains(rt::kHeapAddress, rt::kHeapBytes, range.begin)) continue;
    if (rt::is_thread_memory(range.begin)) continue;
    if (range.begin >= keep_begin && range.end <= keep_end) continue;
    range_[kept++] = range;
  }
  ranges_ = kept;
}

template <class Visit>
void Snapshot::visit_ranges(Where where, Visit&& visit) {
  for (std::uint32_t i = 0; i < ranges_; ++i) visit(range_[i].begin, range_[i].end, range_[i].of_file);
  struct Each {
    Visit& visit;
    static void range(void* self, std::uintptr_t begin, std::uintptr_t end) {
      static_cast<Each*>(self)->visit(begin, end, false);
    }
  } each{visit};
  rt::visit_heap(&Each::range, &each);
  rt::visit_thread_memory(where == Where::kEverywhere, &Each::range, &each);
}

bool Snapshot::save_all() {
  PageMap map;
  bool fits = true;
  visit_ranges(Where::kEverywhere, [&](std::uintptr_t begin, std::uintptr_t end, bool) {
    map.scan(begin, end, [&](std::uintptr_t address, PageState) {
      Page* page = page_at(address);
      unsigned char* copy = page != nullptr ? new_copy() : nullptr;
      fits = fits && copy != nullptr;
      if (!fits) return;
      memcpy(copy, reinterpret_cast<const void*>(address), kPage);
      page->saved = copy;
    });
  });
  return fits;
}

bool Snapshot::look(Where where, const char*& why) {
  PageMap map;
  if (!map.works()) {
    why = "/proc/self/pagemap cannot be read";
    return false;
  }
  bool fits = true;
  visit_ranges(where, [&](std::uintptr_t begin, std::uintptr_t end, bool of_file) {
    map.scan(begin, end, [&](std::uintptr_t address, PageState state) {
      if (state == PageState::kWritten) fits = fits && track(address, of_file);
    });
  });
  if (!fits) why = "the program writes more memory than can be put back";
  return fits;
}

bool Snapshot::track(std::uintptr_t address, bool of_file) {
  Page* page = page_at(address);
  if (page == nullptr) return false;
  if (page->tracked) return true;
  if (page->saved == nullptr && of_file) {
    unsigned char* copy = new_copy();
    if (copy == nullptr) return false;
    // What it was can be had from the file: our copy of the page is dropped.
    rt::drop_pages(address, address + kPage);
    memcpy(copy, reinterpret_cast<const void*>(address), kPage);
    page->saved = copy;
  }
  const bool was_zero = page->saved == nullptr;
  if (was_zero) page->saved = zero_;
  page->tracked = true;
  list_[tracked_++] = {reinterpret_cast<unsigned char*>(page->address), page->saved, 0,
                       was_zero ? kAllLines : zero_lines(page->saved)};
  return true;
}

Snapshot::Page* Snapshot::page_at(std::uintptr_t address) {
  std::uint32_t slot = static_cast<std::uint32_t>((address / kPage) * 0x9e3779b97f4a7c15ull >> 40) % kSlots;
  for (; slot_[slot] != 0; slot = (slot + 1) % kSlots) {
    Page& page = page_[slot_[slot] - 1];
    if (page.address == address) return &page;
  }
  if (pages_ == kMaxPages) return nullptr;
  Page& page = page_[pages_++];
  page.address = address;
  slot_[slot] = pages_;
  return &page;
}

unsigned char* Snapshot::new_copy() {
  if (copies_ + kPage > kCopyBytes) return nullptr;
  unsigned char* copy = copy_ + copies_;
  copies_ += kPage;
  return copy;
}

void Snapshot::count_faults() {
  const std::uint64_t now = page_faults();
  faulted_ = faulted_ || now != faults_;
  faults_ = now;
}

void Snapshot::count_faults_separately() {
  again_ = again_ == 0 ? kFewestApart : again_ < kMostApart ? 2 * again_ : kMostApart;
  apart_ = again_;
}

void Snapshot::begin_run(bool now) {
  if (now && counted_ && apart_ != 0) {
    --apart_;
    faults_ = page_faults();
  } else if (now && !counted_) {
    count_faults();
  }
  counting_ = now;
  counted_ = false;
}

void Snapshot::end_run() {
  if (counting_) count_faults();
  counted_ = counting_;
}

bool Snapshot::restore(Where where, const char*& why) {
  why = nullptr;
  if (!counted_) count_faults();
  counted_ = true;  // faults of the copying itself are no news: every page it writes is tracked
  const std::uint32_t tracked = tracked_;
  if ((faulted_ || where == Where::kEverywhere) && !look(where, why)) return false;
  if (faulted_ && tracked_ == tracked) count_faults_separately();
  faulted_ = false;
  return make_equal(list_, tracked_);
}

void Snapshot::restore_known_lines() {
  copy_lines(list_, tracked_);
}

}  // namespace ravel
