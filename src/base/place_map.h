// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// PlaceMap: 64-bit key -> 32-bit number, open addressing with linear probing. clear() is O(1): entries carry the
// generation they belong to. Grows by doubling up to a limit; then claim() refuses and the owner says so.
//
// NearPlaceMap: the same where keys come as neighbouring numbers: four of them that differ in the last two bits only
// have their homes side by side, in one line of the cache.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>

namespace ravel {

template <unsigned kNearBits>
class PlaceMapOf {
 public:
  // Both powers of two; at most half of the slots are used.
  PlaceMapOf(std::pmr::memory_resource& memory, std::uint32_t first_slots, std::uint32_t most_slots)
      : memory_(memory), most_slots_(most_slots), slots_(make(first_slots)) {
    set_size(first_slots);
  }
  ~PlaceMapOf() { drop(slots_, mask_ + 1); }
  PlaceMapOf(const PlaceMapOf&) = delete;
  PlaceMapOf& operator=(const PlaceMapOf&) = delete;

  void clear() {
    used_ = 0;
    if (++generation_ == 0) {  // once in four thousand million executions
      std::memset(static_cast<void*>(slots_), 0, sizeof(Slot) * (std::size_t{mask_} + 1));
      generation_ = 1;
    }
  }

  // 0 when absent.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
    for (std::uint32_t i = home(key);; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.generation != generation_) return 0;
      if (slot.key == key) return slot.value;
    }
  }

  // Where the key's number stands, made for it if need be: 0 then, to be set by the caller. nullptr when the limit is
  // reached. Good until the next claim() or erase().
  [[nodiscard]] std::uint32_t* claim(std::uint64_t key) {
    std::uint32_t i = home(key);
    for (; slots_[i].generation == generation_; i = (i + 1) & mask_) {
      if (slots_[i].key == key) return &slots_[i].value;
    }
    if (2 * (used_ + 1) > mask_) {
      if (!grow()) return nullptr;
      i = home(key);
      while (slots_[i].generation == generation_) i = (i + 1) & mask_;
    }
    ++used_;
    slots_[i] = {key, generation_, 0};
    return &slots_[i].value;
  }

  // The key must be absent, the value not 0. False when the limit is reached.
  [[nodiscard]] bool insert(std::uint64_t key, std::uint32_t value) {
    std::uint32_t* number = claim(key);
    if (number != nullptr) *number = value;
    return number != nullptr;
  }

  // The key must be present. The gap is closed, so that no markers pile up.
  void erase(std::uint64_t key) {
    std::uint32_t gap = home(key);
    while (slots_[gap].key != key) gap = (gap + 1) & mask_;
    for (std::uint32_t i = (gap + 1) & mask_; slots_[i].generation == generation_; i = (i + 1) & mask_) {
      const std::uint32_t wanted = home(slots_[i].key);
      if (((i - wanted) & mask_) >= ((i - gap) & mask_)) {
        slots_[gap] = slots_[i];
        gap = i;
      }
    }
    slots_[gap].generation = 0;
    --used_;
  }

  [[nodiscard]] std::uint32_t size() const { return used_; }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t generation;  // 0: never used
    std::uint32_t value;
  };

  // Multiplicative hashing, the upper bits: places are spread, at one multiplication.
  [[nodiscard]] std::uint32_t home(std::uint64_t key) const {
    constexpr std::uint32_t kNear = (1u << kNearBits) - 1;
    const auto spread = static_cast<std::uint32_t>((key >> kNearBits) * 0x9e3779b97f4a7c15ull >> shift_);
    return (spread & ~kNear) | (static_cast<std::uint32_t>(key) & kNear);
  }
  void set_size(std::uint32_t slots) {
    mask_ = slots - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
  }

  void put(std::uint64_t key, std::uint32_t value) {
    std::uint32_t i = home(key);
    while (slots_[i].generation == generation_) i = (i + 1) & mask_;
    slots_[i] = {key, generation_, value};
  }

  bool grow() {
    const std::uint32_t old_slots = mask_ + 1;
    if (old_slots >= most_slots_) return 2 * (used_ + 1) <= old_slots + old_slots / 2;  // fuller, then full
    Slot* old = slots_;
    slots_ = make(old_slots * 2);
    set_size(old_slots * 2);
    for (std::uint32_t i = 0; i < old_slots; ++i) {
      if (old[i].generation == generation_) put(old[i].key, old[i].value);
    }
    drop(old, old_slots);
    return true;
  }

  Slot* make(std::uint32_t slots) {
    void* block = memory_.allocate(sizeof(Slot) * std::size_t{slots}, alignof(std::max_align_t));
    std::memset(block, 0, sizeof(Slot) * std::size_t{slots});
    return static_cast<Slot*>(block);
  }
  void drop(Slot* slots, std::uint32_t count) {
    memory_.deallocate(slots, sizeof(Slot) * std::size_t{count}, alignof(std::max_align_t));
  }

  std::pmr::memory_resource& memory_;
  std::uint32_t mask_ = 0;
  unsigned shift_ = 0;
  std::uint32_t most_slots_;
  std::uint32_t used_ = 0;
  std::uint32_t generation_ = 1;
  Slot* slots_;
};

using PlaceMap = PlaceMapOf<0>;
using NearPlaceMap = PlaceMapOf<2>;

}  // namespace ravel
