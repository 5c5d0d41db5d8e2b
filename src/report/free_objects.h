// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which object an address of a free run is in: blocks of the heap and stacks while they are there, modules, and the
// rest by large regions. A block that is made where another one was is another object.
#pragma once

#include <cstdint>
#include <map>

#include "driver/execution_record.h"
#include "driver/free_record.h"

namespace ravel {

class FreeObjects {
 public:
  // Objects are added to `record`.
  FreeObjects(const FreeRecord& run, ExecutionRecord& record);

  // place_of() an event there.
  std::uint64_t place(std::uint64_t address);
  std::uint64_t add_block(const FreeEvent& made, std::uint32_t thread, LocationId site);
  // 0: no block that is known begins there.
  [[nodiscard]] std::uint64_t block_at(std::uint64_t address) const;
  // It stays where it is until another one comes: who uses it after that uses what was freed.
  void free_block(std::uint64_t address);
  void add_stack(std::uint32_t thread);
  [[nodiscard]] bool full() const { return full_; }

 private:
  struct Range {
    std::uint64_t end = 0;
    ObjectId object = 0;
    bool live = true;
    bool stack = false;
  };
  // Where the last address was: all of this is in one object.
  struct Last {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    std::uint64_t base = 0;
    ObjectId object = 0;
  };
  ObjectId add(const ObjectRecord& object);
  void add_range(std::uint64_t begin, std::uint64_t end, ObjectId object, bool stack);

  const FreeRecord& run_;
  ExecutionRecord& record_;
  std::map<std::uint64_t, Range> ranges_;
  std::map<std::uint64_t, ObjectId> regions_;      // by what lies above the offset
  std::map<std::uint32_t, std::uint32_t> blocks_;  // made by each thread
  std::map<std::size_t, ObjectId> modules_;
  Last last_;
  bool full_ = false;
};

}  // namespace ravel
