// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The driver's mapping of a SharedBlock: an anonymous memfd, so that nobody else on the machine can find it, or a file
// of our own that outlives us (checkpoint.h). Move-only; unmapped and closed with the object.
#pragma once

#include <string>

#include "model/text/result.h"
#include "wire/shared_block.h"
#include "wire/shared_tree.h"

namespace ravel {

class SharedMemory {
 public:
  static Result<SharedMemory> create();
  // In a file that is replaced, or one that create_file() made.
  static Result<SharedMemory> create_file(const std::string& path);
  static Result<SharedMemory> open_file(const std::string& path);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  [[nodiscard]] SharedBlock& block() const { return *block_; }
  [[nodiscard]] int descriptor() const { return fd_; }

 private:
  SharedMemory(int fd, SharedBlock* block) : fd_(fd), block_(block) {}

  int fd_ = -1;
  SharedBlock* block_ = nullptr;
};

// The descriptor of a SharedTree. The driver does not map it: it writes the header, the rest is the jobs' own business.
class TreeMemory {
 public:
  // `path' empty: in memory. `resume': as create() left it there, with a new budget.
  static Result<TreeMemory> create(const std::string& path, bool resume, std::uint64_t executions);
  TreeMemory(TreeMemory&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  TreeMemory& operator=(TreeMemory&&) = delete;
  ~TreeMemory();

  [[nodiscard]] int descriptor() const { return fd_; }

 private:
  explicit TreeMemory(int fd) : fd_(fd) {}

  int fd_ = -1;
};

}  // namespace ravel
