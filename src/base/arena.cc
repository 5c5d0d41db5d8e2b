// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Size classes: four to each power of two, so at most a quarter of a block is wasted. Blocks of a line or more are
// aligned to lines.
#include "base/arena.h"

#include <bit>
#include <new>

#include "base/invariant.h"

namespace ravel {
namespace {

constexpr std::size_t kSmallest = 16;

struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass class_of(std::size_t bytes, std::size_t alignment) {
  if (bytes < kSmallest) bytes = kSmallest;
  if (alignment > kSmallest && bytes < Arena::kLine) bytes = Arena::kLine;
  const auto power = static_cast<std::size_t>(std::bit_width(bytes) - 1);
  const std::size_t step = std::size_t{1} << (power - 2);
  const std::size_t quarter = (bytes - (std::size_t{1} << power) + step - 1) / step;  // 0..4
  return {power * 4 + quarter, (std::size_t{1} << power) + quarter * step};
}

std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) & ~(to - 1);
}

}  // namespace

Arena* Arena::create(void* range, std::size_t bytes) {
  INVARIANT(reinterpret_cast<std::uintptr_t>(range) % kLine == 0, "arenas begin at a cache line");
  INVARIANT(bytes > sizeof(Arena) + kLine, "an arena needs room for itself");
  return new (range) Arena(bytes);
}

Arena::Arena(std::size_t bytes) : bytes_(bytes), top_(0) {
  reset();
}

void Arena::reset() {
  for (FreeBlock*& list : free_) list = nullptr;
  top_ = round_up(sizeof(Arena), kLine);
}

void* Arena::try_allocate(std::size_t bytes, std::size_t alignment) {
  INVARIANT(alignment <= kLine, "no type needs more than a cache line");
  if (bytes > bytes_) return nullptr;
  const SizeClass size = class_of(bytes, alignment);
  FreeBlock*& list = free_[size.index];
  if (list != nullptr) {
    FreeBlock* block = list;
    list = block->next;
    return block;
  }
  const std::size_t begin = round_up(top_, size.bytes >= kLine ? kLine : kSmallest);
  if (begin > bytes_ || size.bytes > bytes_ - begin) return nullptr;
  top_ = begin + size.bytes;
  return reinterpret_cast<unsigned char*>(this) + begin;
}

void* Arena::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* block = try_allocate(bytes, alignment);
  INVARIANT(block != nullptr, "who may run out of arena memory uses try_allocate");
  return block;
}

void Arena::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  const SizeClass size = class_of(bytes, alignment);
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = free_[size.index];
  free_[size.index] = freed;
}

std::size_t Arena::offset_of(const void* block) const {
  return static_cast<std::size_t>(static_cast<const unsigned char*>(block) -
                                  reinterpret_cast<const unsigned char*>(this));
}

}  // namespace ravel
