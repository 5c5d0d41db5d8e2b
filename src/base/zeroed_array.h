// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ZeroedArray: a large array that begins as zeros and costs only what is used of it. A page is cleared when something
// in it is written for the first time; until then it reads as zeros without being touched.
//
// Needs no journal: a process that is killed while it clears a page has written nothing there yet, and the next one
// clears it again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <type_traits>

namespace ravel {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64 && (sizeof(T) & (sizeof(T) - 1)) == 0);

 public:
  ZeroedArray() = default;
  ZeroedArray(std::pmr::memory_resource& memory, std::size_t count)
      : items_(static_cast<T*>(memory.allocate(pages(count) * kPage, 64))),
        cleared_(static_cast<std::uint8_t*>(memory.allocate(pages(count), 1))) {
    std::memset(cleared_, 0, pages(count));
  }

  [[nodiscard]] const T& operator[](std::size_t i) const { return cleared_[i / kPerPage] != 0 ? items_[i] : kZero; }
  // To be written.
  [[nodiscard]] T& at(std::size_t i) {
    if (cleared_[i / kPerPage] == 0) clear(i / kPerPage);
    return items_[i];
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kPerPage = kPage / sizeof(T);
  static constexpr T kZero{};
  static constexpr std::size_t pages(std::size_t count) { return (count + kPerPage - 1) / kPerPage; }

  void clear(std::size_t page) {
    std::memset(static_cast<void*>(items_ + page * kPerPage), 0, kPage);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // a killed process keeps the order of its stores
    cleared_[page] = 1;
  }

  T* items_ = nullptr;
  std::uint8_t* cleared_ = nullptr;  // by page
};

}  // namespace ravel
