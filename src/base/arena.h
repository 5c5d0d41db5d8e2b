// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Arena: a memory_resource over a byte range that it is given. Its whole state, itself included, is inside the range,
// so another process that has the range mapped at the same address (and the same code, for the virtual functions) goes
// on with it. Freed blocks go to a list of their size class, so growing vectors reuse each other's memory.
//
// Every operation takes effect by one store. A process killed in the middle leaks at most one block.
// Scratch memory: an arena that is reset() at the start of each execution, which costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace ravel {

class Arena final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t kLine = 64;  // the largest alignment served

  // The range must be aligned to kLine; its first bytes become the arena itself.
  static Arena* create(void* range, std::size_t bytes);
  // What create() left in a range, seen from another process.
  static Arena* adopt(void* range) { return static_cast<Arena*>(range); }

  // As allocate(), but nullptr when the range is used up.
  [[nodiscard]] void* try_allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t));
  // Forgets all blocks at once.
  void reset();

  [[nodiscard]] std::size_t used() const { return top_; }
  [[nodiscard]] std::size_t capacity() const { return bytes_; }
  // A block's place relative to the range: valid in every mapping of it.
  [[nodiscard]] std::size_t offset_of(const void* block) const;

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  static constexpr std::size_t kClasses = 4 * 64;

  explicit Arena(std::size_t bytes);
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::size_t bytes_;
  std::size_t top_;
  FreeBlock* free_[kClasses];
};

}  // namespace ravel
