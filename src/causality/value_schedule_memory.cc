// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The memory's part of a value schedule: bytes in cells of eight, and what a free does to everything in its block.
#include "base/hash.h"
#include "causality/value_schedule.h"

namespace ravel {
namespace {

constexpr std::uint64_t kObjectOfPlace = ~std::uint64_t{0xffffffffu};

}  // namespace

ValueSchedule::Block* ValueSchedule::block_of(std::uint64_t place) {
  std::uint32_t* const number = block_index_.claim(place & kObjectOfPlace);
  if (number != nullptr && *number == 0) *number = blocks_.add({});
  if (number != nullptr && *number != 0) return &blocks_[*number];
  truncated_ = true;
  return nullptr;
}

ValueSchedule::Cell* ValueSchedule::cell_at(std::uint64_t place) {
  if (const std::uint32_t known = cell_index_.find(place); known != 0) return &cells_[known];
  Block* const block = block_of(place);
  Cell fresh;
  fresh.place = place;
  if (block != nullptr) fresh.next_in_block = block->cells;
  const std::uint32_t number = block == nullptr ? 0 : cells_.add(fresh);
  if (number == 0 || !cell_index_.insert(place, number)) {
    truncated_ = true;
    return nullptr;
  }
  block->cells = number;
  Cell& cell = cells_[number];
  cell.thread = kNoThread;
  if (block->freed != 0) access_cell(cell, block->freed_by.thread, 0, kCellBytes, true, block->freed);
  return &cell;
}

ValueSchedule::Object* ValueSchedule::object_at(std::uint64_t place) {
  if (const std::uint32_t known = object_index_.find(place); known != 0) return &objects_[known];
  Block* const block = block_of(place);
  const std::uint32_t number = block == nullptr ? 0 : objects_.add({place, 0, 0, block->objects});
  if (number == 0 || !object_index_.insert(place, number)) {
    truncated_ = true;
    return nullptr;
  }
  block->objects = number;
  Object& object = objects_[number];
  if (block->freed != 0) enter(object, block->freed_by, block->freed);
  return &object;
}

void ValueSchedule::access_cell(Cell& cell, ThreadIndex thread, unsigned first, unsigned end, bool write,
                                std::uint64_t word) {
  if (cell.thread == kNoThread) cell.thread = thread;
  if (cell.thread != thread) cell.shared = true;
  if (write) cell.written = true;
  for (unsigned i = first; i < end; ++i) {
    if (write) {
      cell.writes[i] = hash_combine(hash_combine(cell.writes[i], cell.reads[i]), word);
      cell.reads[i] = 0;
    } else {
      cell.reads[i] += mix64(word);
    }
  }
}

void ValueSchedule::access(const Event& e, std::uint32_t bytes, bool write, std::uint64_t word) {
  std::uint64_t at = place_of(e);
  const std::uint64_t end = at + (bytes == 0 ? 1 : bytes);
  while (at < end) {
    const std::uint64_t base = at - at % kCellBytes;
    const std::uint64_t stop = end < base + kCellBytes ? end : base + kCellBytes;
    Cell* const cell = cell_at(base);
    if (cell == nullptr) return;
    access_cell(*cell, e.thread, static_cast<unsigned>(at - base), static_cast<unsigned>(stop - base), write, word);
    at = stop;
  }
}

// A free conflicts with everything that uses its block, earlier or later. Memory is not reused.
void ValueSchedule::free_block(const Event& e, std::uint64_t word) {
  Block* const block = block_of(place_of(e));
  if (block == nullptr) return;
  for (std::uint32_t i = block->cells; i != 0; i = cells_[i].next_in_block) {
    access_cell(cells_[i], e.thread, 0, kCellBytes, true, word);
  }
  for (std::uint32_t i = block->objects; i != 0; i = objects_[i].next_in_block) enter(objects_[i], view_of(e), word);
  block->freed = word;
  block->freed_by = view_of(e);
}

std::uint64_t ValueSchedule::value_of(const Cell& cell) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < kCellBytes; ++i) {
    value = hash_combine(hash_combine(value, cell.writes[i]), cell.reads[i]);
  }
  return value;
}

}  // namespace ravel
