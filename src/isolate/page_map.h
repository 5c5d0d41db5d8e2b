// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which pages of this process are in memory, and which it has written since it was forked, from /proc/self/pagemap. A
// page that a fork shares with its parent is written by taking a copy: from then on it is mapped here alone. Each first
// write costs a page fault, so as long as the count of faults stands still the answer stays the same. Faults of the
// running OS thread are enough: a program that starts another one has spoilt its process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

enum class PageState : std::uint8_t {
  kUntouched,  // reads as zero, or as the file says; nobody wrote it
  kShared,     // has contents of its own, as they were when the process was forked
  kWritten,    // has been written by this process
};

class PageMap {
 public:
  PageMap();
  ~PageMap();
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  // False: /proc is not there or tells too little.
  [[nodiscard]] bool works() const { return fd_ >= 0; }

  // Calls visit(page address, state) for each page of [begin, end) that is not untouched.
  template <class Visit>
  void scan(std::uintptr_t begin, std::uintptr_t end, Visit&& visit) {
    while (begin < end) {
      const std::size_t pages = read(begin, end);
      if (pages == 0) return;
      for (std::size_t i = 0; i < pages; ++i) {
        if (i + kTogether <= pages && nothing_at(i)) {  // most of a stack
          i += kTogether - 1;
          continue;
        }
        const PageState state = state_of(entries_[i]);
        if (state != PageState::kUntouched) visit(begin + i * kPage, state);
      }
      begin += pages * kPage;
    }
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kEntries = 1024;
  static constexpr std::size_t kTogether = 8;

  [[nodiscard]] bool nothing_at(std::size_t first) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < kTogether; ++i) all |= entries_[first + i];
    return all == 0;
  }
  std::size_t read(std::uintptr_t begin, std::uintptr_t end);
  static PageState state_of(std::uint64_t entry);

  int fd_ = -1;
  std::uint64_t entries_[kEntries];
};

// Page faults of this OS thread so far.
std::uint64_t page_faults();

}  // namespace ravel
