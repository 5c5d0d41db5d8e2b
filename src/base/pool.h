// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pool: records of one type, named by 32-bit numbers from 1 (0 is "none"), with a list of freed ones. All memory is
// taken at once and touched only as far as it is used; clear() is O(1). add() gives 0 when the pool is full: who owns
// the pool says so to its user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <type_traits>

namespace ravel {

template <class T>
class Pool {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) >= sizeof(std::uint32_t));

 public:
  Pool(std::pmr::memory_resource& memory, std::uint32_t capacity)
      : memory_(memory),
        items_(static_cast<T*>(memory.allocate(sizeof(T) * (std::size_t{capacity} + 1), alignment()))),
        capacity_(capacity) {}
  ~Pool() { memory_.deallocate(items_, sizeof(T) * (std::size_t{capacity_} + 1), alignment()); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  [[nodiscard]] std::uint32_t add(const T& value) {
    const std::uint32_t index = add_unset();
    if (index != 0) new (&items_[index]) T(value);
    return index;
  }
  // The owner writes what it will read: for large records of which little is used.
  [[nodiscard]] std::uint32_t add_unset() {
    std::uint32_t index = free_;
    if (index != 0) {
      --freed_;
      __builtin_memcpy(&free_, static_cast<const void*>(&items_[index]), sizeof(free_));
    } else {
      if (used_ == capacity_) return 0;
      index = ++used_;
    }
    return index;
  }
  void remove(std::uint32_t index) {
    __builtin_memcpy(static_cast<void*>(&items_[index]), &free_, sizeof(free_));
    free_ = index;
    ++freed_;
  }
  void clear() {
    used_ = 0;
    freed_ = 0;
    free_ = 0;
  }

  T& operator[](std::uint32_t index) { return items_[index]; }
  const T& operator[](std::uint32_t index) const { return items_[index]; }
  [[nodiscard]] std::uint32_t live() const { return used_ - freed_; }

 private:
  static constexpr std::size_t alignment() {
    constexpr std::size_t kLeast = alignof(T) > alignof(std::max_align_t) ? alignof(T) : alignof(std::max_align_t);
    return sizeof(T) % 64 == 0 ? 64 : kLeast;
  }

  std::pmr::memory_resource& memory_;
  T* items_;
  std::uint32_t capacity_;
  std::uint32_t used_ = 0;
  std::uint32_t free_ = 0;   // first of the freed ones
  std::uint32_t freed_ = 0;  // their number
};

// An array over a sparse range of numbers (threads, objects) that is emptied in O(1) and needs no zeroed memory: an
// element is present when the dense list of present ones points back at it (Briggs, Torczon, "An efficient
// representation for sparse sets", LOPLAS 1993).
template <class T>
class SparseArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SparseArray(std::pmr::memory_resource& memory, std::uint32_t capacity)
      : memory_(memory),
        items_(static_cast<Item*>(memory.allocate(sizeof(Item) * capacity, alignof(std::max_align_t)))),
        capacity_(capacity) {}
  ~SparseArray() { memory_.deallocate(items_, sizeof(Item) * capacity_, alignof(std::max_align_t)); }
  SparseArray(const SparseArray&) = delete;
  SparseArray& operator=(const SparseArray&) = delete;

  void clear() { used_ = 0; }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }

  // nullptr when absent.
  T* find(std::uint32_t index) {
    if (index >= capacity_) return nullptr;
    Item& item = items_[index];
    return item.dense < used_ && items_[item.dense].back == index ? &item.value : nullptr;
  }
  void prefetch(std::uint32_t index) const { __builtin_prefetch(items_ + (index < capacity_ ? index : 0)); }
  // index < capacity() and absent.
  T& insert(std::uint32_t index, const T& value) {
    Item& item = items_[index];
    item.dense = used_;
    items_[used_++].back = index;
    return *new (&item.value) T(value);
  }

 private:
  struct Item {
    std::uint32_t dense;  // where the list of present elements has this one
    std::uint32_t back;   // list of present elements: the index at this place of the list
    T value;
  };
  std::pmr::memory_resource& memory_;
  Item* items_;
  std::uint32_t capacity_;
  std::uint32_t used_ = 0;
};

}  // namespace ravel
